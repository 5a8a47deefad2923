/* Stack overflow of compiled code, in executables and servers. */
#ifndef FUTC_OVERFLOW_H
#define FUTC_OVERFLOW_H

#include "context.h"

#ifdef __wasm__
/* The machine has no signals. */
typedef int sig_atomic_t;
#else
#include <signal.h>
#endif

#define FUTC_OVERFLOW_MESSAGE "Error: Stack overflow: the recursion is too deep.\n"

/* From now on, overflow of this thread's stack is an error of the running call. Handles SIGSEGV and
 * SIGBUS for the whole process: to be called by programs of our own only, never by libraries.
 * `farewell` is printed on standard output if the process must end, and may be empty. */
void futc_watch_stack(const char *farewell);

/* The same for a thread of the pool, if the process watches stacks; undone before the thread
 * ends. */
#ifndef __wasm__
struct futc_signal_stack {
  void *memory;
  stack_t before;
};
void futc_watch_thread(struct futc_signal_stack *s);
void futc_unwatch_thread(struct futc_signal_stack *s);
#endif

/* The context for which this thread runs compiled code, or NULL; if stacks are not watched, nothing
 * is done. */
void futc_watch_context(struct futc_context *ctx);

/* Sets the error of such a call. */
void futc_set_overflow_error(struct futc_context *ctx);

/* So many calls of the runtime by compiled code are going on in this thread, one in the other: it
 * cannot be left by a jump. */
extern _Thread_local volatile sig_atomic_t futc_in_runtime;

static inline void futc_enter_runtime(void) {
  futc_in_runtime++;
}
static inline void futc_leave_runtime(void) {
  futc_in_runtime--;
}

#endif
