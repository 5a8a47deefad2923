/* Threads are workers of JavaScript, with instances of the same module on the same memory.
 *
 * A worker is another instance of the module, in whose memory it finds a place (seat.h). Where workers can be
 * started while the program runs, as with Node.js, JavaScript is asked for them here; in a browser they start only
 * when the page does nothing, so they are there before, and wait at their places. */
#include "threads.h"

#include "board.h"
#include "cpus.h"
#include "futex.h"
#include "guard.h"
#include "overflow.h"
#include "seat.h"

#include <stdlib.h>

#define IMPORT(NAME) __attribute__((import_module("futc"), import_name(NAME)))
#define EXPORT(NAME) __attribute__((export_name(NAME)))

/* How many processors there are. */
IMPORT("num_cpus") int futc_js_num_cpus(void);
/* Makes sure that there is a worker for thread `number`; 0 if there cannot be. */
IMPORT("start_thread") int futc_js_start_thread(int number);
/* Ends what is guarded (guard.h). */
IMPORT("unwind") _Noreturn void futc_js_unwind(int ending);
/* Ends the program, which cannot go on. */
IMPORT("crash") _Noreturn void futc_js_crash(void);

/* What C's own stack of a thread has, and what is left of it where the program is told that there is no more: room
 * for functions that do not ask. */
#define STACK (4 << 20)
#define STACK_LEFT (1 << 20)
#define STACK_ALIGNMENT 16

_Thread_local bool futc_is_worker;
/* The program's functions may begin above this address only. That of the thread that calls the program comes first in
 * memory, and needs none. */
static _Thread_local uintptr_t stack_limit;

static struct futc_seat seats[FUTC_MAX_THREADS];
static void *rooms[FUTC_MAX_THREADS]; /* stacks and thread-local variables */
static int32_t num_seats;             /* that have been given so far are below this */
static futc_thread_fn *thread_body;
static _Atomic bool crashed;

int64_t futc_usable_cpus(void) {
  int cpus = futc_js_num_cpus();
  return cpus > 0 ? cpus : 1;
}

/* ---- What workers call. ---- */

EXPORT("futc_thread_seat") struct futc_seat *futc_thread_seat(int32_t number);
struct futc_seat *futc_thread_seat(int32_t number) {
  return &seats[number];
}

EXPORT("futc_thread_run") void futc_thread_run(int32_t number);
void futc_thread_run(int32_t number) {
  futc_is_worker = true;
  stack_limit = seats[number].stack_bottom + STACK_LEFT;
  thread_body(number);
}

/* A worker has ended in the middle of something. */
EXPORT("futc_thread_crashed") void futc_thread_crashed(void);
void futc_thread_crashed(void) {
  atomic_store_explicit(&crashed, true, memory_order_seq_cst);
}

/* The program's functions begin with a call of this (mlir-lowering/src/stack_checks.rs), with the stack as their
 * caller has left it. */
void futc_check_stack(void);
void futc_check_stack(void) {
  if ((uintptr_t)__builtin_frame_address(0) < stack_limit) {
    futc_js_unwind(FUTC_OVERFLOWED);
  }
}

void futc_check_workers(void) {
  if (!futc_is_worker && atomic_load_explicit(&crashed, memory_order_relaxed)) {
    futc_js_crash();
  }
}

/* ---- What the pool calls. ---- */

static uintptr_t rounded_up(uintptr_t x, uintptr_t unit) {
  return (x + unit - 1) / unit * unit;
}

static bool furnish(int32_t i) {
  uintptr_t alignment = __builtin_wasm_tls_align();
  alignment = alignment < STACK_ALIGNMENT ? STACK_ALIGNMENT : alignment;
  uintptr_t tls_bytes = rounded_up(__builtin_wasm_tls_size(), alignment);
  rooms[i] = malloc(alignment + STACK + tls_bytes);
  if (rooms[i] == NULL) {
    return false;
  }
  uintptr_t bottom = rounded_up((uintptr_t)rooms[i], alignment);
  seats[i].stack_bottom = bottom;
  seats[i].stack_top = rounded_up(bottom + STACK - alignment, alignment);
  seats[i].tls = seats[i].stack_top;
  return true;
}

static void call(struct futc_seat *seat) {
  atomic_store_explicit(&seat->state, FUTC_SEAT_CALLED, memory_order_seq_cst);
  futc_futex_wake(&seat->state);
}

/* A worker that has not begun yet needs not. */
static bool call_off(struct futc_seat *seat) {
  uint32_t state = FUTC_SEAT_CALLED;
  return atomic_compare_exchange_strong_explicit(&seat->state, &state, FUTC_SEAT_FREE,
                                                 memory_order_seq_cst, memory_order_seq_cst);
}

void futc_threads_start(int32_t first, int32_t behind, futc_thread_fn *body) {
  if (num_seats == 0) {
    thread_body = body;
  }
  for (int32_t i = first; i < behind && furnish(i); i++) {
    num_seats = i + 1;
    call(&seats[i]);
    if (futc_js_start_thread(i) == 0) {
      (void)call_off(&seats[i]);
      return;
    }
  }
}

void futc_threads_join(void) {
  for (int32_t i = 0; i < num_seats; i++) {
    struct futc_seat *seat = &seats[i];
    if (!call_off(seat)) {
      while (atomic_load_explicit(&seat->state, memory_order_acquire) == FUTC_SEAT_TAKEN) {
        futc_futex_wait(&seat->state, FUTC_SEAT_TAKEN);
      }
    }
    free(rooms[i]);
    rooms[i] = NULL;
  }
  num_seats = 0;
}

void futc_threads_forget(void) {
}

bool futc_threads_watch_forks(void (*before)(void), void (*after)(void), void (*in_child)(void)) {
  (void)before, (void)after, (void)in_child;
  return true;
}
