/* Where executables start. The same object serves both kinds: linking with
 * `-Wl,-u,futc_link_server` makes a server. */
#include "cli.h"
#include "server.h"
#ifdef __wasm__
#include "directory.h"
#endif

extern const char futc_link_server __attribute__((weak));

int main(int argc, char **argv) {
#ifdef __wasm__
  futc_enter_directory();
#endif
  if (&futc_link_server != NULL) {
    return futc_run_server(&futc_program, argc, argv);
  }
  return futc_run_cli(&futc_program, argc, argv);
}
