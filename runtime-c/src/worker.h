/* What a context knows of parallel loops.
 *
 * Each thread of the pool that runs chunks for a context has a context of its own, with the same
 * program and globals and its own heap, handler and error: that is what the chunks are given. The
 * one that the user opened is their root; the thread that called the entry point uses that.
 */
#ifndef FUTC_WORKER_H
#define FUTC_WORKER_H

#include "block.h"
#include "board.h"

struct futc_context;
struct futc_loop_profile;

struct futc_worker {
  struct futc_context *root; /* itself, of a root */
  int32_t number;            /* 0 of a root, below `threads` */
  int32_t threads;           /* that its loops use; 0: not yet known */
  int32_t depth;             /* loops that this thread has published */
  uint32_t calls;            /* of loops that were not forked, for sampling */
  double passed_over_ns;     /* in loops too short to wake anyone, since somebody was woken */
  double patience_ns;        /* until somebody is */
  bool impatient;            /* the next loop that is forked wakes others, though it is short */
  bool helped;               /* since then, others came to some loop */
  struct futc_loop *loop;    /* whose chunk it runs, or NULL */
  struct futc_thread *thread; /* on the board; of a root only while one of its loops is forked */
  /* Of a root, once a loop has been forked; [i] is made by thread i when it first comes. */
  struct futc_context **contexts;
  struct futc_heap_family family;
  struct futc_loop_profile *profile; /* by site, or NULL */
};

/* For a root. `threads` as in futc_config; false with the context's error if it is out of range or
 * the environment says nonsense. */
bool futc_worker_open(struct futc_context *root);
/* Frees the workers' contexts; of a root after its last loop. */
void futc_worker_close(struct futc_context *root);

/* Finds out how many threads there are to be, which may read files. Of a root or a worker. */
int32_t futc_worker_threads(struct futc_context *ctx);
/* Makes room for the workers' contexts, once: false out of memory. Of a root. */
bool futc_worker_prepare(struct futc_context *root);
/* The context of thread `number`, to be called by that thread; NULL out of memory. */
struct futc_context *futc_worker_context(struct futc_context *root, int32_t number);

#endif
