/* Threads of one process each on a processor of its own.
 *
 * Where other processes are busy now and then, the system puts a thread that is woken beside the one that woke it, and takes up
 * to 25 ms, which is more than many programs take, to move it away. On some machines it does so with every other wake, and
 * a thread that is woken there does not even run before the other one has used up its time (3 ms). Two threads on one processor are
 * slower than one alone. So threads that go to sleep say that they cannot be on processors where others are awake, and those
 * that find themselves on one nevertheless move.
 *
 * What threads say of where they are is out of date at times; then one moves in vain, or does not. All may go anywhere
 * while they are awake.
 *
 * Affinities that others set while a thread sleeps stay, unless they are the very one that it sleeps with. A thread that
 * has had one of its own does not follow a container that is given more processors.
 */
#include "spread.h"

#ifdef __linux__

#include <sched.h>

/* Processors with higher numbers are left to the system. */
#define MOST CPU_SETSIZE

int32_t futc_spread_here(void) {
  return sched_getcpu() + 1;
}

static bool is_known(int32_t cpu) {
  return cpu > 0 && cpu <= MOST;
}

void futc_spread_note(struct futc_thread *self) {
  atomic_store_explicit(&self->cpu, futc_spread_here(), memory_order_relaxed);
}

/* The processors of `cpus` less those where the pool's threads and hosts but `self` are awake. */
static cpu_set_t without_others(const struct futc_thread *self, int32_t workers,
                                const cpu_set_t *cpus) {
  cpu_set_t unused = *cpus;
  int32_t hosts = futc_board_hosts();
  for (int32_t i = 0; i < hosts + workers; i++) {
    struct futc_thread *t = i < hosts ? &futc_board[i] : futc_board_worker(i - hosts);
    int32_t cpu = atomic_load_explicit(&t->cpu, memory_order_relaxed);
    if (t != self && is_known(cpu) &&
        atomic_load_explicit(&t->rest, memory_order_relaxed) != FUTC_IDLE &&
        (i >= hosts || atomic_load_explicit(&t->taken, memory_order_relaxed))) {
      CPU_CLR((size_t)cpu - 1, &unused);
    }
  }
  return unused;
}

/* ---- Sleeping. ---- */

static _Thread_local cpu_set_t awake;
static _Thread_local cpu_set_t asleep;
static _Thread_local bool apart;

void futc_spread_before_sleep(const struct futc_thread *self, int32_t workers) {
  int32_t here = futc_spread_here();
  if (!is_known(here) || sched_getaffinity(0, sizeof awake, &awake) != 0 ||
      CPU_COUNT(&awake) <= workers) {
    return;
  }
  asleep = without_others(self, workers, &awake);
  CPU_SET((size_t)here - 1, &asleep);
  apart = !CPU_EQUAL(&asleep, &awake) && sched_setaffinity(0, sizeof asleep, &asleep) == 0;
}

void futc_spread_after_sleep(void) {
  cpu_set_t now;
  if (apart && sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &asleep)) {
    (void)sched_setaffinity(0, sizeof awake, &awake);
  }
  apart = false;
}

/* ---- Moving. ---- */

void futc_spread_allow(int32_t cpu) {
  cpu_set_t all;
  if (is_known(cpu) && sched_getaffinity(0, sizeof all, &all) == 0) {
    CPU_SET((size_t)cpu - 1, &all);
    (void)sched_setaffinity(0, sizeof all, &all);
  }
}

void futc_spread(struct futc_thread *self, int32_t waker, int32_t workers) {
  futc_spread_note(self);
  int32_t here = atomic_load_explicit(&self->cpu, memory_order_relaxed);
  cpu_set_t allowed;
  if (!is_known(here) || sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return;
  }
  cpu_set_t unused = without_others(self, workers, &allowed);
  if (is_known(waker)) {
    CPU_CLR((size_t)waker - 1, &unused);
  }
  for (int32_t step = 0; step < MOST; step++) {
    size_t cpu = (size_t)(here - 1 + step) % MOST;
    if (CPU_ISSET(cpu, &unused)) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      if (step > 0 && sched_setaffinity(0, sizeof one, &one) == 0) {
        atomic_store_explicit(&self->cpu, (int32_t)cpu + 1, memory_order_relaxed);
        (void)sched_setaffinity(0, sizeof allowed, &allowed);
      }
      return;
    }
  }
}

#else

int32_t futc_spread_here(void) {
  return 0;
}

void futc_spread_note(struct futc_thread *self) {
  (void)self;
}

void futc_spread_before_sleep(const struct futc_thread *self, int32_t workers) {
  (void)self;
  (void)workers;
}

void futc_spread_after_sleep(void) {
}

void futc_spread_allow(int32_t cpu) {
  (void)cpu;
}

void futc_spread(struct futc_thread *self, int32_t waker, int32_t workers) {
  (void)self;
  (void)waker;
  (void)workers;
}

#endif
