/* Threads of one process each on a processor of its own. */
#ifndef FUTC_SPREAD_H
#define FUTC_SPREAD_H

#include "board.h"

/* The processor of the calling thread, from 1 on; 0 if that is not known. */
int32_t futc_spread_here(void);
/* By a thread of the pool that begins or has been woken by a thread on processor `waker`, as above: if it is on that
 * processor, or on one of another thread of the pool that is awake, it moves to one that none of these is on. Of the pool's
 * threads there are `workers`. */
void futc_spread(struct futc_thread *self, int32_t waker, int32_t workers);

#endif
