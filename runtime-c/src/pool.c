/* The process's pool of threads: starting, sleeping, waking, stopping.
 *
 * Each thread starts up to two others before it looks for work, so that the caller of the first
 * loop pays for one, and joins them at its end. Idle threads look at the board for some tens of
 * microseconds, then sleep.
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

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#define SPIN_TURNS 64       /* between two looks at the clock */
#define CROWDED_TURNS 4     /* yielding to other threads each time */
#define LEAST_STACK (INT64_C(8) << 20)
#define MOST_STACK (INT64_C(256) << 20)
#define GUARD (1 << 20) /* functions make room for all their variables at once */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t users;
static futc_assist_fn *assist;
static int32_t num_roots;
static pthread_t roots[FUTC_MAX_THREADS];
/* Thread i starts those from i + 1 to below `until[i]`. */
static int32_t until[FUTC_MAX_THREADS];
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

static void *run_thread(void *argument);

static int64_t stack_bytes(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur <= (rlim_t)LEAST_STACK) {
    return LEAST_STACK;
  }
  return limit.rlim_cur < (rlim_t)MOST_STACK ? (int64_t)limit.rlim_cur : MOST_STACK;
}

/* Threads of the pool take no signals but those they cause. */
static bool start_one(pthread_t *thread, int32_t first, int32_t behind) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  (void)pthread_attr_setstacksize(&attributes, (size_t)stack_bytes() + GUARD);
  (void)pthread_attr_setguardsize(&attributes, GUARD);
  sigset_t all;
  sigset_t before;
  (void)sigfillset(&all);
  (void)sigdelset(&all, SIGSEGV);
  (void)sigdelset(&all, SIGBUS);
  (void)sigdelset(&all, SIGFPE);
  (void)sigdelset(&all, SIGILL);
  (void)pthread_sigmask(SIG_BLOCK, &all, &before);
  until[first] = behind;
  bool started =
      pthread_create(thread, &attributes, run_thread, (void *)(uintptr_t)(uint32_t)first) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)pthread_attr_destroy(&attributes);
  return started;
}

static void work(struct futc_thread *self, int32_t number) {
  struct futc_spin spin = {0};
  while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
    if (assist(self, number)) {
      spin = (struct futc_spin){0};
    } else if (!futc_spin(&spin)) {
      futc_rest(self, number, &stopping);
      spin = (struct futc_spin){0};
    }
  }
}

static void *run_thread(void *argument) {
  int32_t i = (int32_t)(uint32_t)(uintptr_t)argument;
  int32_t rest = until[i] - (i + 1);
  pthread_t children[2];
  int32_t num_children = 0;
  int32_t middle = i + 1 + (rest + 1) / 2;
  if (rest > 0 && start_one(&children[num_children], i + 1, middle)) {
    num_children++;
  }
  if (rest > 1 && start_one(&children[num_children], middle, until[i])) {
    num_children++;
  }
  struct futc_signal_stack stack;
  futc_enter_runtime();
  futc_watch_thread(&stack);
  work(futc_board_worker(i), i + 1);
  futc_unwatch_thread(&stack);
  for (int32_t k = 0; k < num_children; k++) {
    (void)pthread_join(children[k], NULL);
  }
  return NULL;
}

static void before_fork(void) {
  (void)pthread_mutex_lock(&lock);
}

static void after_fork(void) {
  (void)pthread_mutex_unlock(&lock);
}

static void in_child(void) {
  num_roots = 0;
  atomic_store(&pool_size, 0);
  futc_rest_clear();
  futc_board_clear();
  (void)pthread_mutex_unlock(&lock);
}

void futc_pool_enter(void) {
  (void)pthread_mutex_lock(&lock);
  users++;
  if (!fork_handled) {
    fork_handled = pthread_atfork(before_fork, after_fork, in_child) == 0;
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
    atomic_store_explicit(&pool_size, wanted, memory_order_seq_cst);
    if (start_one(&roots[num_roots], before, wanted)) {
      num_roots++;
    }
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
  for (int32_t i = 0; i < num_roots; i++) {
    (void)pthread_join(roots[i], NULL);
  }
  num_roots = 0;
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
