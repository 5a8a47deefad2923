/* Threads that share a context, and threads with contexts of their own. */
#include "threads.h"

#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50 };

static int64_t expected(int64_t n, int64_t x) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += (i * x) % 7;
  }
  return sum;
}

struct job {
  struct futhark_context *ctx; /* NULL: one of its own */
  int64_t number;
};

static void *run(void *argument) {
  const struct job *job = argument;
  struct futhark_context_config *cfg = NULL;
  struct futhark_context *ctx = job->ctx;
  if (ctx == NULL) {
    cfg = new_config();
    ctx = open_context(cfg);
  }
  for (int64_t i = 0; i < ROUNDS; i++) {
    int64_t n = 20000 + i;
    int64_t sum = 0;
    int64_t x = 0;
    struct futhark_i64_1d *xs = NULL;
    CHECK(futhark_entry_work(ctx, &sum, n, job->number + 1) == FUTHARK_SUCCESS);
    CHECK(sum == expected(n, job->number + 1));
    CHECK(futhark_entry_fill(ctx, &xs, n, job->number) == FUTHARK_SUCCESS);
    CHECK(futhark_entry_at(ctx, &x, xs, n) == FUTHARK_PROGRAM_ERROR);
    CHECK(futhark_entry_at(ctx, &x, xs, n - 1) == FUTHARK_SUCCESS && x == job->number);
    CHECK(futhark_free_i64_1d(ctx, xs) == FUTHARK_SUCCESS);
    free(futhark_context_get_error(ctx));
  }
  if (cfg != NULL) {
    futhark_context_free(ctx);
    futhark_context_config_free(cfg);
  }
  return NULL;
}

static void run_all(struct futhark_context *ctx) {
  pthread_t threads[THREADS];
  struct job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i].ctx = ctx;
    jobs[i].number = i;
    CHECK(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
}

int main(void) {
  struct futhark_context_config *cfg = new_config();
  struct futhark_context *ctx = open_context(cfg);
  run_all(ctx);
  run_all(NULL);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
