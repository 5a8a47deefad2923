#include "directory.h"

#include <stdlib.h>
#include <unistd.h>

void futc_enter_directory(void) {
  const char *folder = getenv("PWD");
  if (folder != NULL) {
    (void)chdir(folder);
  }
}
