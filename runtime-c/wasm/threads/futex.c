/* Sleeping by the machine's own instructions.
 *
 * The main thread of a page must not sleep: there the word is looked at again and again, by who calls this. What
 * is waited for is the end of what others have begun, which is a chunk of a loop at most. */
#include "futex.h"

#include "seat.h"

#include <sched.h>

#define IMPORT(NAME) __attribute__((import_module("futc"), import_name(NAME)))

/* Whether the thread that asks may sleep. */
IMPORT("may_wait") int futc_js_may_wait(void);

#define FOREVER (-1)
/* The thread that calls the program looks now and then whether all others are there. */
#define HOST_NS 50000000
#define YIELD_NS 20000

enum { UNKNOWN, NO, YES };

static int host_may_wait;

static void wait_for(_Atomic uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  (void)__builtin_wasm_memory_atomic_wait32((int32_t *)(void *)word, (int32_t)expected,
                                            nanoseconds);
}

static bool may_wait(void) {
  if (futc_is_worker) {
    return true;
  }
  if (host_may_wait == UNKNOWN) {
    host_may_wait = futc_js_may_wait() != 0 ? YES : NO;
  }
  return host_may_wait == YES;
}

void futc_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
  futc_check_workers();
  if (may_wait()) {
    wait_for(word, expected, futc_is_worker ? FOREVER : HOST_NS);
  }
}

void futc_futex_wake(_Atomic uint32_t *word) {
  (void)__builtin_wasm_memory_atomic_notify((int32_t *)(void *)word, UINT32_MAX);
}

/* In place of the C library's, which asks a system that knows of no threads. */
int sched_yield(void) {
  static _Atomic uint32_t nobody;
  futc_check_workers();
  if (may_wait()) {
    wait_for(&nobody, 0, YIELD_NS);
  }
  return 0;
}
