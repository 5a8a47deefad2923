/* Emulated kernels: indices, barriers, shared memory, early exit, failures. */
#include "harness.h"

#define BLOCK 256

/* (in: [n]i64, n, out: [blocks]i64): each block sums its part in shared memory. */
static void reduce(void **args) {
  const int64_t *in = *(const int64_t **)args[0];
  int64_t n = *(int64_t *)args[1];
  int64_t *out = *(int64_t **)args[2];
  int64_t *shared = futc_emu_shared(64);
  int64_t tid = futc_emu_thread_id(0);
  int64_t i = futc_emu_block_id(0) * futc_emu_block_dim(0) + tid;
  shared[tid] = i < n ? in[i] : 0;
  futc_emu_barrier();
  for (int64_t s = futc_emu_block_dim(0) / 2; s > 0; s /= 2) {
    if (tid < s) {
      shared[tid] += shared[tid + s];
    }
    futc_emu_barrier();
  }
  if (tid == 0) {
    out[futc_emu_block_id(0)] = shared[0];
  }
}

/* (out): writes a number made of all indices to its place. */
static void indices(void **args) {
  int64_t *out = *(int64_t **)args[0];
  int64_t flat = 0;
  for (int32_t d = 2; d >= 0; d--) {
    int64_t i = futc_emu_block_id(d) * futc_emu_block_dim(d) + futc_emu_thread_id(d);
    flat = flat * futc_emu_grid_dim(d) * futc_emu_block_dim(d) + i;
  }
  out[flat]++;
}

/* (limit, sums, failure): threads from `limit` on fail; the others meet at a barrier. */
static void failing(void **args) {
  int64_t limit = *(int64_t *)args[0];
  int64_t *count = *(int64_t **)args[1];
  struct futc_failure *failure = *(struct futc_failure **)args[2];
  int64_t tid = futc_emu_thread_id(0);
  if (tid >= limit) {
    futc_emu_fail(failure, 1, (uint64_t[14]){(uint64_t)tid, 3});
  }
  futc_emu_barrier();
  *count += 1;
}

/* (count): stacks of threads are aligned as the calling convention says, which vectors rely on. */
static __attribute__((noinline)) bool aligned(const volatile void *place) {
  return (uintptr_t)place % 16 == 0;
}

static void checks_stack(void **args) {
  int64_t *count = *(int64_t **)args[0];
  _Alignas(16) volatile char vector[16] = {0};
  *count += aligned(vector) ? 1 : 0;
  futc_emu_barrier();
}

static const struct futc_kernel kernels[] = {{"reduce", reduce, 3, 1},
                                             {"indices", indices, 1, 0},
                                             {"failing", failing, 2, 1},
                                             {"failing_plain", failing, 2, 0},
                                             {"missing", NULL, 0, 0},
                                             {"checks_stack", checks_stack, 1, 1}};

const struct futc_failure_point futc_failure_points[] = {
    {"never", NULL}, {"thread %d failed with %u", "k.fut:1:1-2"}};
const int64_t futc_num_failure_points = 2;

static void sum_entry(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  int64_t n = in[1].i64;
  int64_t blocks = (n + BLOCK - 1) / BLOCK;
  void *data = in[0].block;
  int64_t *partial = futc_alloc(ctx, blocks * 8, 1);
  void *args[] = {&data, &n, &partial};
  futc_launch(ctx, 0, blocks, 1, 1, BLOCK, 1, 1, 64 + BLOCK * 8, args);
  out[0].i64 = 0;
  for (int64_t i = 0; i < blocks; i++) {
    out[0].i64 += partial[i];
  }
  futc_release(ctx, partial);
}

static int64_t counter;

static void failing_entry(struct futc_context *ctx, const union futc_slot *in,
                          union futc_slot *out) {
  (void)out;
  int64_t limit = in[0].i64;
  int64_t *count = &counter;
  void *args[] = {&limit, &count};
  futc_launch(ctx, in[1].i64, 5, 1, 1, 32, 1, 1, 0, args);
}

static void broken_entry(struct futc_context *ctx, const union futc_slot *in,
                         union futc_slot *out) {
  (void)out;
  futc_launch(ctx, in[0].i64, in[1].i64, 1, 1, in[2].i64, 1, 1, 0, NULL);
}

int main(void) {
  const struct futc_program program = {.abi_version = FUTC_ABI_VERSION,
                                       .target = FUTC_GPU_EMU,
                                       .num_kernels = 6,
                                       .kernels = kernels};
  struct futc_context *ctx = futc_context_open(&program, &(struct futc_config){.profiling = true});
  CHECK(ctx != NULL && ctx->error == NULL);
  const struct futc_entry sum = {.name = "sum", .fn = sum_entry};
  const struct futc_entry fails = {.name = "fails", .fn = failing_entry};
  const struct futc_entry broken = {.name = "broken", .fn = broken_entry};

  int64_t n = 10000;
  int64_t *data = futc_alloc(ctx, n * 8, 1);
  for (int64_t i = 0; i < n; i++) {
    data[i] = i;
  }
  union futc_slot in[3] = {{.block = data}, {.i64 = n}};
  union futc_slot out[1];
  CHECK(futc_call(ctx, &sum, in, out) == 0 && out[0].i64 == n * (n - 1) / 2);

  int64_t places = 3 * 2 * 2 * 5 * 4 * 3;
  memset(data, 0, (size_t)places * 8);
  void *args[] = {&data};
  futc_launch(ctx, 1, 3, 2, 2, 5, 4, 3, 0, args);
  for (int64_t i = 0; i < places; i++) {
    CHECK(data[i] == 1);
  }
  futc_launch(ctx, 1, 0, 2, 2, 5, 4, 3, 0, args);
  int64_t *count = &counter;
  void *count_args[] = {&count, NULL};
  futc_launch(ctx, 5, 1, 1, 1, 7, 1, 1, 0, count_args);
  CHECK(counter == 7);

  for (int64_t kernel = 2; kernel <= 3; kernel++) {
    counter = 0;
    in[0].i64 = 20;
    in[1].i64 = kernel;
    CHECK(futc_call(ctx, &fails, in, out) == 1);
    CHECK_TEXT(ctx->error, "Error: thread 20 failed with 3\n\nBacktrace:\n-> #0  k.fut:1:1-2\n");
    /* The first block ran to its end, later ones did not run. */
    CHECK(counter == 20);
    in[0].i64 = 32;
    counter = 0;
    CHECK(futc_call(ctx, &fails, in, out) == 0 && counter == 160);
  }

  static const struct {
    int64_t kernel, grid, block;
    const char *error;
  } wrong[] = {
      {9, 1, 1, "Error: launch of unknown kernel 9 (compiler bug)\n"},
      {4, 1, 1,
       "Error: cannot run kernel missing: the kernel has no code for the CPU (compiler bug)\n"},
      {4, 1, 2000, "Error: cannot run kernel missing: a block must have 1 to 1024 threads\n"},
      {4, -1, 1, "Error: kernel missing: a grid of -1 x 1 x 1 blocks is beyond the limits\n"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    in[0].i64 = wrong[i].kernel;
    in[1].i64 = wrong[i].grid;
    in[2].i64 = wrong[i].block;
    CHECK(futc_call(ctx, &broken, in, out) == 1);
    CHECK_TEXT(ctx->error, wrong[i].error);
  }
  char *text = futc_context_report(ctx);
  CHECK(text != NULL && strstr(text, "reduce ran 1 times") != NULL);
  free(text);
  futc_release(ctx, data);
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
  futc_context_close(ctx);
  return report();
}
