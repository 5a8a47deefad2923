/* Launching kernels, on whichever device the program was compiled for. */
#include "clock.h"
#include "cuda.h"
#include "emu.h"
#include "error.h"
#include "overflow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Programs without kernels need not have the table, except if they are one file with the runtime.
 */
#ifdef FUTC_ONE_FILE
#define KNOWN(CODE) ((CODE) < futc_num_failure_points)
#else
#pragma weak futc_failure_points
#pragma weak futc_num_failure_points
#define KNOWN(CODE) (&futc_num_failure_points != NULL && (CODE) < futc_num_failure_points)
#endif

#define LARGEST_GRID_X INT64_C(0x7fffffff)
#define LARGEST_GRID_YZ INT64_C(0xffff)
/* Kernels with more arguments use memory from the heap. */
#define FEW_ARGS 64

static _Noreturn void raise_failure(struct futc_context *ctx, const struct futc_failure *failure) {
  if (!KNOWN(failure->code)) {
    futc_set_error(ctx, "Error: a kernel failed with unknown code %d (compiler bug)\n",
                   failure->code);
    futc_raise(ctx);
  }
  const struct futc_failure_point *point = &futc_failure_points[failure->code];
  union futc_slot args[sizeof failure->args / sizeof failure->args[0]];
  memcpy(args, failure->args, sizeof args);
  futc_fail(ctx, point->format, point->loc, args);
}

static bool run(struct futc_context *ctx, int64_t kernel, const int64_t grid[3],
                const int64_t block[3], int64_t shared_bytes, void **args, int64_t num_args,
                struct futc_failure *failure) {
  const struct futc_kernel *k = &ctx->program->kernels[kernel];
  if (ctx->program->target == FUTC_NVPTX) {
    return futc_cuda_launch(ctx, kernel, grid, block, shared_bytes, args, num_args, failure);
  }
  if (ctx->program->target != FUTC_GPU_EMU) {
    futc_set_error(ctx, "Error: a kernel in a program for the CPU (compiler bug)\n");
    return false;
  }
  if (ctx->emu == NULL) {
    ctx->emu = futc_emu_open();
    if (ctx->emu == NULL) {
      futc_set_error(ctx, "Error: out of memory\n");
      ctx->out_of_memory = true;
      return false;
    }
  }
  args[num_args] = &failure;
  struct futc_emu_launch launch = {.kernel = k,
                                   .grid = {grid[0], grid[1], grid[2]},
                                   .block = {block[0], block[1], block[2]},
                                   .shared_bytes = shared_bytes,
                                   .args = args,
                                   .failure = failure};
  const char *wrong = futc_emu_run(ctx->emu, &launch);
  if (wrong != NULL) {
    futc_set_error(ctx, "Error: cannot run kernel %s: %s\n", k->name, wrong);
    return false;
  }
  return true;
}

void futc_launch(struct futc_context *ctx, int64_t kernel, int64_t grid_x, int64_t grid_y,
                 int64_t grid_z, int64_t block_x, int64_t block_y, int64_t block_z,
                 int64_t shared_bytes, void **args) {
  const int64_t grid[3] = {grid_x, grid_y, grid_z};
  const int64_t block[3] = {block_x, block_y, block_z};
  if (kernel < 0 || kernel >= ctx->program->num_kernels) {
    futc_set_error(ctx, "Error: launch of unknown kernel %" PRId64 " (compiler bug)\n", kernel);
    futc_raise(ctx);
  }
  const struct futc_kernel *k = &ctx->program->kernels[kernel];
  for (int i = 0; i < 3; i++) {
    if (grid[i] < 0 || grid[i] > (i == 0 ? LARGEST_GRID_X : LARGEST_GRID_YZ)) {
      futc_set_error(ctx,
                     "Error: kernel %s: a grid of %" PRId64 " x %" PRId64 " x %" PRId64
                     " blocks is beyond the limits\n",
                     k->name, grid_x, grid_y, grid_z);
      futc_raise(ctx);
    }
  }
  if (grid_x == 0 || grid_y == 0 || grid_z == 0) {
    return;
  }

  futc_enter_runtime();
  void *few[FEW_ARGS + 1];
  void **with_failure = few;
  if (k->num_args > FEW_ARGS) {
    /* In a block, so that it is freed even if the launch fails. */
    with_failure = futc_alloc(ctx, (k->num_args + 1) * (int64_t)sizeof(void *), FUTC_SPACE_HOST);
  }
  if (k->num_args > 0) {
    memcpy(with_failure, args, (size_t)k->num_args * sizeof(void *));
  }
  struct futc_failure failure = {.code = -1, .thread = UINT64_MAX};
  futc_log(ctx,
           "launching %s: grid %" PRId64 "x%" PRId64 "x%" PRId64 ", block %" PRId64 "x%" PRId64
           "x%" PRId64 ", %" PRId64 " bytes of shared memory",
           k->name, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes);
  int64_t start = futc_profile_active(&ctx->profile) ? futc_clock_ns() : 0;
  bool ok = run(ctx, kernel, grid, block, shared_bytes, with_failure, k->num_args, &failure);
  if (futc_profile_active(&ctx->profile)) {
    futc_profile_add(&ctx->profile, k->name, futc_clock_ns() - start);
  }
  if (!ok) {
    futc_raise(ctx);
  }
  if (failure.code >= 0) {
    raise_failure(ctx, &failure);
  }
  if (with_failure != few) {
    futc_release(ctx, with_failure);
  }
  futc_leave_runtime();
}
