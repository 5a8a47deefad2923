/* The part of NVIDIA's driver interface that is used, declared here so that no CUDA headers are
 * needed: names, signatures and numbers are the interface's own. */
#ifndef FUTC_CUDA_DRIVER_H
#define FUTC_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef uintptr_t CUdeviceptr;

enum {
  CUDA_SUCCESS = 0,
  CU_MEM_ATTACH_GLOBAL = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_STREAM_NON_BLOCKING = 1,
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

/* FUNCTION(name of the member, symbol in the library, parameters) */
#define FUTC_CUDA_FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(init, "cuInit", (unsigned))                                                             \
  FUNCTION(get_error_name, "cuGetErrorName", (CUresult, const char **))                            \
  FUNCTION(get_error_string, "cuGetErrorString", (CUresult, const char **))                        \
  FUNCTION(device_count, "cuDeviceGetCount", (int *))                                              \
  FUNCTION(device_get, "cuDeviceGet", (CUdevice *, int))                                           \
  FUNCTION(device_name, "cuDeviceGetName", (char *, int, CUdevice))                                \
  FUNCTION(device_memory, "cuDeviceTotalMem_v2", (size_t *, CUdevice))                             \
  FUNCTION(device_attribute, "cuDeviceGetAttribute", (int *, int, CUdevice))                       \
  FUNCTION(context_retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))                    \
  FUNCTION(context_release, "cuDevicePrimaryCtxRelease_v2", (CUdevice))                            \
  FUNCTION(context_set_current, "cuCtxSetCurrent", (CUcontext))                                    \
  FUNCTION(allocate_managed, "cuMemAllocManaged", (CUdeviceptr *, size_t, unsigned))               \
  FUNCTION(free_memory, "cuMemFree_v2", (CUdeviceptr))                                             \
  FUNCTION(copy_memory, "cuMemcpyAsync", (CUdeviceptr, CUdeviceptr, size_t, CUstream))              \
  FUNCTION(synchronize, "cuCtxSynchronize", (void))                                                \
  FUNCTION(module_load, "cuModuleLoadDataEx",                                                      \
           (CUmodule *, const void *, unsigned, int *, void **))                                   \
  FUNCTION(module_unload, "cuModuleUnload", (CUmodule))                                            \
  FUNCTION(module_function, "cuModuleGetFunction", (CUfunction *, CUmodule, const char *))         \
  FUNCTION(function_set_attribute, "cuFuncSetAttribute", (CUfunction, int, int))                   \
  FUNCTION(stream_create, "cuStreamCreate", (CUstream *, unsigned))                                \
  FUNCTION(stream_destroy, "cuStreamDestroy_v2", (CUstream))                                       \
  FUNCTION(stream_synchronize, "cuStreamSynchronize", (CUstream))                                  \
  FUNCTION(launch_kernel, "cuLaunchKernel",                                                        \
           (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,      \
            CUstream, void **, void **))

struct futc_cuda_driver {
  void *library;
#define FUTC_CUDA_MEMBER(member, symbol, parameters) CUresult(*member) parameters;
  FUTC_CUDA_FUNCTIONS(FUTC_CUDA_MEMBER)
#undef FUTC_CUDA_MEMBER
};

#endif
