/* How much work a loop is, and into what it is cut. */
#ifndef FUTC_GRAIN_H
#define FUTC_GRAIN_H

#include "futc_program.h"

#include <math.h>

/* Below this, a loop is not forked. */
#define FUTC_FORK_NS 2000.0
/* Below this, a loop inside of another is not forked. */
#define FUTC_FORK_INNER_NS 20000.0
/* Below this, sleeping threads would come too late: a loop is forked only if others are awake. */
#define FUTC_WAKE_NS 100000.0
/* Below this, a loop may take longer forked than not: that is looked at. */
#define FUTC_DOUBTFUL_NS 100000.0
/* When so much has been passed over for that reason, or done by fewer threads than would find some work, threads
 * are woken all the same, as there may be many such loops in a row; the longer it takes until next time if they were
 * of no use. */
#define FUTC_PATIENCE_NS 200000.0
#define FUTC_MOST_PATIENCE_NS 1e7
/* What is shorter than that has not been measured. */
#define FUTC_MEASURABLE_NS 1000

#define FUTC_MAX_PIECES 64

/* In picoseconds, of an iteration of which the compiler knows nothing. */
#define FUTC_UNKNOWN_COST 1000

/* By what estimates at the site are to be multiplied; 0 if it was never measured. */
static inline float futc_grain_scale(const struct futc_site *site) {
  float scale;
  __atomic_load(&site->scale, &scale, __ATOMIC_RELAXED);
  return scale;
}

/* The time that `n` iterations take on one thread, in nanoseconds; infinite if nothing is known. */
static inline double futc_grain_estimate(float scale, int64_t n, int64_t cost) {
  if (scale == 0) {
    return cost <= 0 ? HUGE_VAL : (double)n * (double)cost * 1e-3;
  }
  return (double)n * (double)(cost <= 0 ? FUTC_UNKNOWN_COST : cost) * 1e-3 * (double)scale;
}

/* `n` iterations took one thread so long. True if that is far more than thought: the next call had
 * better be measured, too. */
bool futc_grain_learn(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds);

/* The same of a call of all iterations, which was not forked. */
bool futc_grain_learn_alone(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds);

/* A forked loop of `n` iterations took so long, with others' help. If that is no gain over what one thread takes, calls
 * are held, the more of them the more often that was so. */
void futc_grain_judge(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds);

/* How many calls are not to be forked, with this one if that is not 0; it is counted. */
uint32_t futc_grain_held(struct futc_site *site);

/* The range is cut into pieces, each piece into chunks: piece p begins at p * piece. */
struct futc_cut {
  int64_t piece;
  int64_t chunk;
  int32_t num_pieces;
};
struct futc_cut futc_grain_cut(const struct futc_site *site, int64_t n, double nanoseconds,
                               int32_t threads);

#endif
