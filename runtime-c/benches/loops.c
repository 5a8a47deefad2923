/* What parallel loops cost and gain, beside OpenMP in the same run. Not a test: the figures are for
 * reading.
 *
 *   cc -O3 -march=native -fopenmp -std=c11 -D_GNU_SOURCE -Iinclude -Isrc benches/loops.c \
 *     OBJECTS OF THE RUNTIME -lm -lpthread -ldl -o loops && ./loops [THREADS]
 *
 * Each figure is the median of several rounds, in which the variants take turns. Without -fopenmp,
 * the variants of OpenMP are left out.
 */
#include "clock.h"
#include "context.h"
#include "pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define ROUNDS 11
#define MOST INT64_C(100000000)
#define BLOCK 4096

static const struct futc_program program = {
    .abi_version = FUTC_ABI_VERSION, .compiler = "", .source = "", .target = FUTC_MULTICORE};

static struct futc_context *many; /* as many threads as asked for */
static struct futc_context *one;
static int num_threads = 2;
static float *xs;
static float *ys;
static double *partials;
static volatile double sink;

/* ---- Bodies. ---- */

static void nothing(struct futc_context *ctx, void *env, int64_t lo, int64_t hi, int64_t worker) {
  (void)ctx, (void)env, (void)lo, (void)hi, (void)worker;
}

static __attribute__((noinline)) void copy_range(int64_t lo, int64_t hi) {
  for (int64_t i = lo; i < hi; i++) {
    ys[i] = xs[i] + 1.0F;
  }
}

static __attribute__((noinline)) double sum_range(int64_t lo, int64_t hi) {
  double lanes[16] = {0};
  int64_t i = lo;
  for (; i + 16 <= hi; i += 16) {
    for (int k = 0; k < 16; k++) {
      lanes[k] += (double)xs[i + k];
    }
  }
  for (; i < hi; i++) {
    lanes[0] += (double)xs[i];
  }
  double sum = 0;
  for (int k = 0; k < 16; k++) {
    sum += lanes[k];
  }
  return sum;
}

static void copy_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                      int64_t worker) {
  (void)ctx, (void)env, (void)worker;
  copy_range(lo, hi);
}

static void sum_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                     int64_t worker) {
  (void)ctx, (void)worker;
  int64_t n = *(const int64_t *)env;
  for (int64_t b = lo; b < hi; b++) {
    partials[b] = sum_range(b * BLOCK, (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n);
  }
}

static double work(int64_t i, int64_t steps) {
  double x = (double)i;
  for (int64_t k = 0; k < steps; k++) {
    x = x * 0.999 + 1.0;
  }
  return x;
}

/* ---- What is measured: how often, over how much, in one of several ways. ---- */

struct task {
  int64_t n;
  int64_t inner;
};

typedef void way(struct futc_context *ctx, const struct task *t);

static void sum_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  int64_t n = t->n;
  int64_t blocks = (n + BLOCK - 1) / BLOCK;
  futc_parallel_for(ctx, &site, sum_body, &n, blocks, 400000);
  double sum = 0;
  for (int64_t i = 0; i < blocks; i++) {
    sum += partials[i];
  }
  sink = sum;
}

static void copy_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  futc_parallel_for(ctx, &site, copy_body, NULL, t->n, 150);
}

static void empty_way(struct futc_context *ctx, const struct task *t) {
  /* So many picoseconds that it is always forked. */
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  site.scale = 1;
  for (int64_t i = 0; i < t->inner; i++) {
    futc_parallel_for(ctx, &site, nothing, NULL, t->n, INT64_C(5000000000));
    site.scale = 1;
  }
}

static void direct_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  for (int64_t i = 0; i < t->inner; i++) {
    futc_parallel_for(ctx, &site, nothing, NULL, t->n, 10);
  }
}

/* Loops of 256 iterations, one after the other: `n` steps each. */
#define SHORT 256

static void short_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                       int64_t worker) {
  (void)ctx, (void)worker;
  const struct task *t = env;
  for (int64_t i = lo; i < hi; i++) {
    partials[i] = work(i, t->n);
  }
}

static void short_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  for (int64_t i = 0; i < t->inner; i++) {
    futc_parallel_for(ctx, &site, short_body, (void *)t, SHORT, 2000 * t->n);
  }
}

static void row_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                     int64_t worker) {
  (void)ctx, (void)worker;
  double *out = env;
  for (int64_t i = lo; i < hi; i++) {
    out[i] = work(i, 20);
  }
}

static void rows_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                      int64_t worker) {
  (void)worker;
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  const struct task *t = env;
  for (int64_t i = lo; i < hi; i++) {
    futc_parallel_for(ctx, &site, row_body, partials + i * t->inner, t->inner, 50000);
  }
}

static void nested_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  futc_parallel_for(ctx, &site, rows_body, (void *)t, t->n, 50000 * t->inner);
}

static void triangle_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                          int64_t worker) {
  (void)ctx, (void)env, (void)worker;
  for (int64_t i = lo; i < hi; i++) {
    partials[i] = work(i, i);
  }
}

static void triangle_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_SELF_SCHEDULED};
  futc_parallel_for(ctx, &site, triangle_body, NULL, t->n, 0);
}

/* Scans, of f32 into f32. */
static struct futc_chain scan_chain;
static int64_t scan_n;

static void scan_body(struct futc_context *ctx, void *env, int64_t lo, int64_t hi,
                      int64_t worker) {
  (void)env, (void)worker;
  for (int64_t block = lo; block < hi; block++) {
    int64_t first = block * BLOCK;
    int64_t last = scan_n - first < BLOCK ? scan_n : first + BLOCK;
    double sum = sum_range(first, last);
    double start;
    futc_chain_start(ctx, &scan_chain, block, &sum, &start);
    for (int64_t i = first; i < last; i++) {
      start += (double)xs[i];
      ys[i] = (float)start;
    }
  }
}

static void scan_combine(struct futc_context *ctx, void *env, const void *left, const void *right,
                         void *result) {
  (void)ctx, (void)env;
  double a;
  double b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  a += b;
  memcpy(result, &a, sizeof a);
}

static void scan_way(struct futc_context *ctx, const struct task *t) {
  static struct futc_site site __attribute__((aligned(64))) = {.schedule = FUTC_STATIC};
  static const double zero = 0;
  scan_n = t->n;
  futc_parallel_chain(ctx, &site, scan_body, NULL, (t->n - 1) / BLOCK + 1, 1000 * BLOCK,
                      &scan_chain, scan_combine, &zero, sizeof zero);
  sink = ys[t->n - 1];
}

#ifdef _OPENMP
static void sum_omp(struct futc_context *ctx, const struct task *t) {
  (void)ctx;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int64_t b = 0; b < (t->n + BLOCK - 1) / BLOCK; b++) {
    sum += sum_range(b * BLOCK, (b + 1) * BLOCK < t->n ? (b + 1) * BLOCK : t->n);
  }
  sink = sum;
}

static void copy_omp(struct futc_context *ctx, const struct task *t) {
  (void)ctx;
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < t->n; i++) {
    ys[i] = xs[i] + 1.0F;
  }
}

static void empty_omp(struct futc_context *ctx, const struct task *t) {
  (void)ctx;
  for (int64_t k = 0; k < t->inner; k++) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < t->n; i++) {
      nothing(NULL, NULL, i, i + 1, 0);
    }
  }
}

static void short_omp(struct futc_context *ctx, const struct task *t) {
  (void)ctx;
  for (int64_t k = 0; k < t->inner; k++) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < SHORT; i++) {
      partials[i] = work(i, t->n);
    }
  }
}

static void nested_omp(struct futc_context *ctx, const struct task *t) {
  (void)ctx;
#pragma omp parallel for schedule(static) collapse(2)
  for (int64_t i = 0; i < t->n; i++) {
    for (int64_t k = 0; k < t->inner; k++) {
      partials[i * t->inner + k] = work(k, 20);
    }
  }
}

static void triangle_omp(struct futc_context *ctx, const struct task *t) {
  (void)ctx;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < t->n; i++) {
    partials[i] = work(i, i);
  }
}
#else
#define sum_omp NULL
#define copy_omp NULL
#define empty_omp NULL
#define short_omp NULL
#define nested_omp NULL
#define triangle_omp NULL
#endif

/* ---- Measuring. ---- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *times) {
  qsort(times, ROUNDS, sizeof *times, compare);
  return times[ROUNDS / 2];
}

static double timed(way *w, struct futc_context *ctx, const struct task *t) {
  int64_t start = futc_clock_ns();
  w(ctx, t);
  return (double)(futc_clock_ns() - start);
}

/* One after the other, all threads awake. Those of the variant before, which may spin for a while,
 * have gone to sleep. */
static double timed_awake(way *w, struct futc_context *ctx, const struct task *t) {
  (void)usleep(5000);
  double once = timed(w, ctx, t);
  int repeat = once > 1e6 ? 1 : 10;
  int64_t start = futc_clock_ns();
  for (int i = 0; i < repeat; i++) {
    w(ctx, t);
  }
  return (double)(futc_clock_ns() - start) / repeat;
}

/* One thread, many threads, OpenMP, in turns. */
static void row(const char *name, way *ours, way *omp, struct task t, double per) {
  double times[3][ROUNDS] = {{0}};
  for (int i = -2; i < ROUNDS; i++) {
    int at = i < 0 ? 0 : i;
    times[0][at] = timed_awake(ours, one, &t);
    times[1][at] = timed_awake(ours, many, &t);
    times[2][at] = omp != NULL ? timed_awake(omp, NULL, &t) : 0;
  }
  double single = median(times[0]) / per;
  double parallel = median(times[1]) / per;
  double openmp = median(times[2]) / per;
  (void)printf("%-34s %12.3f %12.3f %12.3f %8.2f %8.2f\n", name, single / 1e3, parallel / 1e3,
               openmp / 1e3, single / parallel, openmp / parallel);
}

/* The first loop of a process without threads. */
static void first_loop(void) {
  double first[ROUNDS];
  struct task t = {.n = 1000, .inner = 1};
  futc_context_close(many);
  for (int i = 0; i < ROUNDS; i++) {
    many = futc_context_open(&program, &(struct futc_config){.num_threads = num_threads});
    first[i] = timed(empty_way, many, &t);
    (void)usleep(2000);
    futc_context_close(many);
  }
  (void)printf("first loop, empty: %.1f us\n", median(first) / 1e3);
  many = futc_context_open(&program, &(struct futc_config){.num_threads = num_threads});
  for (int i = 0; i < ROUNDS; i++) {
    (void)usleep(5000);
    first[i] = timed(empty_way, many, &t);
  }
  (void)printf("empty loop when all threads sleep: %.1f us\n", median(first) / 1e3);
}

int main(int argc, char **argv) {
  num_threads = argc > 1 ? atoi(argv[1]) : 2;
  xs = malloc(MOST * sizeof *xs);
  ys = malloc(MOST * sizeof *ys);
  partials = malloc((size_t)4000000 * sizeof *partials);
  many = futc_context_open(&program, &(struct futc_config){.num_threads = num_threads});
  one = futc_context_open(&program, &(struct futc_config){.num_threads = 1});
  if (xs == NULL || ys == NULL || partials == NULL || many == NULL || one == NULL) {
    return 1;
  }
  for (int64_t i = 0; i < MOST; i++) {
    xs[i] = (float)(i % 1000);
    ys[i] = 0;
  }
  memset(partials, 0, (size_t)4000000 * sizeof *partials);
#ifdef _OPENMP
  omp_set_num_threads(num_threads);
#endif
  first_loop();
  (void)printf("%-34s %12s %12s %12s %8s %8s\n", "microseconds", "1 thread", "threads", "OpenMP",
               "speed-up", "OpenMP/.");
  row("call not forked", direct_way, NULL, (struct task){100, 100000}, 100000);
  row("empty loop, forked", empty_way, empty_omp, (struct task){1000, 1000}, 1000);
  for (int64_t steps = 5; steps <= 80; steps *= 2) {
    char name[64];
    (void)snprintf(name, sizeof name, "loop of 256 x %d steps, in a row", (int)steps);
    row(name, short_way, short_omp, (struct task){steps, 1000}, 1000);
  }
  for (int64_t n = 1000; n <= MOST; n *= 10) {
    char name[64];
    (void)snprintf(name, sizeof name, "sum of %.0e f32", (double)n);
    row(name, sum_way, sum_omp, (struct task){n, 0}, 1);
    (void)snprintf(name, sizeof name, "copy of %.0e f32", (double)n);
    row(name, copy_way, copy_omp, (struct task){n, 0}, 1);
    (void)snprintf(name, sizeof name, "scan of %.0e f32", (double)n);
    row(name, scan_way, NULL, (struct task){n, 0}, 1);
  }
  row("nested 10 x 100000", nested_way, nested_omp, (struct task){10, 100000}, 1);
  row("nested 1000 x 1000", nested_way, nested_omp, (struct task){1000, 1000}, 1);
  row("nested 100000 x 10", nested_way, nested_omp, (struct task){100000, 10}, 1);
  row("nested 3 x 300", nested_way, nested_omp, (struct task){3, 300}, 1);
  row("triangle of 10000", triangle_way, triangle_omp, (struct task){10000, 0}, 1);
  futc_context_close(one);
  futc_context_close(many);
  free(xs);
  free(ys);
  free(partials);
  return 0;
}
