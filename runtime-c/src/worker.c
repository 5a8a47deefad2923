/* Contexts of the pool's threads, and the number of threads. */
#include "worker.h"

#include "cpus.h"
#include "error.h"
#include "loop_profile.h"
#include "params.h"
#include "pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "FUTHARK_NUM_THREADS"

bool futc_worker_open(struct futc_context *root) {
  struct futc_worker *w = &root->worker;
  w->root = root;
  if (root->program->target != FUTC_MULTICORE) {
    w->threads = 1;
    return true;
  }
  int64_t threads = root->config.num_threads;
  const char *text = threads < 1 ? getenv(VARIABLE) : NULL;
  if (text != NULL && text[0] != '\0' && !futc_parse_number(text, &threads)) {
    futc_set_error(root, "Error: " VARIABLE ": '%s' is not an integer.\n", text);
    return false;
  }
  if (threads > FUTC_MAX_THREADS) {
    futc_set_error(root, "Error: limitation: %" PRId64 " threads are more than %d.\n", threads,
                   FUTC_MAX_THREADS);
    return false;
  }
  w->threads = threads < 1 ? 0 : (int32_t)threads;
  return true;
}

int32_t futc_worker_threads(struct futc_context *ctx) {
  struct futc_worker *w = &ctx->worker;
  if (w->threads == 0) {
    int64_t cpus = futc_usable_cpus();
    w->threads = cpus < FUTC_MAX_THREADS ? (int32_t)cpus : FUTC_MAX_THREADS;
  }
  return w->threads;
}

bool futc_worker_prepare(struct futc_context *root) {
  struct futc_worker *w = &root->worker;
  if (w->contexts != NULL) {
    return true;
  }
  size_t threads = (size_t)futc_worker_threads(root);
  struct futc_heap **heaps = calloc(threads, sizeof *heaps);
  struct futc_context **contexts = calloc(threads, sizeof(struct futc_context *));
  if (heaps == NULL || contexts == NULL) {
    free(heaps);
    free(contexts);
    return false;
  }
  heaps[0] = &root->heap;
  contexts[0] = root;
  w->family = (struct futc_heap_family){(uint32_t)threads, heaps, root->heap.lent};
  w->contexts = contexts;
  root->heap.family = &w->family;
  futc_pool_enter();
  return true;
}

struct futc_context *futc_worker_context(struct futc_context *root, int32_t number) {
  struct futc_context **place = &root->worker.contexts[number];
  if (*place != NULL) {
    return *place;
  }
  struct futc_context *ctx = aligned_alloc(_Alignof(struct futc_context), sizeof *ctx);
  if (ctx == NULL) {
    return NULL;
  }
  memset(ctx, 0, sizeof *ctx);
  ctx->program = root->program;
  ctx->config = root->config;
  ctx->globals = root->globals;
  ctx->profile.enabled = root->profile.enabled;
  futc_heap_open(&ctx->heap);
  ctx->heap.family = &root->worker.family;
  ctx->heap.index = (uint32_t)number;
  ctx->heap.hooks = root->heap.hooks;
  ctx->worker = (struct futc_worker){.root = root,
                                     .number = number,
                                     .threads = root->worker.threads,
                                     .thread = futc_board_worker(number - 1)};
  root->worker.family.members[number] = &ctx->heap;
  *place = ctx;
  return ctx;
}

void futc_worker_close(struct futc_context *root) {
  struct futc_worker *w = &root->worker;
  futc_loop_profile_close(w->profile);
  if (w->contexts == NULL) {
    return;
  }
  futc_pool_leave();
  for (int32_t i = 1; i < w->threads; i++) {
    struct futc_context *ctx = w->contexts[i];
    if (ctx != NULL) {
      futc_loop_profile_close(ctx->worker.profile);
      futc_heap_close(&ctx->heap);
      futc_clear_error(ctx);
      free(ctx);
    }
  }
  root->heap.family = NULL;
  free(w->family.members);
  free(w->contexts);
}
