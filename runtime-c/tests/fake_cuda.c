/* A libcuda.so.1 for tests: one device, whose kernels are functions of the test program. */
#include "cuda_driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

static int current;

API CUresult cuInit(unsigned flags) {
  return (int)flags;
}

API CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = error == 0 ? "CUDA_SUCCESS" : "CUDA_ERROR_FAKE";
  return 0;
}

API CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = error == 0 ? "no error" : "made up";
  return 0;
}

API CUresult cuDeviceGetCount(int *count) {
  *count = 2;
  return 0;
}

API CUresult cuDeviceGet(CUdevice *device, int i) {
  *device = i;
  return 0;
}

API CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
  strncpy(name, device == 0 ? "Fake Zero" : "Fake One", (size_t)room);
  return 0;
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  (void)device;
  *bytes = (size_t)1 << 31;
  return 0;
}

API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  (void)attribute;
  (void)device;
  *value = 100000;
  return 0;
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  (void)device;
  *context = (CUcontext)&current;
  return 0;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  (void)device;
  return 0;
}

API CUresult cuCtxSetCurrent(CUcontext context) {
  current = context != NULL;
  return 0;
}

API CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t bytes, unsigned flags) {
  if (current == 0 || flags != CU_MEM_ATTACH_GLOBAL || bytes > 1 << 30) {
    return 2;
  }
  *memory = (CUdeviceptr)aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory == 0 ? 2 : 0;
}

API CUresult cuMemFree_v2(CUdeviceptr memory) {
  free((void *)memory);
  return 0;
}

/* Memory that is only the device's: whoever else reads it is ended by a signal. The driver has it at another address. */
static struct {
  char *theirs, *ours;
  size_t bytes;
} device_memory;

API void *fake_cuda_device_memory(size_t bytes) {
  int file = memfd_create("device", 0);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0) {
    return NULL;
  }
  device_memory.theirs = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
  device_memory.ours = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  device_memory.bytes = bytes;
  (void)close(file);
  return device_memory.theirs;
}

static void *reachable(CUdeviceptr memory) {
  uintptr_t offset = memory - (uintptr_t)device_memory.theirs;
  return offset < device_memory.bytes ? device_memory.ours + offset : (void *)memory;
}

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  if (current == 0 || stream == NULL) {
    return 201;
  }
  memcpy(reachable(to), reachable(from), bytes);
  return 0;
}

/* How often it was waited for everything, and for the streams with small numbers as handles. */
API int fake_cuda_waits[8];

API CUresult cuCtxSynchronize(void) {
  fake_cuda_waits[0]++;
  return current == 0 ? 201 : 0;
}

API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, int *options,
                                void **values) {
  for (unsigned i = 0; i < n && strcmp(image, "bad") == 0; i++) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
      strcpy(values[i], "line 1: bad");
    }
  }
  *module = malloc(1);
  if (strcmp(image, "bad") == 0) {
    free(*module);
    *module = NULL;
    return 218;
  }
  return 0;
}

API CUresult cuModuleUnload(CUmodule module) {
  free(module);
  return 0;
}

/* The test program exports its kernels as `kernel_NAME` through this pointer. */
API void *(*fake_cuda_lookup)(const char *name);

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  (void)module;
  *function = fake_cuda_lookup == NULL ? NULL : fake_cuda_lookup(name);
  return *function == NULL ? 500 : 0;
}

API CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  (void)function;
  return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value > 49152 ? 0 : 1;
}

API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  (void)flags;
  *stream = malloc(1);
  return 0;
}

API CUresult cuStreamDestroy_v2(CUstream stream) {
  free(stream);
  return 0;
}

API CUresult cuStreamSynchronize(CUstream stream) {
  if ((uintptr_t)stream < sizeof fake_cuda_waits / sizeof *fake_cuda_waits) {
    fake_cuda_waits[(uintptr_t)stream]++;
  }
  return 0;
}

API CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, CUstream stream, void **args,
                            void **extra) {
  (void)stream;
  (void)extra;
  (void)shared;
  void (*kernel)(int64_t threads, void **args) = (void (*)(int64_t, void **))(uintptr_t)function;
  kernel((int64_t)gx * gy * gz * bx * by * bz, args);
  return 0;
}
