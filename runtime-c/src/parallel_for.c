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

bool futc_loop_pays(struct futc_context *ctx, double nanoseconds) {
  struct futc_worker *w = &ctx->worker;
  double least = w->loop == NULL ? FUTC_FORK_NS : FUTC_FORK_INNER_NS;
  if (nanoseconds < least || w->threads == 1) {
    return false;
  }
  if (nanoseconds < FUTC_WAKE_NS && futc_pool_sleeping() >= futc_pool_size()) {
    if (!futc_loop_is_impatient(w, nanoseconds)) {
      return false;
    }
    w->impatient = true;
  }
  return futc_worker_threads(ctx) > 1;
}

static __attribute__((noinline)) void run_measured(struct futc_context *ctx,
                                                   struct futc_site *site, futc_body_fn body,
                                                   void *env, int64_t n, int64_t cost) {
  int64_t start = futc_clock_ns();
  body(ctx, env, 0, n, ctx->worker.number);
  if (futc_grain_learn(site, n, cost, futc_clock_ns() - start)) {
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
  if (ctx->trace.file == NULL && futc_loop_pays(ctx, nanoseconds)) {
    plan.cut = futc_grain_cut(site, n, nanoseconds, ctx->worker.threads);
    if (futc_loop_fork(ctx, site, &plan, body, env, n, cost)) {
      return;
    }
  }
  if (futc_loop_samples(ctx, futc_grain_scale(site))) {
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
