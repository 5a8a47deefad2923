/* Loops whose iterations ask for what those before them come to: scans with look-back.
 *
 * Iterations are claimed in order. The state of one goes from nothing to aggregate to prefix, or right to
 * prefix. Who asks looks back: over aggregates to the nearest prefix. If some iteration before has nothing
 * yet, its aggregate is published and its start waited for (D. Merrill, M. Garland, "Single-pass parallel prefix
 * scan with decoupled look-back", 2016).
 *
 * Whoever waits, waits for a lower iteration, whose thread runs and waits only for still lower ones: there
 * is no deadlock. An iteration that has failed may never get its state; those above it give up.
 *
 * On one thread the last prefix is all that is kept.
 */
#include "clock.h"
#include "error.h"
#include "loop.h"
#include "loop_trace.h"
#include "pool.h"

#include <sched.h>
#include <string.h>

enum state { NOTHING, AGGREGATE, PREFIX };

/* What stands in a struct futc_chain. */
struct chain {
  futc_combine_fn combine;
  void *env;
  const void *neutral;
  int64_t bytes;
  struct links *links;
};

_Static_assert(sizeof(struct chain) <= sizeof(struct futc_chain), "a chain has room");

struct links {
  int64_t stride;
  /* On one thread: the prefix of the last iteration that has asked, and room for the next. */
  char (*last)[FUTC_CHAIN_BYTES];
  int next;
  bool traced;
  /* On several: of each iteration. */
  char *aggregates;
  char *prefixes;
  _Atomic uint32_t *states;
};

static void *value(char *values, const struct links *l, int64_t i) {
  return values + i * l->stride;
}

/* The nearest iteration before with a prefix, if there are only aggregates between, or -1; -2 if there is
 * nothing yet. */
static int64_t look_back(const struct links *l, int64_t i) {
  for (i--; i >= 0; i--) {
    switch ((enum state)atomic_load_explicit(&l->states[i], memory_order_acquire)) {
    case PREFIX: return i;
    case AGGREGATE: break;
    case NOTHING: return -2;
    }
  }
  return -1;
}

static void publish(struct links *l, int64_t i, enum state state) {
  atomic_store_explicit(&l->states[i], (uint32_t)state, memory_order_release);
}

/* Where to begin: only iteration 0 needs no prefix. */
static int64_t wait_for_start(struct futc_context *ctx, const struct links *l, int64_t i) {
  struct futc_spin spin = {0};
  for (;;) {
    int64_t from = look_back(l, i);
    if (from >= -1) {
      return from;
    }
    if (futc_loop_failed_from(ctx) < i) {
      futc_raise(ctx);
    }
    if (!futc_spin(&spin)) {
      (void)sched_yield();
    }
  }
}

static void start_alone(struct futc_context *ctx, const struct chain *chain, const void *aggregate,
                        void *start) {
  struct links *l = chain->links;
  if (l->traced) {
    futc_loop_trace_mark(ctx);
  }
  memcpy(start, l->last[1 - l->next], (size_t)chain->bytes);
  chain->combine(ctx, chain->env, start, aggregate, l->last[l->next]);
  l->next = 1 - l->next;
}

void futc_chain_start(struct futc_context *ctx, struct futc_chain *room, int64_t i,
                      const void *aggregate, void *start) {
  const struct chain *chain = (const struct chain *)(const void *)room;
  struct links *l = chain->links;
  if (l->states == NULL) {
    start_alone(ctx, chain, aggregate, start);
    return;
  }
  int64_t from = look_back(l, i);
  if (from < -1) {
    memcpy(value(l->aggregates, l, i), aggregate, (size_t)chain->bytes);
    publish(l, i, AGGREGATE);
    from = wait_for_start(ctx, l, i);
  }
  /* From left to right as always, so that bits are the same. */
  _Alignas(8) char folded[FUTC_CHAIN_BYTES];
  memcpy(start, from < 0 ? chain->neutral : value(l->prefixes, l, from), (size_t)chain->bytes);
  for (int64_t k = from + 1; k < i; k++) {
    chain->combine(ctx, chain->env, start, value(l->aggregates, l, k), folded);
    memcpy(start, folded, (size_t)chain->bytes);
  }
  chain->combine(ctx, chain->env, start, aggregate, value(l->prefixes, l, i));
  publish(l, i, PREFIX);
}

static struct futc_plan plan_for(int64_t n, double nanoseconds) {
  return (struct futc_plan){
      .cut = {.piece = n, .chunk = 1, .num_pieces = 1}, .weight = 1, .nanoseconds = nanoseconds};
}

static void run_alone(struct futc_context *ctx, struct futc_site *site, futc_body_fn body, void *env,
                      int64_t n, int64_t cost, struct chain *chain) {
  _Alignas(8) char last[2][FUTC_CHAIN_BYTES];
  memcpy(last[0], chain->neutral, (size_t)chain->bytes);
  struct links links = {.last = last, .next = 1, .traced = n > 1 && futc_loop_traced(ctx)};
  chain->links = &links;
  if (links.traced) {
    struct futc_plan plan = plan_for(n, futc_grain_estimate(futc_grain_scale(site), n, cost));
    futc_loop_trace_run(ctx, site, "chain", &plan, body, env, n, cost);
  } else {
    body(ctx, env, 0, n, ctx->worker.number);
  }
  chain->links = NULL;
}

static bool run_forked(struct futc_context *ctx, struct futc_site *site, futc_body_fn body,
                       void *env, int64_t n, int64_t cost, double nanoseconds,
                       struct chain *chain) {
  int64_t stride = (chain->bytes + 7) / 8 * 8;
  int64_t values = 0;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(2 * n, stride, &values) ||
      __builtin_add_overflow(values, n * (int64_t)sizeof(uint32_t), &bytes)) {
    return false;
  }
  char *memory = futc_alloc(ctx, bytes, FUTC_SPACE_HOST);
  struct links links = {.stride = stride,
                        .aggregates = memory,
                        .prefixes = memory + n * stride,
                        .states = (_Atomic uint32_t *)(void *)(memory + values)};
  for (int64_t i = 0; i < n; i++) {
    atomic_init(&links.states[i], NOTHING);
  }
  chain->links = &links;
  struct futc_plan plan = plan_for(n, nanoseconds);
  bool done = futc_loop_fork(ctx, site, &plan, body, env, n, cost);
  chain->links = NULL;
  futc_release(ctx, memory);
  return done;
}

void futc_parallel_chain(struct futc_context *ctx, struct futc_site *site, futc_body_fn body,
                         void *env, int64_t n, int64_t cost, struct futc_chain *room,
                         futc_combine_fn combine, const void *neutral, int64_t bytes) {
  struct chain *chain = (struct chain *)(void *)room;
  *chain = (struct chain){.combine = combine, .env = env, .neutral = neutral, .bytes = bytes};
  if (n > 1 && ctx->worker.threads != 1 && ctx->trace.file == NULL) {
    float scale = futc_grain_scale(site);
    double nanoseconds = futc_grain_estimate(scale, n, cost);
    enum futc_pays pays = futc_loop_pays(ctx, site, nanoseconds);
    if (pays == FUTC_PAYS) {
      if (run_forked(ctx, site, body, env, n, cost, nanoseconds, chain)) {
        return;
      }
    } else if (pays == FUTC_PAYS_PERHAPS || futc_loop_samples(ctx, scale)) {
      int64_t start = futc_clock_ns();
      run_alone(ctx, site, body, env, n, cost, chain);
      if (futc_grain_learn_alone(site, n, cost, futc_clock_ns() - start)) {
        ctx->worker.calls = 0;
      }
      return;
    }
  }
  if (n > 0) {
    run_alone(ctx, site, body, env, n, cost, chain);
  }
}
