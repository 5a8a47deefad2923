/* Traces of parallel loops: each is run by the calling thread alone, task by task, as it was cut for the
 * number of threads, and the time of that thread is written down. So what more threads would do can be
 * simulated (`cargo xtask scale`).
 *
 * A file of lines. TIME is that of the thread, in nanoseconds, without that of tracing:
 *
 *   threads N
 *   begin TIME ENTRY      an entry point is called
 *   loop TIME BYTES LOC   a loop begins; so many bytes are in use
 *   mark TIME             the task has asked what those before it come to
 *   task TIME             the task is over
 *   end TIME              the loop or the call is over
 *
 * Loops inside of tasks stand between their lines.
 */
#ifndef FUTC_LOOP_TRACE_H
#define FUTC_LOOP_TRACE_H

#include "context.h"

/* Of a root: opens the file that its configuration names, if any; false with the context's error. */
bool futc_loop_trace_open(struct futc_context *root);
/* False if not all could be written. */
bool futc_loop_trace_close(struct futc_context *root);

/* While it is on; loops run on the root's thread alone. */
static inline bool futc_loop_traced(const struct futc_context *ctx) {
  return ctx->trace.file != NULL && !ctx->profile.paused;
}

void futc_loop_trace_begin(struct futc_context *ctx, const char *entry);
void futc_loop_trace_end(struct futc_context *ctx);
void futc_loop_trace_mark(struct futc_context *ctx);
/* Runs a loop that would be forked. */
void futc_loop_trace_run(struct futc_context *ctx, struct futc_site *site, futc_body_fn body,
                         void *env, int64_t n, int64_t cost);

#endif
