/* Sleeping for want of loops, and waking. */
#ifndef FUTC_REST_H
#define FUTC_REST_H

#include "pool.h"

/* Sleeps until somebody wakes this thread; not at all if there is a loop for it, or it shall
 * stop. */
void futc_rest(struct futc_thread *self, int32_t number, const _Atomic bool *stopping);
/* Takes its rest from a thread that sleeps like that: true if this caller was it, who then wakes
 * it. */
bool futc_rest_end(struct futc_thread *t);
/* Forgets all, in the child of a fork. */
void futc_rest_clear(void);

#endif
