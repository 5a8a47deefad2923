/* Loaded into every program that is measured (LD_PRELOAD): at its end the most memory that it held, in
   KiB, is written to the file that BENCH_PEAK names.

   What the system tells of a process that has ended would not do: it counts what the process that
   started it held at that time. */

#include <stdio.h>
#include <stdlib.h>

__attribute__((destructor)) static void write_peak(void) {
  const char *name = getenv("BENCH_PEAK");
  if (name == NULL) {
    return;
  }
  FILE *status = fopen("/proc/self/status", "r");
  FILE *out = fopen(name, "w");
  char line[256];
  long peak;
  while (status != NULL && out != NULL && fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) {
      fprintf(out, "%ld\n", peak);
    }
  }
  if (status != NULL) {
    fclose(status);
  }
  if (out != NULL) {
    fclose(out);
  }
}
