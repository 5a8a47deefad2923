/* Running GPU kernels on the CPU (FUTC_GPU_EMU). */
#ifndef FUTC_EMU_H
#define FUTC_EMU_H

#include "futc_program.h"

struct futc_emu;

struct futc_emu_launch {
  const struct futc_kernel *kernel;
  int64_t grid[3];
  int64_t block[3];
  int64_t shared_bytes;
  void **args;                        /* with the failure record */
  const struct futc_failure *failure; /* blocks after a failure are skipped */
};

/* NULL out of memory. */
struct futc_emu *futc_emu_open(void);
void futc_emu_close(struct futc_emu *emu);

/* Blocks one after the other; the threads of a block one after the other, or as fibers that switch
 * at barriers. NULL, or what is wrong. */
const char *futc_emu_run(struct futc_emu *emu, const struct futc_emu_launch *launch);

#endif
