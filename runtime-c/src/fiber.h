/* Fibers: stacks that one thread switches between by hand. */
#ifndef FUTC_FIBER_H
#define FUTC_FIBER_H

#include <stdbool.h>
#include <stddef.h>

struct futc_fibers; /* a pool of stacks with one fiber each */

/* NULL out of memory. `stack_bytes` is rounded up to pages. */
struct futc_fibers *futc_fibers_open(size_t count, size_t stack_bytes);
void futc_fibers_close(struct futc_fibers *f);
size_t futc_fibers_count(const struct futc_fibers *f);

/* Prepares fiber `i` to run body(argument) from the start, on its next resume. */
void futc_fiber_start(struct futc_fibers *f, size_t i, void (*body)(void *), void *argument);
/* Runs fiber `i` until it suspends or ends; true if it suspended. From outside fibers only. */
bool futc_fiber_resume(struct futc_fibers *f, size_t i);
/* Inside a fiber: back to the resumer. */
void futc_fiber_suspend(struct futc_fibers *f);
/* Inside a fiber: ends it. */
_Noreturn void futc_fiber_exit(struct futc_fibers *f);

#endif
