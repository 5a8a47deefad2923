/* Blocks shared by several threads of one entry call. */
#include "harness.h"

#include <pthread.h>

#define THREADS 4
#define SHARED 16

static struct futc_context *ctx;
static void *shared[SHARED];

static void *work(void *argument) {
  uint64_t seed = 1 + (uint64_t)(uintptr_t)argument;
  for (int i = 0; i < 20000; i++) {
    void *b = shared[next_random(&seed) % SHARED];
    futc_retain(ctx, b);
    int64_t *own = futc_alloc(ctx, (int64_t)(next_random(&seed) % 3000) + 8, 0);
    *own = i;
    futc_retain(ctx, own);
    futc_release(ctx, b);
    futc_release(ctx, own);
    futc_release(ctx, own);
  }
  return NULL;
}

int main(void) {
  const struct futc_program program = {.abi_version = FUTC_ABI_VERSION, .target = FUTC_MULTICORE};
  ctx = futc_context_open(&program, &(struct futc_config){0});
  CHECK(ctx != NULL && ctx->error == NULL);
  for (int i = 0; i < SHARED; i++) {
    shared[i] = futc_alloc(ctx, 100, 0);
  }
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
  CHECK(ctx->heap.num_live == SHARED);
  for (int i = 0; i < SHARED; i++) {
    CHECK(futc_heap_references(shared[i]) == 1);
    futc_release(ctx, shared[i]);
  }
  CHECK(ctx->heap.num_live == 0 && ctx->heap.statistics[0].live_bytes == 0);
  futc_context_close(ctx);
  return report();
}
