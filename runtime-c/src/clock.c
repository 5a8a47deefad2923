/* The monotonic clock, on POSIX. */
#include "clock.h"

#include <time.h>

int64_t futc_clock_ns(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) {
    return 0;
  }
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
