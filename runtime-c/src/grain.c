/* Granularity.
 *
 * The compiler's estimate of an iteration is multiplied by what measurements at the site have shown
 * it to be wrong by, averaged over time. The number is shared by all threads and only a hint: it is
 * read and written without order, and written only if it changes by much.
 */
#include "grain.h"

#define MOST_STEP 8.0F
#define LEAST_SCALE 1e-30F
#define CHUNK_NS 5000.0
/* Of static pieces, so that what a late thread leaves can be taken over in parts. */
#define CHUNKS_OF_PIECE 16
#define LEAST_PIECE_NS 2000.0
/* Of self-scheduled loops. */
#define CHUNKS_OF_THREAD 16
/* Pieces and chunks of many iterations begin at multiples of this, for the sake of vectors and of
 * lines written by one thread. */
#define ROUND 64
#define ROUND_FROM 1024

/* A time may be too long, if the thread was kept from running, but not too short: so upwards it
 * goes in steps, downwards faster. What is hardly measurable can only lower it. */
bool futc_grain_learn(struct futc_site *site, int64_t n, int64_t cost, int64_t nanoseconds) {
  float before = futc_grain_scale(site);
  float measured = (float)((double)nanoseconds / futc_grain_estimate(1.0F, n, cost));
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
