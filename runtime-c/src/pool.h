/* The process's pool of threads. */
#ifndef FUTC_POOL_H
#define FUTC_POOL_H

#include "board.h"

/* What a thread of the pool does when it is awake: assists one loop, if there is any for it, and
 * says whether there was. Thread i of the pool has number i + 1; number 0 is who calls. */
typedef bool futc_assist_fn(struct futc_thread *self, int32_t number);

/* One more context uses the pool. The last that leaves stops all threads and waits for their end;
 * none of its loops may be running. */
void futc_pool_enter(void);
void futc_pool_leave(void);

/* Starts threads until there are `threads` with the caller. If the system has no more, there are
 * fewer, which is no error. */
void futc_pool_start(int32_t threads, futc_assist_fn *assist);
/* What was asked for so far, less the callers. */
int32_t futc_pool_size(void);

/* How many of them sleep. */
int32_t futc_pool_sleeping(void);
/* Wakes up to `count` of the threads with numbers below `threads`; says how many. */
int32_t futc_pool_wake(int32_t count, int32_t threads);

/* Waiting for something that comes soon: busily for so long, unless there are
 * more threads than processors. `futc_spin` says false when it is time to sleep. */
#define FUTC_SPIN_NS 40000
struct futc_spin {
  int32_t turns;
  int64_t since;
};
bool futc_spin(struct futc_spin *s);

#endif
