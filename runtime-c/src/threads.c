/* Threads of POSIX, for the pool.
 *
 * Each thread starts up to two others before it looks for work, so that the caller of the first
 * loop pays for one, and joins them at its end. On the processor of the thread that starts it, a thread would not run
 * before that one has used up its time (3 ms on Linux): so it begins elsewhere.
 */
#include "threads.h"

#include "board.h"
#include "overflow.h"
#include "spread.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#define LEAST_STACK (INT64_C(8) << 20)
#define MOST_STACK (INT64_C(256) << 20)
#define GUARD (1 << 20) /* functions make room for all their variables at once */

static futc_thread_fn *thread_body;
static int32_t num_roots;
static pthread_t roots[FUTC_MAX_THREADS];
/* Thread i starts those from i + 1 to below `until[i]`. */
static int32_t until[FUTC_MAX_THREADS];
/* The processor that it must not begin on, from 1 on; or 0. */
static int32_t apart_from[FUTC_MAX_THREADS];

static void *run_thread(void *argument);

static int64_t stack_bytes(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur <= (rlim_t)LEAST_STACK) {
    return LEAST_STACK;
  }
  return limit.rlim_cur < (rlim_t)MOST_STACK ? (int64_t)limit.rlim_cur : MOST_STACK;
}

/* ---- Where threads begin: the GNU C library alone has attributes for that. ---- */

#ifdef __GLIBC__

/* Not on the caller's processor, which is returned, if there are others that the caller may be on; else 0. */
static int32_t begin_elsewhere(pthread_attr_t *attributes) {
  int32_t here = futc_spread_here();
  cpu_set_t others;
  if (here <= 0 || here > CPU_SETSIZE || sched_getaffinity(0, sizeof others, &others) != 0) {
    return 0;
  }
  CPU_CLR((size_t)here - 1, &others);
  bool set = CPU_COUNT(&others) > 0 &&
             pthread_attr_setaffinity_np(attributes, sizeof others, &others) == 0;
  return set ? here : 0;
}

#else

static int32_t begin_elsewhere(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

#endif

/* ---- Starting. ---- */

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
  apart_from[first] = begin_elsewhere(&attributes);
  bool started =
      pthread_create(thread, &attributes, run_thread, (void *)(uintptr_t)(uint32_t)first) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)pthread_attr_destroy(&attributes);
  return started;
}

static void *run_thread(void *argument) {
  int32_t i = (int32_t)(uint32_t)(uintptr_t)argument;
  futc_spread_allow(apart_from[i]);
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
  futc_watch_thread(&stack);
  thread_body(i);
  futc_unwatch_thread(&stack);
  for (int32_t k = 0; k < num_children; k++) {
    (void)pthread_join(children[k], NULL);
  }
  return NULL;
}

void futc_threads_start(int32_t first, int32_t behind, futc_thread_fn *function) {
  if (num_roots == 0) {
    thread_body = function;
  }
  if (start_one(&roots[num_roots], first, behind)) {
    num_roots++;
  }
}

void futc_threads_join(void) {
  for (int32_t i = 0; i < num_roots; i++) {
    (void)pthread_join(roots[i], NULL);
  }
  num_roots = 0;
}

void futc_threads_forget(void) {
  num_roots = 0;
}

void futc_threads_see_memory(void) {
}

bool futc_threads_watch_forks(void (*before)(void), void (*after)(void), void (*in_child)(void)) {
  return pthread_atfork(before, after, in_child) == 0;
}
