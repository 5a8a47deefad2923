/* What the tests of parallel loops share. */
#ifndef FUTC_TEST_PARALLEL_H
#define FUTC_TEST_PARALLEL_H

#include "harness.h"

/* As short as the sanitizers' slowness and few cores allow. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TEST_SLOW 1
#else
#define TEST_SLOW 0
#endif

static const struct futc_program parallel_program = {.abi_version = FUTC_ABI_VERSION,
                                                     .compiler = "test",
                                                     .source = "test",
                                                     .target = FUTC_MULTICORE};

static const int thread_counts[] = {1, 2, 3, 8, 64};
#define NUM_THREAD_COUNTS ((int)(sizeof thread_counts / sizeof thread_counts[0]))

static inline struct futc_context *open_parallel(int64_t threads) {
  struct futc_context *ctx =
      futc_context_open(&parallel_program, &(struct futc_config){.num_threads = threads});
  CHECK(ctx != NULL && ctx->error == NULL);
  return ctx;
}

/* So costly by the compiler's estimate that a loop of it is always forked. */
#define COSTLY INT64_C(1000000000)

/* A loop that is forked, as nothing has been measured at its site. */
static inline void fork_for(struct futc_context *ctx, int32_t schedule, futc_body_fn body,
                            void *env, int64_t n) {
  struct futc_site site = {.schedule = schedule, .loc = "fork_for"};
  futc_parallel_for(ctx, &site, body, env, n, COSTLY);
}

/* Calls work(ctx, argument) as an entry point: 0, or 1 with the context's error. */
static inline int call_parallel(struct futc_context *ctx,
                                void (*work)(struct futc_context *ctx, const union futc_slot *in,
                                             union futc_slot *out),
                                void *argument) {
  const struct futc_entry entry = {.name = "test", .fn = work};
  const union futc_slot in = {.block = argument};
  return futc_call(ctx, &entry, &in, NULL);
}

#endif
