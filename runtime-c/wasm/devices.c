/* What the rest of the runtime asks of devices, where there are none. */
#include "context.h"
#include "cuda.h"
#include "emu.h"
#include "error.h"

struct futc_cuda *futc_cuda_open(struct futc_context *ctx) {
  futc_set_error(ctx, "Error: there are no GPUs for WebAssembly (compiler bug)\n");
  return NULL;
}

void futc_cuda_close(struct futc_cuda *cuda) {
  (void)cuda;
}

void futc_cuda_enter(struct futc_cuda *cuda) {
  (void)cuda;
}

void *futc_cuda_allocate(struct futc_cuda *cuda, int64_t bytes) {
  (void)cuda, (void)bytes;
  return NULL;
}

void futc_cuda_free(struct futc_cuda *cuda, void *memory, int64_t bytes) {
  (void)cuda, (void)memory, (void)bytes;
}

bool futc_cuda_copy(struct futc_context *ctx, void *to, const void *from, int64_t bytes) {
  (void)ctx, (void)to, (void)from, (void)bytes;
  return false;
}

bool futc_cuda_wait(struct futc_context *ctx, uintptr_t stream) {
  (void)ctx, (void)stream;
  return false;
}

void futc_emu_close(struct futc_emu *emu) {
  (void)emu;
}
