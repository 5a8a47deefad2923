/* Parallel loops: every iteration once, in every shape, with any number of threads. */
#include "parallel.h"

#include "clock.h"
#include "grain.h"

#include <sched.h>

#define MOST 5000

struct marks {
  struct futc_site *site;
  int64_t n;
  int64_t cost;
  _Atomic int32_t busy[1025];
  _Atomic int32_t seen[MOST];
  _Atomic int64_t wrong;
};

static void mark(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, int64_t worker) {
  struct marks *m = env;
  bool wrong = lo < 0 || lo >= hi || hi > m->n || worker < 0 || worker >= futc_num_workers(ctx) ||
               atomic_fetch_add(&m->busy[worker], 1) != 0;
  if (lo % (m->site->unit < 1 ? 1 : m->site->unit) != 0) {
    wrong = true;
  }
  for (int64_t i = lo; i < hi; i++) {
    (void)atomic_fetch_add_explicit(&m->seen[i], 1, memory_order_relaxed);
  }
  (void)atomic_fetch_sub(&m->busy[worker], 1);
  (void)atomic_fetch_add(&m->wrong, wrong ? 1 : 0);
}

static void run_marks(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct marks *m = in[0].block;
  futc_parallel_for(ctx, m->site, mark, m, m->n, m->cost);
}

static void each_once(struct futc_context *ctx) {
  static struct marks m;
  static const int64_t sizes[] = {-5, 0, 1, 2, 3, 7, 64, 100, 1023, MOST};
  static const int64_t costs[] = {0, 1, 10000, 100000, COSTLY};
  for (int32_t schedule = FUTC_STATIC; schedule <= FUTC_SELF_SCHEDULED; schedule++) {
    for (int32_t unit = 0; unit < 20; unit += 5) {
      struct futc_site site = {.loc = "each_once", .schedule = schedule, .unit = unit};
      for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t k = 0; k < sizeof costs / sizeof costs[0]; k++) {
          memset(&m, 0, sizeof m);
          site.scale = 0;
          m.site = &site;
          m.n = sizes[i];
          m.cost = costs[k];
          CHECK(call_parallel(ctx, run_marks, &m) == 0);
          bool once = true;
          for (int64_t at = 0; at < MOST; at++) {
            once = once && m.seen[at] == (at < m.n ? 1 : 0);
          }
          CHECK(once && m.wrong == 0);
        }
      }
    }
  }
}

/* ---- Loops in loops. ---- */

struct nest {
  int64_t size[4];
  _Atomic int64_t count;
};

struct level {
  struct nest *nest;
  int level;
};

static void run_level(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                      int64_t worker) {
  (void)worker;
  const struct level *l = env;
  for (int64_t i = lo; i < hi; i++) {
    if (l->level == 3) {
      (void)atomic_fetch_add_explicit(&l->nest->count, 1, memory_order_relaxed);
    } else {
      struct level inner = {l->nest, l->level + 1};
      fork_for(ctx, inner.level % 2, run_level, &inner, l->nest->size[inner.level]);
    }
  }
}

static void run_nest(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct level outer = {in[0].block, 0};
  fork_for(ctx, FUTC_STATIC, run_level, &outer, outer.nest->size[0]);
}

static void nested(struct futc_context *ctx) {
  static const int64_t shapes[][4] = {
      {2, 2, 2, 2}, {100, 3, 1, 2}, {1, 100, 5, 3}, {3, 1, 1, 500}, {2, 40, 40, 2}, {7, 5, 3, 11}};
  for (int round = 0; round < (TEST_SLOW ? 2 : 20); round++) {
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
      struct nest nest;
      memcpy(nest.size, shapes[i], sizeof nest.size);
      atomic_init(&nest.count, 0);
      CHECK(call_parallel(ctx, run_nest, &nest) == 0);
      CHECK(nest.count == shapes[i][0] * shapes[i][1] * shapes[i][2] * shapes[i][3]);
    }
  }
}

/* Halves a range again and again, deeper than loops are published. */
struct range {
  int64_t lo;
  int64_t hi;
  _Atomic int64_t *sum;
};

static void halve(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)worker;
  const struct range *r = env;
  int64_t middle = r->lo + (r->hi - r->lo) / 2;
  for (int64_t i = lo; i < hi; i++) {
    struct range half = {i == 0 ? r->lo : middle, i == 0 ? middle : r->hi, r->sum};
    if (half.hi - half.lo == 1) {
      (void)atomic_fetch_add_explicit(r->sum, half.lo, memory_order_relaxed);
    } else {
      fork_for(ctx, FUTC_SELF_SCHEDULED, halve, &half, 2);
    }
  }
}

static void run_halving(struct futc_context *ctx, const union futc_slot *in,
                        union futc_slot *out) {
  (void)out;
  struct range all = {0, 4096, in[0].block};
  fork_for(ctx, FUTC_SELF_SCHEDULED, halve, &all, 2);
}

static void recursive(struct futc_context *ctx) {
  _Atomic int64_t sum = 0;
  CHECK(call_parallel(ctx, run_halving, (void *)&sum) == 0);
  CHECK(sum == INT64_C(4096) * 4095 / 2);
}

/* ---- What waits for what. ---- */

/* Two chunks that end only together: no thread may keep both, nor sleep. Only as many threads as
 * come, and come they must, as nothing else goes on. */
static void meet(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)ctx;
  (void)worker;
  _Atomic int64_t *here = env;
  for (int64_t i = lo; i < hi; i++) {
    (void)atomic_fetch_add(here, 1);
    int64_t give_up = futc_clock_ns() + INT64_C(20000000000);
    while (atomic_load(here) < 2 && futc_clock_ns() < give_up) {
      (void)sched_yield();
    }
  }
}

static void run_meeting(struct futc_context *ctx, const union futc_slot *in,
                        union futc_slot *out) {
  (void)out;
  _Atomic int64_t *here = in[0].block;
  fork_for(ctx, FUTC_SELF_SCHEDULED, meet, (void *)here, 2);
}

static void threads_come(struct futc_context *ctx) {
  if (futc_num_workers(ctx) > 1) {
    for (int i = 0; i < 100; i++) {
      _Atomic int64_t here = 0;
      int64_t start = futc_clock_ns();
      CHECK(call_parallel(ctx, run_meeting, (void *)&here) == 0);
      CHECK(futc_clock_ns() - start < INT64_C(10000000000));
    }
  }
}

/* ---- Granularity. ---- */

static void cuts(void) {
  for (int64_t n = 1; n < INT64_MAX / 7; n = n * 5 / 2 + 1) {
    for (int32_t threads = 2; threads <= 1024; threads *= 4) {
      for (int32_t unit = 0; unit < 200; unit = unit * 3 + 1) {
        for (int32_t schedule = FUTC_STATIC; schedule <= FUTC_SELF_SCHEDULED; schedule++) {
          for (double ns = 4000; ns < 1e12; ns *= 1000) {
            struct futc_site site = {.schedule = schedule, .unit = unit};
            struct futc_cut c = futc_grain_cut(&site, n, ns, threads);
            bool whole = c.num_pieces >= 1 && c.num_pieces <= FUTC_MAX_PIECES && c.chunk >= 1 &&
                         c.chunk <= c.piece && c.piece <= n && (c.num_pieces - 1) <= n / c.piece &&
                         (c.num_pieces - 1) * c.piece < n &&
                         (c.num_pieces == FUTC_MAX_PIECES || n / c.num_pieces <= c.piece);
            bool units = unit < 1 || ((c.chunk % unit == 0 || c.chunk == c.piece) &&
                                      (c.piece % unit == 0 || c.piece == n));
            CHECK(whole && units);
          }
        }
      }
    }
  }
}

static void learning(void) {
  struct futc_site site = {0};
  CHECK(futc_grain_scale(&site) == 0 && futc_grain_estimate(0, 10, 0) > 1e100);
  CHECK(futc_grain_estimate(futc_grain_scale(&site), 1000, 5000) == 5000.0);
  (void)futc_grain_learn(&site, 1000, 5000, 100);
  CHECK(futc_grain_estimate(futc_grain_scale(&site), 1000, 5000) == 5000.0);
  for (int i = 0; i < 40; i++) {
    (void)futc_grain_learn(&site, 1000, 5000, 50000);
  }
  double now = futc_grain_estimate(futc_grain_scale(&site), 1000, 5000);
  CHECK(now > 35000 && now < 65000);
  /* One that was interrupted is soon forgotten. */
  CHECK(futc_grain_learn(&site, 1000, 5000, 50000000));
  CHECK(futc_grain_estimate(futc_grain_scale(&site), 1000, 5000) < 9 * now);
  for (int i = 0; i < 20; i++) {
    CHECK(!futc_grain_learn(&site, 1000, 5000, 500));
  }
  CHECK(futc_grain_estimate(futc_grain_scale(&site), 1000, 5000) < 1000);
  CHECK(futc_grain_estimate(futc_grain_scale(&site), INT64_MAX, INT64_MAX) > 1e20);
}

/* Calls of 1000 iterations of which those that are forked take `forked` of the time of one thread: how many are. */
static int forks_of(struct futc_site *site, double forked, int calls) {
  int forks = 0;
  for (int i = 0; i < calls; i++) {
    if (futc_grain_held(site) > 0) {
      (void)futc_grain_learn_alone(site, 1000, 5000, 5000);
    } else {
      futc_grain_judge(site, 1000, 5000, (int64_t)(5000 * forked));
      forks++;
    }
  }
  return forks;
}

/* What does not gain is hardly ever forked, and what does nearly always is. */
static void judging(void) {
  struct futc_site site = {0};
  (void)futc_grain_learn_alone(&site, 1000, 5000, 5000);
  CHECK(forks_of(&site, 1.2, 10000) < 100);
  (void)forks_of(&site, 0.5, 20000);
  CHECK(forks_of(&site, 0.5, 10000) > 9900);
  CHECK(forks_of(&site, 0.8, 10000) > 9700);
  /* Once in a while a thread is kept from running. */
  for (int i = 0; i < 10; i++) {
    futc_grain_judge(&site, 1000, 5000, 5000000);
    (void)forks_of(&site, 0.5, 100);
  }
  CHECK(forks_of(&site, 0.5, 1000) > 900);
  /* What was never measured without forking is, once. */
  struct futc_site unknown = {0};
  CHECK(forks_of(&unknown, 0.5, 10) == 7);
}

int main(void) {
  cuts();
  learning();
  judging();
  for (int i = 0; i < NUM_THREAD_COUNTS; i++) {
    struct futc_context *ctx = open_parallel(thread_counts[i]);
    CHECK(futc_num_workers(ctx) == thread_counts[i]);
    each_once(ctx);
    nested(ctx);
    recursive(ctx);
    threads_come(ctx);
    CHECK(futc_heap_num_live(&ctx->heap) == 0);
    futc_context_close(ctx);
  }
  return report();
}
