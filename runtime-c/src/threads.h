/* Threads of the system, for the pool: starting them and waiting for their end. */
#ifndef FUTC_THREADS_H
#define FUTC_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* What thread `number` of the pool does, from 0. */
typedef void futc_thread_fn(int32_t number);

/* Starts the threads from `first` to below `behind`, or as many of them as the system has, which is no error. None of
 * them runs, and `body` is the same at each call until all were joined. */
void futc_threads_start(int32_t first, int32_t behind, futc_thread_fn *body);
/* Waits for the end of all that were started. */
void futc_threads_join(void);
/* They do not exist any more: in the child of a fork. */
void futc_threads_forget(void);

/* From here on this thread can access what others had allocated before they let it know. Where threads share
 * the system's memory they can anyway. */
void futc_threads_see_memory(void);

/* From now on forks call these; false if there is nothing that could. */
bool futc_threads_watch_forks(void (*before)(void), void (*after)(void), void (*in_child)(void));

#endif
