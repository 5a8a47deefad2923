/* The monotonic clock. */
#ifndef FUTC_CLOCK_H
#define FUTC_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment. */
int64_t futc_clock_ns(void);

#endif
