/* The CUDA driver's side, against the driver of fake_cuda.c, and without any. */
#include "harness.h"

#include <dlfcn.h>

static struct futc_program program = {
    .abi_version = FUTC_ABI_VERSION, .target = FUTC_NVPTX, .ptx = "good"};

const struct futc_failure_point futc_failure_points[] = {{"failed: %d", "k.fut:1:1-2"}};
const int64_t futc_num_failure_points = 1;

/* (x, out): out = number of threads + x; fails if x is negative. */
static void kernel_add(int64_t threads, void **args) {
  int64_t x = *(int64_t *)args[0];
  int64_t *out = *(int64_t **)args[1];
  struct futc_failure *failure = *(struct futc_failure **)args[2];
  if (x < 0) {
    failure->code = 0;
    failure->args[0] = (uint64_t)x;
    return;
  }
  *out = threads + x;
}

static void *lookup(const char *name) {
  return strcmp(name, "add") == 0 ? (void *)(uintptr_t)kernel_add : NULL;
}

static void add_entry(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  int64_t x = in[0].i64;
  int64_t *result = futc_alloc(ctx, 8, 1);
  void *args[] = {&x, &result};
  futc_launch(ctx, 0, 2, 3, 1, 32, 1, 1, in[1].i64, args);
  out[0].i64 = *result;
  futc_release(ctx, result);
}

/* Has `in[0]` blocks of 900 MB at once; the device of fake_cuda.c has memory for two. */
static void fill_entry(struct futc_context *ctx, const union futc_slot *in, union futc_slot *out) {
  void *blocks[4];
  for (int64_t i = 0; i < in[0].i64; i++) {
    blocks[i] = futc_alloc(ctx, 900000000, 1);
  }
  for (int64_t i = 0; i < in[0].i64; i++) {
    futc_release(ctx, blocks[i]);
  }
  out[0].i64 = in[0].i64;
}

static const char *open_error(const struct futc_config *config) {
  static char text[1000];
  struct futc_context *ctx = futc_context_open(&program, config);
  (void)snprintf(text, sizeof text, "%s", ctx->error == NULL ? "" : ctx->error);
  futc_context_close(ctx);
  return text;
}

int main(int argc, char **argv) {
  static const struct futc_kernel kernels[] = {{"add", NULL, 2, 0}};
  program.num_kernels = 1;
  program.kernels = kernels;
  struct futc_config config = {0};
  if (argc < 2) {
    /* Unless the machine has a GPU. */
    const char *error = open_error(&config);
    CHECK(strncmp(error, "Error: no CUDA driver (libcuda.so.1) found", 42) == 0 ||
          dlopen("libcuda.so.1", RTLD_NOW) != NULL);
    return report();
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *(**slot)(const char *) = dlsym(library, "fake_cuda_lookup");
  CHECK_TEXT(open_error(&config), "Error: CUDA: add failed: CUDA_ERROR_FAKE (made up)\n");
  *slot = lookup;
  config.device = "One";
  CHECK_TEXT(open_error(&config), "");
  config.device = "#1";
  CHECK_TEXT(open_error(&config), "");
  config.device = "#2";
  CHECK_TEXT(open_error(&config), "Error: none of the 2 CUDA devices matches '#2'\n");
  config.device = "#x";
  CHECK_TEXT(open_error(&config), "Error: '#x' is not a device number\n");
  config.device = NULL;
  program.ptx = "bad";
  CHECK_TEXT(open_error(&config),
             "Error: CUDA: loading the kernels failed: CUDA_ERROR_FAKE (made up)\n"
             "line 1: bad\n");
  program.ptx = "good";

  struct futc_context *ctx = futc_context_open(&program, &config);
  const struct futc_entry add = {.name = "add", .fn = add_entry};
  union futc_slot in[2] = {{.i64 = 5}, {.i64 = 0}};
  union futc_slot out[1];
  CHECK(futc_call(ctx, &add, in, out) == 0 && out[0].i64 == 197);
  in[1].i64 = 60000;
  CHECK(futc_call(ctx, &add, in, out) == 0 && out[0].i64 == 197);
  in[1].i64 = 200000;
  CHECK(futc_call(ctx, &add, in, out) == 1);
  CHECK_TEXT(ctx->error,
             "Error: a kernel needs 200000 bytes of shared memory, the device has 100000\n");
  in[0].i64 = -4;
  in[1].i64 = 0;
  CHECK(futc_call(ctx, &add, in, out) == 1);
  CHECK_TEXT(ctx->error, "Error: failed: -4\n\nBacktrace:\n-> #0  k.fut:1:1-2\n");
  CHECK(futc_heap_num_live(&ctx->heap) == 0);
  const struct futc_entry fill = {.name = "fill", .fn = fill_entry};
  in[0].i64 = 2;
  CHECK(futc_call(ctx, &fill, in, out) == 0);
  in[0].i64 = 3;
  CHECK(futc_call(ctx, &fill, in, out) == 1);
  CHECK(strstr(ctx->error, "memory") != NULL);
  in[0].i64 = 2;
  CHECK(futc_call(ctx, &fill, in, out) == 0);
  in[0].i64 = 1;
  CHECK(futc_call(ctx, &add, in, out) == 0 && out[0].i64 == 193);
  futc_context_close(ctx);
  return report();
}
