/* What the rest of the runtime asks of threads, where there is one. */
#include "context.h"
#include "loop_profile.h"
#include "loop_trace.h"

bool futc_worker_open(struct futc_context *root) {
  root->worker.root = root;
  root->worker.threads = 1;
  return true;
}

void futc_worker_close(struct futc_context *root) {
  (void)root;
}

void futc_loop_profile_report(const struct futc_context *root,
                              void (*each)(const char *loc, const struct futc_loop_counts *counts,
                                           void *with),
                              void *with) {
  (void)root, (void)each, (void)with;
}

void futc_loop_profile_clear(struct futc_context *root) {
  (void)root;
}

bool futc_loop_trace_open(struct futc_context *root) {
  (void)root;
  return true;
}

bool futc_loop_trace_close(struct futc_context *root) {
  (void)root;
  return true;
}

void futc_loop_trace_begin(struct futc_context *ctx, const char *entry) {
  (void)ctx, (void)entry;
}

void futc_loop_trace_end(struct futc_context *ctx) {
  (void)ctx;
}
