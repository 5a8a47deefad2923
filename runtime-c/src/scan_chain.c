/* Scans in one pass over blocks: chained scan with look-back.
 *
 * Blocks are claimed in order. A block's state goes from nothing to aggregate to prefix, or right
 * to prefix. Who has claimed a block looks back: over aggregates to the nearest prefix. If it gets
 * there, it knows where to start, and scans the block: one pass, as alone. If some block before has
 * nothing yet, other threads are at work there: the block is reduced, its aggregate published, the
 * start waited for, the prefix published, and then the block is scanned.
 *
 * A block whose start is known at once need not be reduced: then P threads do P + 1 blocks in the
 * time of two scans, as those that come behind wait for a scan each time. If all blocks are reduced
 * first, it is P blocks in the time of a reduction and a scan. Which is more, depends on how long a
 * reduction takes, which is measured.
 *
 * Whoever waits, waits for a lower block, whose thread runs and waits only for still lower ones:
 * there is no deadlock. A block that has failed may never get its state; those above it give up.
 */
#include "clock.h"
#include "loop.h"
#include "pool.h"

#include <sched.h>
#include <string.h>

#define ALIGNMENT 64
#define SMALL 256
/* Values a thread needs for itself: two for folding, one for the end of a scan, which is not looked
 * at where the prefix was known before. */
#define OWN_VALUES 3
#define MEASURED_BLOCKS 64

enum state { NOTHING, AGGREGATE, PREFIX };

struct chain {
  const struct futc_scan *scan;
  void *env;
  int64_t n;
  int64_t stride;
  char *aggregates;
  char *prefixes;
  char *own; /* OWN_VALUES for each thread */
  _Atomic uint32_t *states;
  int64_t threads;
  /* Of one block: 0 if not known. */
  _Atomic int64_t reduce_ns;
  _Atomic int64_t scan_ns;
  /* All blocks are reduced from now on. */
  _Atomic bool reduces_all;
};

static int64_t round_up(int64_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static void *aggregate_of(const struct chain *c, int64_t block) {
  return c->aggregates + block * c->stride;
}

static void *prefix_of(const struct chain *c, int64_t block) {
  return c->prefixes + block * c->stride;
}

static enum state state_of(const struct chain *c, int64_t block) {
  return (enum state)atomic_load_explicit(&c->states[block], memory_order_acquire);
}

static void publish(struct chain *c, int64_t block, enum state state) {
  atomic_store_explicit(&c->states[block], (uint32_t)state, memory_order_release);
}

/* The nearest block before with a prefix, if there are only aggregates between; or -1. */
static int64_t look_back(const struct chain *c, int64_t block) {
  for (int64_t i = block - 1; i >= 0; i--) {
    switch (state_of(c, i)) {
    case PREFIX: return i;
    case AGGREGATE: break;
    case NOTHING: return -1;
    }
  }
  return -1;
}

/* False if a block before has failed: then this one plays no part any more. */
static bool wait_for_start(struct futc_context *ctx, const struct chain *c, int64_t block,
                           int64_t *from) {
  struct futc_spin spin = {0};
  while ((*from = look_back(c, block)) < 0) {
    if (futc_loop_failed_from(ctx) < block) {
      return false;
    }
    if (!futc_spin(&spin)) {
      (void)sched_yield();
    }
  }
  return true;
}

/* The prefix of the block before, from left to right as always, so that its bits are the same. */
static const void *fold(struct futc_context *ctx, const struct chain *c, int64_t from,
                        int64_t block, char *own) {
  const void *value = prefix_of(c, from);
  for (int64_t i = from + 1; i < block; i++) {
    void *next = own + (i % 2) * c->stride;
    c->scan->combine(ctx, c->env, value, aggregate_of(c, i), next);
    value = next;
  }
  return value;
}

static void choose(struct chain *c) {
  int64_t reduce = atomic_load_explicit(&c->reduce_ns, memory_order_relaxed);
  int64_t scan = atomic_load_explicit(&c->scan_ns, memory_order_relaxed);
  /* (P + 1) / 2 of one against P / (1 + reduce / scan) of the other. */
  if (reduce > 0 && scan > 0 && (c->threads + 1) * reduce < (c->threads - 1) * scan) {
    atomic_store_explicit(&c->reduces_all, true, memory_order_relaxed);
  }
}

/* The least of the first ones: later it is known, or makes no difference. */
static int64_t start_time(int64_t block) {
  return block < MEASURED_BLOCKS ? futc_clock_ns() : 0;
}

static void note_time(struct chain *c, _Atomic int64_t *place, int64_t start) {
  if (start == 0) {
    return;
  }
  int64_t time = futc_clock_ns() - start + 1;
  int64_t before = atomic_load_explicit(place, memory_order_relaxed);
  if (before == 0 || time < before) {
    atomic_store_explicit(place, time, memory_order_relaxed);
    choose(c);
  }
}

static void run_block(struct futc_context *ctx, struct chain *c, int64_t block, char *own) {
  int64_t lo = block * c->scan->block;
  int64_t hi = smaller(c->scan->block, c->n - lo) + lo;
  if (block == 0) {
    c->scan->scan(ctx, c->env, lo, hi, c->scan->neutral, prefix_of(c, 0));
    publish(c, 0, PREFIX);
    return;
  }
  bool at_once = !atomic_load_explicit(&c->reduces_all, memory_order_relaxed);
  int64_t from = at_once ? look_back(c, block) : -1;
  if (from >= 0) {
    const void *start = fold(ctx, c, from, block, own);
    int64_t time = start_time(block);
    c->scan->scan(ctx, c->env, lo, hi, start, prefix_of(c, block));
    publish(c, block, PREFIX);
    note_time(c, &c->scan_ns, time);
    return;
  }
  int64_t time = start_time(block);
  c->scan->reduce(ctx, c->env, lo, hi, aggregate_of(c, block));
  publish(c, block, AGGREGATE);
  note_time(c, &c->reduce_ns, time);
  if (!wait_for_start(ctx, c, block, &from)) {
    return;
  }
  const void *start = fold(ctx, c, from, block, own);
  c->scan->combine(ctx, c->env, start, aggregate_of(c, block), prefix_of(c, block));
  publish(c, block, PREFIX);
  c->scan->scan(ctx, c->env, lo, hi, start, own + 2 * c->stride);
}

static void run_blocks(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                       int64_t worker) {
  struct chain *c = env;
  for (int64_t block = lo; block < hi; block++) {
    run_block(ctx, c, block, c->own + worker * OWN_VALUES * c->stride);
  }
}

/* ---- On one thread. ---- */

static void run_alone(struct futc_context *ctx, const struct futc_scan *scan, void *env, int64_t n,
                      void *total) {
  _Alignas(ALIGNMENT) char small[2][SMALL];
  int64_t stride = round_up(scan->bytes);
  char *large = stride <= SMALL ? NULL : futc_alloc(ctx, 2 * stride, FUTC_SPACE_HOST);
  void *ends[2] = {large == NULL ? small[0] : large, large == NULL ? small[1] : large + stride};
  const void *start = scan->neutral;
  int next = 0;
  for (int64_t lo = 0; lo < n; lo += smaller(scan->block, n - lo)) {
    scan->scan(ctx, env, lo, smaller(scan->block, n - lo) + lo, start, ends[next]);
    start = ends[next];
    next = 1 - next;
  }
  if (total != NULL) {
    memcpy(total, start, (size_t)scan->bytes);
  }
  futc_release(ctx, large);
}

/* ---- On several. ---- */

static bool run_forked(struct futc_context *ctx, struct futc_site *site,
                       const struct futc_scan *scan, void *env, int64_t n, int64_t cost,
                       double nanoseconds, void *total) {
  int64_t blocks = (n - 1) / scan->block + 1;
  int64_t threads = futc_num_workers(ctx);
  int64_t stride = round_up(scan->bytes);
  int64_t values = 0;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(2 * blocks + OWN_VALUES * threads, stride, &values) ||
      __builtin_add_overflow(values, round_up(blocks * (int64_t)sizeof(uint32_t)), &bytes)) {
    return false;
  }
  char *memory = futc_alloc(ctx, bytes, FUTC_SPACE_HOST);
  struct chain c = {.scan = scan,
                    .env = env,
                    .n = n,
                    .stride = stride,
                    .aggregates = memory,
                    .prefixes = memory + blocks * stride,
                    .own = memory + 2 * blocks * stride,
                    .states = (_Atomic uint32_t *)(void *)(memory + values),
                    .threads = threads};
  for (int64_t i = 0; i < blocks; i++) {
    atomic_init(&c.states[i], NOTHING);
  }
  struct futc_plan plan = {.cut = {.piece = blocks, .chunk = 1, .num_pieces = 1},
                           .weight = scan->block,
                           .nanoseconds = nanoseconds};
  bool done = futc_loop_fork(ctx, site, &plan, run_blocks, &c, blocks, cost);
  if (done && total != NULL) {
    memcpy(total, prefix_of(&c, blocks - 1), (size_t)scan->bytes);
  }
  futc_release(ctx, memory);
  return done;
}

void futc_parallel_scan(struct futc_context *ctx, struct futc_site *site,
                        const struct futc_scan *scan, void *env, int64_t n, int64_t cost,
                        void *total) {
  if (n > scan->block && ctx->worker.threads != 1) {
    float scale = futc_grain_scale(site);
    double nanoseconds = futc_grain_estimate(scale, n, cost);
    if (futc_loop_pays(ctx, nanoseconds)) {
      if (run_forked(ctx, site, scan, env, n, cost, nanoseconds, total)) {
        return;
      }
    } else if (futc_loop_samples(ctx, scale)) {
      int64_t start = futc_clock_ns();
      run_alone(ctx, scan, env, n, total);
      if (futc_grain_learn(site, n, cost, futc_clock_ns() - start)) {
        ctx->worker.calls = 0;
      }
      return;
    }
  }
  run_alone(ctx, scan, env, n, total);
}
