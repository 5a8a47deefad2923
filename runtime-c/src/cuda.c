/* NVIDIA GPUs through libcuda.so.1, opened with dlopen: programs link and start without it. */
#include "cuda.h"

#include "context.h"
#include "cuda_driver.h"
#include "error.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_BYTES 8192
/* More than this much shared memory must be asked for. */
#define DEFAULT_SHARED 49152

struct futc_cuda {
  struct futc_cuda_driver driver;
  CUdevice device;
  bool retained;
  CUcontext context;
  CUstream stream;
  CUmodule module;
  CUfunction *functions;        /* one per kernel */
  struct futc_failure *failure; /* managed memory */
  int64_t room;                 /* bytes that may still be allocated */
};

static bool check(struct futc_context *ctx, const struct futc_cuda_driver *d, CUresult result,
                  const char *what) {
  if (result == CUDA_SUCCESS) {
    return true;
  }
  const char *name = NULL;
  const char *text = NULL;
  (void)d->get_error_name(result, &name);
  (void)d->get_error_string(result, &text);
  futc_set_error(ctx, "Error: CUDA: %s failed: %s (%s)\n", what, name != NULL ? name : "unknown",
                 text != NULL ? text : "no description");
  return false;
}

static bool load_driver(struct futc_context *ctx, struct futc_cuda_driver *d) {
  d->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (d->library == NULL) {
    const char *why = dlerror();
    futc_set_error(ctx,
                   "Error: no CUDA driver (libcuda.so.1) found; this program was compiled for "
                   "NVIDIA GPUs (%s)\n",
                   why != NULL ? why : "not found");
    return false;
  }
#define LOAD(member, symbol, parameters)                                                           \
  *(void **)&d->member = dlsym(d->library, symbol);                                                \
  if (d->member == NULL) {                                                                         \
    futc_set_error(ctx, "Error: the CUDA driver lacks " symbol "; it is too old\n");               \
    return false;                                                                                  \
  }
  FUTC_CUDA_FUNCTIONS(LOAD)
#undef LOAD
  return true;
}

/* `#k` is the k-th device, other text part of a name, NULL the first. */
static bool pick_device(struct futc_context *ctx, struct futc_cuda *cuda) {
  const struct futc_cuda_driver *d = &cuda->driver;
  const char *wanted = ctx->config.device != NULL ? ctx->config.device : "";
  int count = 0;
  if (!check(ctx, d, d->device_count(&count), "cuDeviceGetCount")) {
    return false;
  }
  long number = -1;
  if (wanted[0] == '#') {
    char *end = NULL;
    number = strtol(wanted + 1, &end, 10);
    if (end == wanted + 1 || *end != '\0' || number < 0) {
      futc_set_error(ctx, "Error: '%s' is not a device number\n", wanted);
      return false;
    }
  }
  for (int i = 0; i < count; i++) {
    char name[256] = "";
    if (!check(ctx, d, d->device_get(&cuda->device, i), "cuDeviceGet") ||
        !check(ctx, d, d->device_name(name, sizeof name, cuda->device), "cuDeviceGetName")) {
      return false;
    }
    if (number >= 0 ? number == i : strstr(name, wanted) != NULL) {
      futc_log(ctx, "using device #%d: %s", i, name);
      return true;
    }
  }
  if (count == 0) {
    futc_set_error(ctx, "Error: no CUDA device found\n");
  } else {
    futc_set_error(ctx, "Error: none of the %d CUDA devices matches '%s'\n", count, wanted);
  }
  return false;
}

/* The text of a file, NUL-terminated, or NULL. */
static char *read_file(const char *path) {
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    return NULL;
  }
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out != NULL) {
    char buffer[4096];
    size_t n = 0;
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0) {
      (void)fwrite(buffer, 1, n, out);
    }
    if (fclose(out) != 0) {
      free(text);
      text = NULL;
    }
  }
  (void)fclose(in);
  return text;
}

static bool load_module(struct futc_context *ctx, struct futc_cuda *cuda) {
  const struct futc_cuda_driver *d = &cuda->driver;
  const struct futc_program *p = ctx->program;
  char *from_file = NULL;
  if (ctx->config.load_ptx != NULL) {
    from_file = read_file(ctx->config.load_ptx);
    if (from_file == NULL) {
      futc_set_error(ctx, "Error: cannot read %s\n", ctx->config.load_ptx);
      return false;
    }
  }
  const char *ptx = from_file != NULL ? from_file : p->ptx;
  if (ptx == NULL) {
    return true;
  }
  char *log = calloc(1, LOG_BYTES);
  if (log == NULL) {
    free(from_file);
    futc_set_error(ctx, "Error: out of memory\n");
    return false;
  }
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
  CUresult result = d->module_load(&cuda->module, ptx, 2, options, values);
  bool ok = check(ctx, d, result, "loading the kernels");
  if (!ok && log[0] != '\0') {
    char *reason = ctx->error;
    ctx->error = NULL;
    futc_set_error(ctx, "%s%s\n", reason != NULL ? reason : "", log);
    free(reason);
  }
  free(log);
  free(from_file);
  if (!ok) {
    return false;
  }
  cuda->functions = calloc((size_t)p->num_kernels + 1, sizeof *cuda->functions);
  if (cuda->functions == NULL) {
    futc_set_error(ctx, "Error: out of memory\n");
    return false;
  }
  for (int64_t i = 0; i < p->num_kernels; i++) {
    result = d->module_function(&cuda->functions[i], cuda->module, p->kernels[i].name);
    if (!check(ctx, d, result, p->kernels[i].name)) {
      return false;
    }
  }
  return true;
}

static bool open_cuda(struct futc_context *ctx, struct futc_cuda *cuda) {
  struct futc_cuda_driver *d = &cuda->driver;
  if (!load_driver(ctx, d) || !check(ctx, d, d->init(0), "cuInit") || !pick_device(ctx, cuda) ||
      !check(ctx, d, d->context_retain(&cuda->context, cuda->device), "opening the device")) {
    return false;
  }
  cuda->retained = true;
  if (!check(ctx, d, d->context_set_current(cuda->context), "cuCtxSetCurrent") ||
      !check(ctx, d, d->stream_create(&cuda->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate") ||
      !load_module(ctx, cuda)) {
    return false;
  }
  size_t total = 0;
  if (!check(ctx, d, d->device_memory(&total, cuda->device), "cuDeviceTotalMem")) {
    return false;
  }
  cuda->room = total > INT64_MAX ? INT64_MAX : (int64_t)total;
  cuda->failure = futc_cuda_allocate(cuda, sizeof *cuda->failure);
  if (cuda->failure == NULL) {
    futc_set_error(ctx, "Error: out of device memory\n");
    return false;
  }
  return true;
}

struct futc_cuda *futc_cuda_open(struct futc_context *ctx) {
  struct futc_cuda *cuda = calloc(1, sizeof *cuda);
  if (cuda == NULL) {
    futc_set_error(ctx, "Error: out of memory\n");
    return NULL;
  }
  if (!open_cuda(ctx, cuda)) {
    futc_cuda_close(cuda);
    return NULL;
  }
  return cuda;
}

void futc_cuda_close(struct futc_cuda *cuda) {
  if (cuda == NULL) {
    return;
  }
  const struct futc_cuda_driver *d = &cuda->driver;
  if (cuda->failure != NULL) {
    futc_cuda_free(cuda, cuda->failure, sizeof *cuda->failure);
  }
  if (cuda->module != NULL) {
    (void)d->module_unload(cuda->module);
  }
  if (cuda->stream != NULL) {
    (void)d->stream_destroy(cuda->stream);
  }
  if (cuda->retained) {
    (void)d->context_release(cuda->device);
  }
  if (d->library != NULL) {
    (void)dlclose(d->library);
  }
  free(cuda->functions);
  free(cuda);
}

void futc_cuda_enter(struct futc_cuda *cuda) {
  (void)cuda->driver.context_set_current(cuda->context);
}

void *futc_cuda_allocate(struct futc_cuda *cuda, int64_t bytes) {
  CUdeviceptr memory = 0;
  if (bytes > cuda->room ||
      cuda->driver.allocate_managed(&memory, (size_t)bytes, CU_MEM_ATTACH_GLOBAL) != CUDA_SUCCESS) {
    return NULL;
  }
  cuda->room -= bytes;
  return (void *)memory;
}

void futc_cuda_free(struct futc_cuda *cuda, void *memory, int64_t bytes) {
  cuda->room += bytes;
  (void)cuda->driver.free_memory((CUdeviceptr)memory);
}

bool futc_cuda_copy(struct futc_context *ctx, void *to, const void *from, int64_t bytes) {
  struct futc_cuda *cuda = ctx->cuda;
  const struct futc_cuda_driver *d = &cuda->driver;
  return check(ctx, d,
               d->copy_memory((CUdeviceptr)to, (CUdeviceptr)from, (size_t)bytes, cuda->stream),
               "cuMemcpyAsync") &&
         check(ctx, d, d->stream_synchronize(cuda->stream), "cuMemcpyAsync");
}

bool futc_cuda_wait(struct futc_context *ctx, uintptr_t stream) {
  const struct futc_cuda_driver *d = &ctx->cuda->driver;
  return stream == 0 ? check(ctx, d, d->synchronize(), "cuCtxSynchronize")
                     : check(ctx, d, d->stream_synchronize((CUstream)stream), "cuStreamSynchronize");
}

/* Kernels with more shared memory than usual must say so once; saying it again is cheap. */
static bool allow_shared(struct futc_context *ctx, CUfunction function, int64_t bytes) {
  const struct futc_cuda_driver *d = &ctx->cuda->driver;
  if (bytes <= DEFAULT_SHARED) {
    return true;
  }
  int most = 0;
  if (!check(ctx, d,
             d->device_attribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                                 ctx->cuda->device),
             "cuDeviceGetAttribute")) {
    return false;
  }
  if (bytes > most) {
    futc_set_error(ctx,
                   "Error: a kernel needs %" PRId64 " bytes of shared memory, the device has %d\n",
                   bytes, most);
    return false;
  }
  return check(ctx, d,
               d->function_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         (int)bytes),
               "cuFuncSetAttribute");
}

bool futc_cuda_launch(struct futc_context *ctx, int64_t kernel, const int64_t grid[3],
                      const int64_t block[3], int64_t shared_bytes, void **args, int64_t num_args,
                      struct futc_failure *failure) {
  struct futc_cuda *cuda = ctx->cuda;
  const struct futc_cuda_driver *d = &cuda->driver;
  if (cuda->functions == NULL) {
    futc_set_error(ctx, "Error: the program has no kernels (compiler bug)\n");
    return false;
  }
  *cuda->failure = (struct futc_failure){.code = -1, .thread = UINT64_MAX};
  args[num_args] = &cuda->failure;
  CUfunction function = cuda->functions[kernel];
  CUresult result = CUDA_SUCCESS;
  if (!allow_shared(ctx, function, shared_bytes)) {
    return false;
  }
  result = d->launch_kernel(function, (unsigned)grid[0], (unsigned)grid[1], (unsigned)grid[2],
                            (unsigned)block[0], (unsigned)block[1], (unsigned)block[2],
                            (unsigned)shared_bytes, cuda->stream, args, NULL);
  if (!check(ctx, d, result, ctx->program->kernels[kernel].name)) {
    return false;
  }
  result = d->stream_synchronize(cuda->stream);
  if (!check(ctx, d, result, ctx->program->kernels[kernel].name)) {
    return false;
  }
  *failure = *cuda->failure;
  return true;
}
