/* NVIDIA GPUs through the driver, which is opened at run time (FUTC_NVPTX). */
#ifndef FUTC_CUDA_H
#define FUTC_CUDA_H

#include "futc_program.h"

struct futc_cuda;
struct futc_context;

/* NULL with the context's error set. */
struct futc_cuda *futc_cuda_open(struct futc_context *ctx);
void futc_cuda_close(struct futc_cuda *cuda);
/* Makes the device current in the calling thread. */
void futc_cuda_enter(struct futc_cuda *cuda);

/* Memory that host and device see; NULL if there is none left. The driver would give more than the device has and
 * move pages to and fro, which can take for ever: all of a context's blocks fit in the device's memory. */
void *futc_cuda_allocate(struct futc_cuda *cuda, int64_t bytes);
/* `bytes` as it was allocated with. */
void futc_cuda_free(struct futc_cuda *cuda, void *memory, int64_t bytes);

/* Copies between any of the host's and the device's memory, at once. False with the context's error set. */
bool futc_cuda_copy(struct futc_context *ctx, void *to, const void *from, int64_t bytes);
/* Waits for all that the process does on the device, or only for what is in a stream: 1 and 2 are the legacy and the
 * thread's own default stream, 0 all of them. False with the context's error set. */
bool futc_cuda_wait(struct futc_context *ctx, uintptr_t stream);

/* Runs a kernel to its end. False with the context's error set; a failure that the kernel recorded
 * is left in *failure. */
bool futc_cuda_launch(struct futc_context *ctx, int64_t kernel, const int64_t grid[3],
                      const int64_t block[3], int64_t shared_bytes, void **args, int64_t num_args,
                      struct futc_failure *failure);

#endif
