/* Failing chunks, stack overflow in tasks, and blocks allocated by tasks. */
#include "parallel.h"

#include "overflow.h"

#define N 2000

/* ---- Failures. ---- */

struct failing {
  int32_t schedule;
  bool fails[N];
  _Atomic bool ran[N];
  void *shared;
};

static void fail_some(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                      int64_t worker) {
  (void)worker;
  struct failing *f = env;
  for (int64_t i = lo; i < hi; i++) {
    atomic_store_explicit(&f->ran[i], true, memory_order_relaxed);
    futc_retain(ctx, f->shared);
    void *own = futc_alloc(ctx, i % 5000, 0);
    if (f->fails[i]) {
      union futc_slot args[1] = {{.i64 = i}};
      futc_fail(ctx, "index %d", "here", args);
    }
    futc_release(ctx, own);
    futc_release(ctx, f->shared);
  }
}

static void run_failing(struct futc_context *ctx, const union futc_slot *in,
                        union futc_slot *out) {
  (void)out;
  struct failing *f = in[0].block;
  fork_for(ctx, f->schedule, fail_some, f, N);
}

static void lowest_wins(struct futc_context *ctx) {
  static struct failing f;
  uint64_t seed = 7;
  f.shared = futc_alloc(ctx, 100, 0);
  for (int round = 0; round < (TEST_SLOW ? 60 : 400); round++) {
    memset(f.fails, 0, sizeof f.fails);
    memset((void *)f.ran, 0, sizeof f.ran);
    f.schedule = round % 2;
    int64_t lowest = N;
    for (int k = round % 4; k > 0; k--) {
      int64_t i = (int64_t)(next_random(&seed) % N);
      f.fails[i] = true;
      lowest = i < lowest ? i : lowest;
    }
    bool fails = call_parallel(ctx, run_failing, &f) != 0;
    CHECK(fails == (lowest < N));
    if (fails) {
      char want[100];
      (void)snprintf(want, sizeof want, "Error: index %d\n\nBacktrace:\n-> #0  here\n",
                     (int)lowest);
      CHECK_TEXT(ctx->error, want);
    }
    bool below = true;
    for (int64_t i = 0; i < lowest; i++) {
      below = below && f.ran[i];
    }
    CHECK(below);
    CHECK(futc_heap_num_live(&ctx->heap) == 1 && futc_heap_references(f.shared) == 1);
  }
  futc_release(ctx, f.shared);
}

/* In loops inside of loops: the lowest of the outer, and of that the lowest of the inner. */
struct grid {
  int64_t row;
  bool fails[40][40];
};

static void fail_in_row(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                        int64_t worker) {
  (void)worker;
  const struct grid *const *g = env;
  int64_t row = ((const int64_t *)env)[1];
  for (int64_t i = lo; i < hi; i++) {
    (void)futc_alloc(ctx, 10, 0);
    if ((*g)->fails[row][i]) {
      union futc_slot args[2] = {{.i64 = row}, {.i64 = i}};
      futc_fail(ctx, "at %d, %d", NULL, args);
    }
  }
}

static void fail_in_grid(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                         int64_t worker) {
  (void)worker;
  for (int64_t i = lo; i < hi; i++) {
    struct {
      void *grid;
      int64_t row;
    } row = {env, i};
    fork_for(ctx, 1, fail_in_row, &row, 40);
  }
}

static void run_grid(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  fork_for(ctx, 0, fail_in_grid, in[0].block, 40);
}

static void lowest_of_nest_wins(struct futc_context *ctx) {
  static struct grid g;
  uint64_t seed = 11;
  for (int round = 0; round < (TEST_SLOW ? 20 : 200); round++) {
    memset(&g, 0, sizeof g);
    int64_t lowest = 1600;
    for (int k = 0; k < 5; k++) {
      int64_t i = (int64_t)(next_random(&seed) % 1600);
      g.fails[i / 40][i % 40] = true;
      lowest = i < lowest ? i : lowest;
    }
    char want[100];
    (void)snprintf(want, sizeof want, "Error: at %d, %d\n", (int)(lowest / 40),
                   (int)(lowest % 40));
    CHECK(call_parallel(ctx, run_grid, &g) == 1);
    CHECK_TEXT(ctx->error, want);
    CHECK(futc_heap_num_live(&ctx->heap) == 0);
  }
}

/* ---- Stack overflow. ---- */

static volatile bool endless = true;

static __attribute__((noinline)) int64_t recurse(int64_t i) {
  volatile char room[200];
  room[i % 200] = 1;
  return endless ? recurse(i + 1) + room[i % 200] : i;
}

static void overflow_high(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                          int64_t worker) {
  (void)worker;
  _Atomic int64_t *ran = env;
  for (int64_t i = lo; i < hi; i++) {
    (void)atomic_fetch_add(ran, 1);
    if (i == 700) {
      (void)recurse(i);
    }
    if (i > 1000) {
      futc_fail(ctx, "too late", NULL, NULL);
    }
  }
}

static void run_overflow(struct futc_context *ctx, const union futc_slot *in,
                         union futc_slot *out) {
  (void)out;
  fork_for(ctx, 1, overflow_high, in[0].block, N);
}

static void recurse_forking(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                            int64_t worker) {
  (void)worker;
  for (int64_t i = lo; i < hi; i++) {
    if (i == 1) {
      fork_for(ctx, 1, recurse_forking, env, 2);
    }
  }
}

static void run_forking(struct futc_context *ctx, const union futc_slot *in,
                        union futc_slot *out) {
  (void)out;
  fork_for(ctx, 1, recurse_forking, in[0].block, 2);
}

static void overflowing(struct futc_context *ctx) {
#if !TEST_SLOW
  futc_watch_stack("");
  for (int i = 0; i < 20; i++) {
    _Atomic int64_t ran = 0;
    CHECK(call_parallel(ctx, run_overflow, (void *)&ran) == 1);
    CHECK_TEXT(ctx->error, FUTC_OVERFLOW_MESSAGE);
    CHECK(ran > 700);
    CHECK(call_parallel(ctx, run_forking, NULL) == 1);
    CHECK_TEXT(ctx->error, FUTC_OVERFLOW_MESSAGE);
  }
#else
  (void)ctx;
  (void)run_overflow;
  (void)run_forking;
#endif
}

/* ---- Blocks. ---- */

struct blocks {
  void *shared[16];
  int64_t *left[N];
};

static void use_blocks(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                       int64_t worker) {
  (void)worker;
  struct blocks *b = env;
  uint64_t seed = 1 + (uint64_t)lo;
  for (int64_t i = lo; i < hi; i++) {
    void *s = b->shared[next_random(&seed) % 16];
    futc_retain(ctx, s);
    int64_t *own = futc_alloc(ctx, (int64_t)(next_random(&seed) % 3000) + 8, 0);
    *own = i;
    futc_retain(ctx, own);
    futc_release(ctx, s);
    futc_release(ctx, own);
    if (b->left[i] != NULL) {
      /* Made by some thread in the loop before. */
      futc_release(ctx, b->left[i]);
    }
    b->left[i] = own;
  }
}

struct inner_blocks {
  struct blocks *b;
  int64_t *mine;
};

static void use_mine(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                     int64_t worker) {
  (void)worker;
  const struct inner_blocks *in = env;
  for (int64_t i = lo; i < hi; i++) {
    futc_retain(ctx, in->mine);
    futc_retain(ctx, in->b->shared[i % 16]);
    futc_release(ctx, in->mine);
    futc_release(ctx, in->b->shared[i % 16]);
  }
}

static void use_blocks_nested(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                              int64_t worker) {
  (void)worker;
  for (int64_t i = lo; i < hi; i++) {
    struct inner_blocks in = {env, futc_alloc(ctx, 64, 0)};
    futc_retain(ctx, in.mine);
    fork_for(ctx, 1, use_mine, &in, 20);
    futc_release(ctx, in.mine);
    futc_release(ctx, in.mine);
  }
}

static void run_blocks(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct blocks *b = in[0].block;
  for (int round = 0; round < 6; round++) {
    fork_for(ctx, round % 2, use_blocks, b, N);
    bool right = true;
    for (int64_t i = 0; i < N; i++) {
      right = right && *b->left[i] == i && futc_heap_references(b->left[i]) == 1;
    }
    CHECK(right);
    for (int64_t i = 0; i < N; i += 3) {
      futc_release(ctx, b->left[i]);
      b->left[i] = NULL;
    }
    fork_for(ctx, 0, use_blocks_nested, b, 50);
  }
}

static void allocating(struct futc_context *ctx) {
  static struct blocks b;
  memset(&b, 0, sizeof b);
  for (int i = 0; i < 16; i++) {
    b.shared[i] = futc_alloc(ctx, 100, 0);
  }
  CHECK(call_parallel(ctx, run_blocks, &b) == 0);
  for (int i = 0; i < 16; i++) {
    CHECK(futc_heap_references(b.shared[i]) == 1);
    futc_release(ctx, b.shared[i]);
  }
  for (int64_t i = 0; i < N; i++) {
    futc_release(ctx, b.left[i]);
  }
  futc_heap_begin(&ctx->heap);
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
  CHECK(futc_heap_statistics(&ctx->heap, 0).live_bytes == 0);
  futc_context_clear_caches(ctx);
  CHECK(futc_heap_statistics(&ctx->heap, 0).cached_bytes == 0);
}

int main(void) {
  for (int i = 0; i < NUM_THREAD_COUNTS; i++) {
    struct futc_context *ctx = open_parallel(thread_counts[i]);
    lowest_wins(ctx);
    lowest_of_nest_wins(ctx);
    allocating(ctx);
    futc_context_close(ctx);
  }
  for (int i = 0; i < NUM_THREAD_COUNTS; i++) {
    struct futc_context *ctx = open_parallel(thread_counts[i]);
    overflowing(ctx);
    lowest_wins(ctx);
    futc_context_close(ctx);
  }
  return report();
}
