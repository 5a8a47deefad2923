/* Parallel scans and filters: right, and the same in all bits with any number of threads. */
#include "parallel.h"

#include <sched.h>

#define N 20000

struct operation {
  int64_t bytes;
  const void *neutral;
  void (*reduce)(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, void *aggregate);
  void (*scan)(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, const void *start,
               void *end);
  futc_combine_fn combine;
};

struct scanning {
  const struct operation *operation;
  struct futc_chain chain;
  int64_t n;
  int64_t block;
  int64_t fails_at;      /* or -1 */
  bool fails_in_reduce;
  uint64_t seed;
  struct futc_site site;
  int64_t *in;
  int64_t *out;
  double *floats;
  double *float_out;
  int64_t total[FUTC_CHAIN_BYTES / 8];
};

/* So that blocks overtake each other in all ways. */
static void dawdle(struct scanning *s, int64_t lo) {
  uint64_t x = s->seed ^ (uint64_t)lo;
  if (next_random(&x) % 4 == 0) {
    for (uint64_t k = next_random(&x) % 3; k > 0; k--) {
      (void)sched_yield();
    }
  }
}

static void fail_at(struct futc_context *ctx, const struct scanning *s, int64_t i, bool reducing) {
  if (i >= s->fails_at && s->fails_at >= 0 && (!reducing || s->fails_in_reduce)) {
    union futc_slot args[1] = {{.i64 = i}};
    futc_fail(ctx, "scan %d", NULL, args);
  }
}

/* ---- Blocks that are reduced, ask where they begin, and are scanned. ---- */

static void run_blocks(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                       int64_t worker) {
  (void)worker;
  struct scanning *s = env;
  for (int64_t i = lo; i < hi; i++) {
    int64_t first = i * s->block;
    int64_t last = s->n - first < s->block ? s->n : first + s->block;
    _Alignas(8) char aggregate[FUTC_CHAIN_BYTES];
    _Alignas(8) char start[FUTC_CHAIN_BYTES];
    _Alignas(8) char end[FUTC_CHAIN_BYTES];
    s->operation->reduce(ctx, s, first, last, aggregate);
    futc_chain_start(ctx, &s->chain, i, aggregate, start);
    s->operation->scan(ctx, s, first, last, start, end);
    if (last == s->n) {
      memcpy(s->total, end, (size_t)s->operation->bytes);
    }
  }
}

static void run_operation(struct futc_context *ctx, struct scanning *s,
                          const struct operation *operation) {
  s->operation = operation;
  s->site.scale = 0;
  memcpy(s->total, operation->neutral, (size_t)operation->bytes);
  int64_t blocks = s->n < 1 ? 0 : (s->n - 1) / s->block + 1;
  futc_parallel_chain(ctx, &s->site, run_blocks, s, blocks, COSTLY * s->block, &s->chain,
                      operation->combine, operation->neutral, operation->bytes);
}

/* ---- x -> a x + b, modulo 2^64: associative, not commutative. ---- */

struct linear {
  uint64_t a;
  uint64_t b;
};

static struct linear then(struct linear f, struct linear g) {
  return (struct linear){f.a * g.a, g.a * f.b + g.b};
}

static struct linear element(const struct scanning *s, int64_t i) {
  return (struct linear){(uint64_t)s->in[i] | 1, (uint64_t)i};
}

static void reduce_linear(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                          void *aggregate) {
  struct scanning *s = env;
  struct linear sum = {1, 0};
  dawdle(s, lo);
  for (int64_t i = lo; i < hi; i++) {
    fail_at(ctx, s, i, true);
    sum = then(sum, element(s, i));
  }
  memcpy(aggregate, &sum, sizeof sum);
}

static void scan_linear(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                        const void *start, void *end) {
  struct scanning *s = env;
  struct linear sum;
  memcpy(&sum, start, sizeof sum);
  dawdle(s, lo + 1);
  for (int64_t i = lo; i < hi; i++) {
    fail_at(ctx, s, i, false);
    sum = then(sum, element(s, i));
    s->out[i] = (int64_t)sum.b;
  }
  memcpy(end, &sum, sizeof sum);
}

static void combine_linear(struct futc_context *ctx, void *env, const void *left,
                           const void *right, void *result) {
  (void)ctx;
  (void)env;
  struct linear f;
  struct linear g;
  memcpy(&f, left, sizeof f);
  memcpy(&g, right, sizeof g);
  f = then(f, g);
  memcpy(result, &f, sizeof f);
}

static void run_linear(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct scanning *s = in[0].block;
  static const struct linear identity = {1, 0};
  static const struct operation operation = {sizeof(struct linear), &identity, reduce_linear, scan_linear, combine_linear};
  run_operation(ctx, s, &operation);
}

static void check_linear(struct futc_context *ctx, struct scanning *s) {
  memset(s->out, 0, N * sizeof *s->out);
  int status = call_parallel(ctx, run_linear, s);
  struct linear sum = {1, 0};
  bool right = true;
  for (int64_t i = 0; i < s->n; i++) {
    sum = then(sum, element(s, i));
    right = right && s->out[i] == (int64_t)sum.b;
  }
  if (s->fails_at >= 0 && s->fails_at < s->n) {
    char want[100];
    (void)snprintf(want, sizeof want, "Error: scan %d\n", (int)s->fails_at);
    CHECK(status == 1);
    CHECK_TEXT(ctx->error, want);
  } else {
    CHECK(status == 0 && right && memcmp(s->total, &sum, sizeof sum) == 0);
  }
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
}

/* ---- Sums of floats: as the header asks, by block. ---- */

static void reduce_floats(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                          void *aggregate) {
  (void)ctx;
  const struct scanning *s = env;
  double sum = 0;
  for (int64_t i = lo; i < hi; i++) {
    sum += s->floats[i];
  }
  memcpy(aggregate, &sum, sizeof sum);
}

static void scan_floats(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                        const void *start, void *end) {
  (void)ctx;
  struct scanning *s = env;
  double before;
  double sum = 0;
  memcpy(&before, start, sizeof before);
  dawdle(s, lo);
  for (int64_t i = lo; i < hi; i++) {
    sum += s->floats[i];
    s->float_out[i] = before + sum;
  }
  sum = before + sum;
  memcpy(end, &sum, sizeof sum);
}

static void combine_floats(struct futc_context *ctx, void *env, const void *left,
                           const void *right, void *result) {
  (void)ctx;
  (void)env;
  double a;
  double b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  a += b;
  memcpy(result, &a, sizeof a);
}

static void run_floats(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct scanning *s = in[0].block;
  static const double zero = 0;
  static const struct operation operation = {sizeof zero, &zero, reduce_floats, scan_floats, combine_floats};
  run_operation(ctx, s, &operation);
}

/* ---- A filter into two groups, with the largest values. ---- */

struct counts {
  int64_t count[2];
  int64_t padding[FUTC_CHAIN_BYTES / 8 - 2];
};

static void count(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, void *aggregate) {
  (void)ctx;
  const struct scanning *s = env;
  struct counts c = {{0}, {0}};
  for (int64_t i = lo; i < hi; i++) {
    c.count[s->in[i] & 1]++;
  }
  memcpy(aggregate, &c, sizeof c);
}

static void place(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, const void *start,
                  void *end) {
  (void)ctx;
  struct scanning *s = env;
  struct counts c;
  memcpy(&c, start, sizeof c);
  dawdle(s, lo);
  for (int64_t i = lo; i < hi; i++) {
    int64_t group = s->in[i] & 1;
    s->out[group * N + c.count[group]++] = i;
  }
  memcpy(end, &c, sizeof c);
}

static void add_counts(struct futc_context *ctx, void *env, const void *left, const void *right,
                       void *result) {
  (void)ctx;
  (void)env;
  struct counts a;
  struct counts b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  a.count[0] += b.count[0];
  a.count[1] += b.count[1];
  memcpy(result, &a, sizeof a);
}

static void run_filter(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  (void)out;
  struct scanning *s = in[0].block;
  static const struct counts zero;
  static const struct operation operation = {sizeof zero, &zero, count, place, add_counts};
  run_operation(ctx, s, &operation);
}

static void check_filter(struct futc_context *ctx, struct scanning *s) {
  CHECK(call_parallel(ctx, run_filter, s) == 0);
  int64_t at[2] = {0, 0};
  bool right = true;
  for (int64_t i = 0; i < s->n; i++) {
    int64_t group = s->in[i] & 1;
    right = right && s->out[group * N + at[group]++] == i;
  }
  CHECK(right && s->total[0] == at[0] && s->total[1] == at[1]);
}

int main(void) {
  struct scanning s = {0};
  s.in = malloc(N * sizeof *s.in);
  s.out = malloc(2 * N * sizeof *s.out);
  s.floats = malloc(N * sizeof *s.floats);
  s.float_out = malloc(N * sizeof *s.float_out);
  double *expected = malloc(N * sizeof *expected);
  CHECK(s.in != NULL && s.out != NULL && s.floats != NULL && s.float_out != NULL &&
        expected != NULL);
  uint64_t seed = 5;
  for (int64_t i = 0; i < N; i++) {
    s.in[i] = (int64_t)next_random(&seed);
    s.floats[i] = (double)(next_random(&seed) >> 40) * 1e-3;
  }
  static const int64_t sizes[] = {-1, 0, 1, 99, 100, 101, 1000, N};
  static const int64_t blocks[] = {1, 10, 100, 4096};
  for (int t = 0; t < NUM_THREAD_COUNTS; t++) {
    struct futc_context *ctx = open_parallel(thread_counts[t]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++) {
        if (blocks[k] == 1 && sizes[i] > 1000) {
          continue;
        }
        for (int round = 0; round < (TEST_SLOW ? 2 : 8); round++) {
          s.n = sizes[i];
          s.block = blocks[k];
          s.seed = next_random(&seed);
          s.fails_in_reduce = round % 2 == 1;
          s.fails_at = -1;
          check_linear(ctx, &s);
          s.fails_at = (int64_t)(next_random(&seed) % N);
          check_linear(ctx, &s);
          check_filter(ctx, &s);
        }
      }
    }
    s.n = N;
    s.block = 100;
    for (int round = 0; round < 10; round++) {
      s.seed = next_random(&seed);
      CHECK(call_parallel(ctx, run_floats, &s) == 0);
      if (t == 0 && round == 0) {
        memcpy(expected, s.float_out, N * sizeof *expected);
      }
      CHECK(memcmp(expected, s.float_out, N * sizeof *expected) == 0);
    }
    futc_context_close(ctx);
  }
  free(s.in);
  free(s.out);
  free(s.floats);
  free(s.float_out);
  free(expected);
  return report();
}
