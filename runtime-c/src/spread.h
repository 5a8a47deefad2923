/* Threads of one process each on a processor of its own. */
#ifndef FUTC_SPREAD_H
#define FUTC_SPREAD_H

#include "board.h"

/* The processor of the calling thread, from 1 on; 0 if that is not known. */
int32_t futc_spread_here(void);
/* Where the calling thread is from now on, for others to see. */
void futc_spread_note(struct futc_thread *self);

/* Around sleeping, by a thread that has been noted: the system will wake it where no other thread of the pool is awake, and
 * no host, if there is such a processor. Of the pool's threads there are `workers`; if these and a host are more than
 * processors, nothing is done. */
void futc_spread_before_sleep(const struct futc_thread *self, int32_t workers);
void futc_spread_after_sleep(void);

/* The calling thread may be on processor `cpu`, too, from now on. Nothing for 0. */
void futc_spread_allow(int32_t cpu);

/* By a thread of the pool that begins or has been woken by a thread on processor `waker`, as above: if it is on that
 * processor, or on one of another thread of the pool that is awake, it moves to one that none of these is on. Of the pool's
 * threads there are `workers`. */
void futc_spread(struct futc_thread *self, int32_t waker, int32_t workers);

#endif
