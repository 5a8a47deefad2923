/* IEEE binary16 as bits: conversions in software, so that no compiler or processor support is
 * needed. LLVM's calls to __extendhfsf2, __truncsfhf2 and __truncdfhf2 are served by libgcc (12 and
 * later) or compiler-rt, which the linker adds anyway. */
#ifndef FUTC_HALF_H
#define FUTC_HALF_H

#include <stdint.h>

/* Exact; NaN payloads keep their leading bits. */
float futc_half_to_float(uint16_t half);
/* Rounds to nearest, ties to even, in one rounding. */
uint16_t futc_float_to_half(float x);
uint16_t futc_double_to_half(double x);

#endif
