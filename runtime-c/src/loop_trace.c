/* Traces of parallel loops, as text. */
#include "loop_trace.h"

#include "error.h"
#include "grain.h"
#include "pool.h"

#include <inttypes.h>
#include <time.h>

#define CLOCK_SAMPLES 1000

/* The time that this thread has run, whatever else the machine does. */
static int64_t thread_ns(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) {
    return 0;
  }
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The time without that of tracing, which goes on until `resume_clock`. It never goes back, though more may be taken off
 * for looking at the clock than that took. */
static int64_t stop_clock(struct futc_trace *t) {
  t->stopped = thread_ns();
  int64_t now = t->stopped - t->lost;
  t->last = now > t->last ? now : t->last;
  return t->last;
}

static void resume_clock(struct futc_trace *t) {
  t->lost += thread_ns() - t->stopped + t->clock_ns;
}

/* What looking at the clock adds to the times between two lines. */
static void measure_clock(struct futc_trace *t) {
  int64_t start = stop_clock(t);
  resume_clock(t);
  for (int i = 1; i < CLOCK_SAMPLES; i++) {
    (void)stop_clock(t);
    resume_clock(t);
  }
  t->clock_ns = (stop_clock(t) - start) / CLOCK_SAMPLES;
  resume_clock(t);
}

static int64_t write_event(struct futc_context *ctx, const char *what) {
  int64_t now = stop_clock(&ctx->trace);
  (void)fprintf(ctx->trace.file, "%s %" PRId64 "\n", what, now);
  resume_clock(&ctx->trace);
  return now;
}

static void write_rules(FILE *file) {
  static const struct {
    const char *name;
    double value;
  } rules[] = {{"fork", FUTC_FORK_NS},
               {"fork-inner", FUTC_FORK_INNER_NS},
               {"wake", FUTC_WAKE_NS},
               {"patience", FUTC_PATIENCE_NS},
               {"most-patience", FUTC_MOST_PATIENCE_NS},
               {"spin", FUTC_SPIN_NS},
               {"wakes-at-once", FUTC_WAKES_AT_ONCE},
               {"most-nested", FUTC_MAX_NEST}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    (void)fprintf(file, "rule %s %.0f\n", rules[i].name, rules[i].value);
  }
}

bool futc_loop_trace_open(struct futc_context *root) {
  const char *path = root->config.trace;
  if (path == NULL) {
    return true;
  }
  root->trace.file = fopen(path, "we");
  if (root->trace.file == NULL) {
    futc_set_error(root, "Error: %s cannot be written.\n", path);
    return false;
  }
  (void)fprintf(root->trace.file, "threads %" PRId32 "\n", futc_worker_threads(root));
  write_rules(root->trace.file);
  measure_clock(&root->trace);
  return true;
}

bool futc_loop_trace_close(struct futc_context *root) {
  FILE *file = root->trace.file;
  root->trace.file = NULL;
  return file == NULL || fclose(file) == 0;
}

void futc_loop_trace_begin(struct futc_context *ctx, const char *entry) {
  int64_t now = stop_clock(&ctx->trace);
  (void)fprintf(ctx->trace.file, "begin %" PRId64 " %s\n", now, entry);
  resume_clock(&ctx->trace);
}

void futc_loop_trace_end(struct futc_context *ctx) {
  (void)write_event(ctx, "end");
}

void futc_loop_trace_mark(struct futc_context *ctx) {
  (void)write_event(ctx, "mark");
}

void futc_loop_trace_run(struct futc_context *ctx, struct futc_site *site, const char *kind,
                         const struct futc_plan *plan, futc_body_fn body, void *env, int64_t n,
                         int64_t cost) {
  struct futc_trace *t = &ctx->trace;
  int64_t bytes = futc_heap_statistics(&ctx->heap, FUTC_SPACE_HOST).live_bytes;
  int64_t start = stop_clock(t);
  (void)fprintf(t->file, "%s %" PRId64 " %" PRId64 " %.0f %" PRId64 " %" PRId64 " %s\n", kind,
                start, bytes, plan->nanoseconds, plan->cut.piece, plan->cut.chunk,
                site->loc != NULL ? site->loc : "?");
  resume_clock(t);
  for (int64_t i = 0; i < n; i++) {
    body(ctx, env, i, i + 1, ctx->worker.number);
    (void)write_event(ctx, "task");
  }
  int64_t end = write_event(ctx, "end");
  (void)futc_grain_learn(site, n, cost, end - start);
}
