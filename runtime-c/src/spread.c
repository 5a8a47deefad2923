/* Threads of one process each on a processor of its own.
 *
 * Where other processes are busy now and then, the system puts a thread that is woken beside the one that woke it, and takes up
 * to 25 ms, which is more than many programs take, to move it away. Two threads on one processor are slower than one alone.
 *
 * What threads say of where they are is out of date at times; then one moves in vain, or does not. All may go anywhere
 * afterwards.
 */
#include "spread.h"

#ifdef __linux__

#include <sched.h>

/* Processors with higher numbers are left to the system. */
#define MOST CPU_SETSIZE

int32_t futc_spread_here(void) {
  return sched_getcpu() + 1;
}

static bool awake_on(struct futc_thread *t, int32_t *cpu) {
  *cpu = atomic_load_explicit(&t->cpu, memory_order_relaxed);
  return *cpu > 0 && *cpu <= MOST &&
         atomic_load_explicit(&t->rest, memory_order_relaxed) != FUTC_IDLE;
}

void futc_spread(struct futc_thread *self, int32_t waker, int32_t workers) {
  int32_t here = futc_spread_here();
  atomic_store_explicit(&self->cpu, here, memory_order_relaxed);
  bool shared = here == waker;
  int32_t other;
  for (int32_t i = 0; i < workers && !shared; i++) {
    struct futc_thread *t = futc_board_worker(i);
    shared = t != self && awake_on(t, &other) && other == here;
  }
  cpu_set_t allowed;
  if (!shared || here <= 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return;
  }
  cpu_set_t unused = allowed;
  CPU_CLR((size_t)here - 1, &unused);
  if (waker > 0 && waker <= MOST) {
    CPU_CLR((size_t)waker - 1, &unused);
  }
  for (int32_t i = 0; i < workers; i++) {
    struct futc_thread *t = futc_board_worker(i);
    if (t != self && awake_on(t, &other)) {
      CPU_CLR((size_t)other - 1, &unused);
    }
  }
  for (int32_t step = 0; step < MOST; step++) {
    size_t cpu = (size_t)(here + step) % MOST;
    if (CPU_ISSET(cpu, &unused)) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      if (sched_setaffinity(0, sizeof one, &one) == 0) {
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

void futc_spread(struct futc_thread *self, int32_t waker, int32_t workers) {
  (void)self;
  (void)waker;
  (void)workers;
}

#endif
