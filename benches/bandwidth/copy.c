// The copy that bandwidth.fut is compared with: the same numbers, by the C library. Prints the
// median of several runs in microseconds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 1 << 26, RUNS = 11 };

static double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  size_t bytes = COUNT * sizeof(float);
  float *from = aligned_alloc(64, bytes), *to = aligned_alloc(64, bytes);
  if (from == NULL || to == NULL) {
    fputs("out of memory\n", stderr);
    return 1;
  }
  for (size_t i = 0; i < COUNT; i++) {
    from[i] = (float)(i % 1000) * 0.001f;
    to[i] = 0;
  }
  double times[RUNS];
  for (int i = 0; i < RUNS; i++) {
    double start = microseconds();
    memcpy(to, from, bytes);
    times[i] = microseconds() - start;
    // The copy is wanted: the next one is of other numbers.
    from[(size_t)to[i] + (size_t)i] += 1;
  }
  qsort(times, RUNS, sizeof *times, ascending);
  printf("%.3f\n", times[RUNS / 2]);
  return 0;
}
