/* The process's pool of threads: starting, sleeping, waking, stopping.
 *
 * Idle threads look at the board for some tens of microseconds, then sleep.
 *
 * A process that forks has no threads in the child: there they are started again at need. Contexts
 * that were in a call during the fork cannot be used in the child.
 */
#include "pool.h"

#include "clock.h"
#include "cpus.h"
#include "futex.h"
#include "overflow.h"
#include "rest.h"
#include "spread.h"
#include "threads.h"

#include <pthread.h>
#include <sched.h>

#define SPIN_TURNS 64       /* between two looks at the clock */
#define CROWDED_TURNS 4     /* yielding to other threads each time */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t users;
static futc_assist_fn *assist;
static bool fork_handled;
static _Atomic int32_t pool_size;
static _Atomic bool stopping;
static _Atomic bool crowded;

int32_t futc_pool_size(void) {
  return atomic_load_explicit(&pool_size, memory_order_relaxed);
}

/* ---- Waiting. ---- */

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

bool futc_spin(struct futc_spin *s) {
  s->turns++;
  if (atomic_load_explicit(&crowded, memory_order_relaxed)) {
    (void)sched_yield();
    return s->turns < CROWDED_TURNS;
  }
  pause_briefly();
  if (s->turns % SPIN_TURNS != 0) {
    return true;
  }
  int64_t now = futc_clock_ns();
  if (s->since == 0) {
    s->since = now;
  }
  return now - s->since < FUTC_SPIN_NS;
}

/* ---- Starting and stopping. ---- */

/* Not if there are more threads than processors. */
static void spread(struct futc_thread *self) {
  if (!atomic_load_explicit(&crowded, memory_order_relaxed)) {
    int32_t waker = atomic_load_explicit(&self->waker, memory_order_relaxed);
    futc_spread(self, waker, futc_pool_size());
  }
}

static void work(struct futc_thread *self, int32_t number) {
  struct futc_spin spin = {0};
  spread(self);
  while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
    if (assist(self, number)) {
      spin = (struct futc_spin){0};
    } else if (!futc_spin(&spin)) {
      futc_rest(self, number, &stopping);
      spread(self);
      spin = (struct futc_spin){0};
    }
  }
}

static void run_worker(int32_t i) {
  futc_enter_runtime();
  work(futc_board_worker(i), i + 1);
}

static void before_fork(void) {
  (void)pthread_mutex_lock(&lock);
}

static void after_fork(void) {
  (void)pthread_mutex_unlock(&lock);
}

static void in_child(void) {
  futc_threads_forget();
  atomic_store(&pool_size, 0);
  futc_rest_clear();
  futc_board_clear();
  (void)pthread_mutex_unlock(&lock);
}

void futc_pool_enter(void) {
  (void)pthread_mutex_lock(&lock);
  users++;
  if (!fork_handled) {
    fork_handled = futc_threads_watch_forks(before_fork, after_fork, in_child);
  }
  (void)pthread_mutex_unlock(&lock);
}

void futc_pool_start(int32_t threads, futc_assist_fn *function) {
  (void)pthread_mutex_lock(&lock);
  int32_t before = futc_pool_size();
  int32_t wanted = threads - 1 < FUTC_MAX_THREADS ? threads - 1 : FUTC_MAX_THREADS;
  if (wanted > before) {
    if (before == 0) {
      assist = function;
    }
    if (!atomic_load_explicit(&crowded, memory_order_relaxed)) {
      atomic_store_explicit(&crowded, threads > futc_usable_cpus(), memory_order_relaxed);
    }
    for (int32_t i = before; i < wanted; i++) {
      atomic_store_explicit(&futc_board_worker(i)->waker, futc_spread_here(),
                            memory_order_relaxed);
    }
    atomic_store_explicit(&pool_size, wanted, memory_order_seq_cst);
    futc_threads_start(before, wanted, run_worker);
  }
  (void)pthread_mutex_unlock(&lock);
}

static void stop(void) {
  atomic_store_explicit(&stopping, true, memory_order_seq_cst);
  for (int32_t i = 0; i < futc_pool_size(); i++) {
    if (futc_rest_end(futc_board_worker(i))) {
      futc_futex_wake(&futc_board_worker(i)->rest);
    }
  }
  futc_threads_join();
  atomic_store(&stopping, false);
  atomic_store(&crowded, false);
  atomic_store(&pool_size, 0);
}

void futc_pool_leave(void) {
  (void)pthread_mutex_lock(&lock);
  users--;
  if (users == 0 && futc_pool_size() > 0) {
    stop();
  }
  (void)pthread_mutex_unlock(&lock);
}
