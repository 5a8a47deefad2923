/* Granularity.
 *
 * The compiler's estimate of an iteration is multiplied by what measurements at the site have shown
 * it to be wrong by, averaged over time. The number is shared by all threads and only a hint: it is
 * read and written without order, and written only if it changes by much.
 *
 * Short loops may take longer when they are shared, as data have to come from other cores' caches. So a site also has
 * the mean of what calls took that one thread ran alone, and of those that others came to. While the second is no less
 * by some share, calls are held: one thread runs them. Then a few are forked again, as things may have changed. Both are
 * hints, too: threads that forget each other's measurements do no harm.
 */
#include "grain.h"

#define MOST_STEP 8.0F
#define LEAST_SCALE 1e-30F
#define CHUNK_NS 5000.0
/* Of static pieces, so that what a late thread leaves can be taken over in parts. */
#define CHUNKS_OF_PIECE 16
#define LEAST_PIECE_NS 1000.0
/* Of self-scheduled loops. */
#define CHUNKS_OF_THREAD 16
/* Pieces and chunks of many iterations begin at multiples of this, for the sake of vectors and of
 * lines written by one thread. */
#define ROUND 64
#define ROUND_FROM 1024

static float load(const float *x) {
  float value;
  __atomic_load(x, &value, __ATOMIC_RELAXED);
  return value;
}

static void store(float *x, float value) {
  __atomic_store(x, &value, __ATOMIC_RELAXED);
}

/* A mean of what was measured last, where nothing counts for more than `most`: a thread may have been kept from running. */
static float averaged(float before, float measured, float most) {
  measured = measured < most ? measured : most;
  return before == 0 ? measured : before + (measured - before) / 8;
}

static float ratio(int64_t n, int64_t cost, int64_t nanoseconds) {
  return (float)((double)nanoseconds / futc_grain_estimate(1.0F, n, cost));
}

/* A time may be too long, if the thread was kept from running, but not too short: so upwards it
 * goes in steps, downwards faster. What is hardly measurable can only lower it. */
bool futc_grain_learn(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds) {
  float before = futc_grain_scale(site);
  float measured = ratio(n, cost, nanoseconds);
  bool surprise = false;
  float now = before;
  if (before == 0) {
    now = nanoseconds < FUTC_MEASURABLE_NS ? 1.0F : measured;
  } else if (measured < before) {
    now = before + (measured - before) / 2;
  } else if (nanoseconds >= FUTC_MEASURABLE_NS) {
    surprise = measured > before * MOST_STEP;
    now = surprise ? before * MOST_STEP : before + (measured - before) / 4;
  }
  now = now > LEAST_SCALE ? now : LEAST_SCALE;
  if (now < before * 0.9F || now > before * 1.1F) {
    __atomic_store(&site->scale, &now, __ATOMIC_RELAXED);
  }
  return surprise;
}

bool futc_grain_learn_alone(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds) {
  float before = load(&site->alone);
  float most = before == 0 ? HUGE_VALF : before * MOST_STEP;
  store(&site->alone, averaged(before, ratio(n, cost, nanoseconds), most));
  return futc_grain_learn(site, n, cost, nanoseconds);
}

/* Bits of what is held: calls that are not to be forked; forked ones since such calls; how often forking was of no use, less
 * how often it was. */
#define HELD UINT32_C(0xfff)
#define FORKS_SHIFT 12
#define LEVEL_SHIFT 28
#define FORKS UINT32_C(0xffff)
#define MOST_LEVEL 10
/* What forking takes of one thread's time at most, if it pays: what others have written comes back late. */
#define GAIN 0.85F
/* Calls that are forked before that is looked at, and before one is not forked to be measured: seldom, and rarely of what
 * gains much, which takes less than so much of the time. */
#define TRIALS 4
/* So many calls are not forked then: at the first, data are still in others' caches. */
#define SAMPLES 3
#define SELDOM 128
#define MUCH 0.7F
#define RARELY 1000

void futc_grain_judge(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds) {
  uint32_t before = __atomic_load_n(&site->held, __ATOMIC_RELAXED);
  uint32_t level = before >> LEVEL_SHIFT;
  uint32_t forks = (before >> FORKS_SHIFT & FORKS) + 1;
  float alone = load(&site->alone);
  float forked = averaged(load(&site->forked), ratio(n, cost, nanoseconds), 2 * alone);
  uint32_t held = 0;
  if (alone == 0) {
    held = SAMPLES;
  } else if (forks >= TRIALS && forked > GAIN * alone) {
    level += level < MOST_LEVEL;
    held = UINT32_C(1) << level;
    forked = 0;
  } else if (forks >= (forked > MUCH * alone ? SELDOM : RARELY)) {
    level -= level > 0;
    held = SAMPLES;
  }
  forks = held > 0 ? 0 : forks;
  store(&site->forked, forked);
  uint32_t now = level << LEVEL_SHIFT | forks << FORKS_SHIFT | held;
  __atomic_store_n(&site->held, now, __ATOMIC_RELAXED);
}

uint32_t futc_grain_held(struct futc_site *site) {
  uint32_t before = __atomic_load_n(&site->held, __ATOMIC_RELAXED);
  if ((before & HELD) != 0) {
    __atomic_store_n(&site->held, before - 1, __ATOMIC_RELAXED);
  }
  return before & HELD;
}

static int64_t at_least(int64_t x, int64_t least) {
  return x > least ? x : least;
}

static int64_t at_most(int64_t x, int64_t most) {
  return x < most ? x : most;
}

static int64_t quotient_up(int64_t n, int64_t d) {
  return n / d + (n % d != 0 ? 1 : 0);
}

/* `x` rounded up to the site's unit, and to lines if it is large. Beyond `n` it does not matter. */
static int64_t rounded(const struct futc_site *site, int64_t x, int64_t n) {
  int64_t unit = at_least(site->unit, 1);
  if (x >= ROUND_FROM && unit < ROUND && ROUND % unit == 0) {
    unit = ROUND;
  }
  return x > n - unit ? n : quotient_up(x, unit) * unit;
}

/* Iterations that take so long. */
static int64_t iterations(double nanoseconds, double of_all, int64_t n) {
  double share = nanoseconds / of_all;
  return share >= 1 ? n : at_least((int64_t)(share * (double)n), 1);
}

struct futc_cut futc_grain_cut(const struct futc_site *site, int64_t n, double nanoseconds,
                               int32_t threads) {
  struct futc_cut cut = {.piece = n, .chunk = 1, .num_pieces = 1};
  int64_t small = iterations(CHUNK_NS, nanoseconds, n);
  if (site->schedule == FUTC_SELF_SCHEDULED) {
    int64_t fair = at_least(n / ((int64_t)threads * CHUNKS_OF_THREAD), 1);
    int64_t coarsest = quotient_up(n, 2 * (int64_t)threads);
    cut.chunk = rounded(site, at_most(at_least(fair, small), coarsest), n);
    return cut;
  }
  int64_t pieces = at_most(threads, FUTC_MAX_PIECES);
  pieces = at_most(pieces, at_least(n / iterations(LEAST_PIECE_NS, nanoseconds, n), 2));
  pieces = at_most(pieces, n);
  cut.piece = rounded(site, quotient_up(n, pieces), n);
  cut.num_pieces = (int32_t)quotient_up(n, cut.piece);
  cut.chunk = rounded(site, at_least(cut.piece / CHUNKS_OF_PIECE, small), n);
  cut.chunk = at_most(cut.chunk, cut.piece);
  return cut;
}
