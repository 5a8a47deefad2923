/* Counts and times of parallel loops by site, while profiling is on. Each thread counts for
 * itself. */
#ifndef FUTC_LOOP_PROFILE_H
#define FUTC_LOOP_PROFILE_H

#include "context.h"

struct futc_loop_counts {
  int64_t forked;      /* loops */
  int64_t nanoseconds; /* of forked loops, from begin to end, at the caller */
  int64_t waited_ns;   /* of these, for other threads at the end */
  int64_t busy_ns;     /* of all threads, in chunks */
  int64_t chunks;
  int64_t assisted; /* chunks run by other threads than the caller */
};

/* Adds to what this thread has counted at the site; does nothing out of memory. */
void futc_loop_profile_add(struct futc_context *ctx, const struct futc_site *site,
                           const struct futc_loop_counts *counts);
/* Shows `each` all sites, the threads' counts added up. Of a root, outside of loops. */
void futc_loop_profile_report(const struct futc_context *root,
                              void (*each)(const char *loc, const struct futc_loop_counts *counts,
                                           void *with),
                              void *with);
void futc_loop_profile_clear(struct futc_context *root);
void futc_loop_profile_close(struct futc_loop_profile *p);

#endif
