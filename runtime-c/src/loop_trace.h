/* Traces of parallel loops: each is run by the calling thread alone, task by task, as it was cut for the
 * number of threads, and the time of that thread is written down. So what more threads would do can be
 * simulated (`cargo xtask scale`).
 *
 * A file of lines. TIME is that of the thread, in nanoseconds, without that of tracing; other times are nanoseconds, too:
 *
 *   threads N
 *   rule NAME VALUE       a number that decides whether loops are forked, and who is woken
 *   begin TIME ENTRY      an entry point is called
 *   loop TIME BYTES ESTIMATE PIECE CHUNK LOC
 *                         a loop begins, of a kind that is forked if it pays; so many bytes are in use, so long it was
 *                         thought to take (inf if nothing was known), and so it is cut (grain.h)
 *   chain TIME BYTES ESTIMATE PIECE CHUNK LOC
 *                         likewise, and its tasks ask what those before them come to
 *   mark TIME             the task of a chain has asked
 *   task TIME             the task is over
 *   end TIME              the loop or the call is over
 *
 * Loops inside of tasks stand between their lines. Loops that are too short to be forked anywhere are none.
 */
#ifndef FUTC_LOOP_TRACE_H
#define FUTC_LOOP_TRACE_H

#include "context.h"
#include "loop.h"

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
/* Runs a loop that would be forked as planned. `kind` is the word for it. */
void futc_loop_trace_run(struct futc_context *ctx, struct futc_site *site, const char *kind,
                         const struct futc_plan *plan, futc_body_fn body, void *env, int64_t n,
                         int64_t cost);

#endif
