/* Parallel loops: whether to fork. Until that is decided, nothing is written that others see. */
#include "clock.h"
#include "loop.h"
#include "loop_trace.h"
#include "pool.h"

bool futc_loop_is_impatient(struct futc_worker *w, double nanoseconds) {
  w->passed_over_ns += nanoseconds;
  if (w->passed_over_ns < FUTC_PATIENCE_NS || w->passed_over_ns < w->patience_ns) {
    return false;
  }
  w->patience_ns = w->helped                                  ? FUTC_PATIENCE_NS
                   : w->patience_ns < FUTC_MOST_PATIENCE_NS / 2 ? w->passed_over_ns * 2
                                                              : FUTC_MOST_PATIENCE_NS;
  w->helped = false;
  return true;
}

/* Of calls that are held, the last ones before the next is forked are measured, and some of the others. */
static bool is_measured(uint32_t held) {
  return held <= 2 || held % FUTC_SAMPLE == 0;
}

enum futc_pays futc_loop_pays(struct futc_context *ctx, struct futc_site *site,
                              double nanoseconds) {
  struct futc_worker *w = &ctx->worker;
  double least = w->loop == NULL ? FUTC_FORK_NS : FUTC_FORK_INNER_NS;
  if (nanoseconds < least || w->threads == 1) {
    return FUTC_PAYS_NOT;
  }
  if (nanoseconds < FUTC_DOUBTFUL_NS) {
    uint32_t held = futc_grain_held(site);
    if (held > 0) {
      return is_measured(held) ? FUTC_PAYS_PERHAPS : FUTC_PAYS_NOT;
    }
  }
  if (nanoseconds < FUTC_WAKE_NS && futc_pool_sleeping() >= futc_pool_size()) {
    if (!futc_loop_is_impatient(w, nanoseconds)) {
      return FUTC_PAYS_NOT;
    }
    w->impatient = true;
  }
  return futc_worker_threads(ctx) > 1 ? FUTC_PAYS : FUTC_PAYS_NOT;
}

static __attribute__((noinline)) void run_measured(struct futc_context *ctx,
                                                   struct futc_site *site, futc_body_fn body,
                                                   void *env, int64_t n, int64_t cost) {
  int64_t start = futc_clock_ns();
  body(ctx, env, 0, n, ctx->worker.number);
  if (futc_grain_learn_alone(site, n, cost, futc_clock_ns() - start)) {
    ctx->worker.calls = 0;
  }
}

static __attribute__((noinline)) void run_large(struct futc_context *ctx, struct futc_site *site,
                                                futc_body_fn body, void *env, int64_t n,
                                                int64_t cost, double nanoseconds) {
  struct futc_plan plan = {.weight = 1, .nanoseconds = nanoseconds};
  if (futc_loop_traced(ctx)) {
    plan.cut = futc_grain_cut(site, n, nanoseconds, futc_worker_threads(ctx));
    futc_loop_trace_run(ctx, site, "loop", &plan, body, env, n, cost);
    return;
  }
  enum futc_pays pays = FUTC_PAYS_NOT;
  if (ctx->trace.file == NULL) {
    pays = futc_loop_pays(ctx, site, nanoseconds);
  }
  if (pays == FUTC_PAYS) {
    plan.cut = futc_grain_cut(site, n, nanoseconds, ctx->worker.threads);
    if (futc_loop_fork(ctx, site, &plan, body, env, n, cost)) {
      return;
    }
  }
  if (pays == FUTC_PAYS_PERHAPS || futc_loop_samples(ctx, futc_grain_scale(site))) {
    run_measured(ctx, site, body, env, n, cost);
  } else {
    body(ctx, env, 0, n, ctx->worker.number);
  }
}

void futc_parallel_for(struct futc_context *ctx, struct futc_site *site, futc_body_fn body,
                       void *env, int64_t n, int64_t cost) {
  if (n <= 1 || ctx->worker.threads == 1) {
    if (n > 0) {
      body(ctx, env, 0, n, ctx->worker.number);
    }
    return;
  }
  float scale = futc_grain_scale(site);
  double nanoseconds = futc_grain_estimate(scale, n, cost);
  if (nanoseconds >= FUTC_FORK_NS) {
    run_large(ctx, site, body, env, n, cost, nanoseconds);
  } else if (futc_loop_samples(ctx, scale)) {
    run_measured(ctx, site, body, env, n, cost);
  } else {
    body(ctx, env, 0, n, ctx->worker.number);
  }
}

int64_t futc_num_workers(struct futc_context *ctx) {
  return futc_worker_threads(ctx);
}
