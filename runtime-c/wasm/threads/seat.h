/* The places of threads, as JavaScript sees them (tools/futc/src/javascript/threads.js, worker.js). */
#ifndef FUTC_WASM_SEAT_H
#define FUTC_WASM_SEAT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum futc_seat_state {
  FUTC_SEAT_FREE,
  FUTC_SEAT_CALLED, /* a worker is to begin */
  FUTC_SEAT_TAKEN   /* it runs */
};

/* Of thread i of the pool. Its worker waits for the state to change, makes it FUTC_SEAT_TAKEN, calls
 * futc_thread_run(i) with this stack and this block of thread-local variables, and makes it FUTC_SEAT_FREE. */
struct futc_seat {
  _Atomic uint32_t state; /* enum futc_seat_state */
  uint32_t stack_top;
  uint32_t stack_bottom;
  uint32_t tls;
};

/* Whether this is a thread of the pool, and so may sleep as long as it likes. */
extern _Thread_local bool futc_is_worker;

/* Ends the program if a thread of the pool has ended in the middle of something. By the thread that calls the
 * program, wherever it waits. */
void futc_check_workers(void);

#endif
