/* Running a parallel loop: what the loops and scans of compiled code share. */
#ifndef FUTC_LOOP_H
#define FUTC_LOOP_H

#include "context.h"
#include "grain.h"

struct futc_plan {
  struct futc_cut cut;
  int64_t weight;     /* iterations of the site in one of the loop's */
  double nanoseconds; /* estimated */
};

/* Runs body for the chunks of [0, n) as planned; fails as futc_parallel_for does. False, and
 * nothing has been done, if it cannot: too many threads or loops inside of loops, or out of
 * memory. */
bool futc_loop_fork(struct futc_context *ctx, struct futc_site *site, const struct futc_plan *plan,
                    futc_body_fn body, void *env, int64_t n, int64_t cost);

/* Whether a loop of so much work is worth forking now, and whether a call that is not forked is to be measured to tell that. */
enum futc_pays { FUTC_PAYS_NOT, FUTC_PAYS_PERHAPS, FUTC_PAYS };
enum futc_pays futc_loop_pays(struct futc_context *ctx, struct futc_site *site, double nanoseconds);

/* Whether to wake others although a loop is short, as many like it went by while too many slept. */
bool futc_loop_is_impatient(struct futc_worker *w, double nanoseconds);

/* Wakes another wakes in turn: more would keep it from its work. */
#define FUTC_WAKES_AT_ONCE 2

/* Calls that are not forked, of which one is measured. */
#define FUTC_SAMPLE 64

/* Whether this call, which is not forked, is one to be measured. */
static inline bool futc_loop_samples(struct futc_context *ctx, float scale) {
  return ctx->worker.calls++ % FUTC_SAMPLE == 0 || scale == 0;
}

/* Inside of a body of futc_loop_fork: the least index of a chunk that has failed, or INT64_MAX. */
int64_t futc_loop_failed_from(const struct futc_context *ctx);

#endif
