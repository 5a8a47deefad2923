/* Running GPU kernels on the CPU.
 *
 * A barrier is passed when every thread of the block that has not ended has reached it: threads are
 * resumed in turn until each suspends or ends, again and again until all have ended. Kernels
 * without barriers need no fibers. Shared memory begins each block with a pattern, so that reading
 * what was never written shows.
 */
#include "emu.h"

#include "fiber.h"
#include "sanitize.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_BLOCK 1024
#define STACK_BYTES (256 * 1024)
#define SHARED_PATTERN 0xa5

struct futc_emu {
  const struct futc_emu_launch *launch;
  int64_t block_id[3];
  int64_t thread_id[3]; /* of the running thread */
  char *shared;
  size_t shared_room;
  struct futc_fibers *fibers;
  bool in_fiber;
  int64_t next; /* thread, without fibers */
  jmp_buf next_thread;
};

/* The emulator of the launch this thread is in. */
static _Thread_local struct futc_emu *running;

struct futc_emu *futc_emu_open(void) {
  return calloc(1, sizeof(struct futc_emu));
}

void futc_emu_close(struct futc_emu *emu) {
  if (emu != NULL) {
    futc_fibers_close(emu->fibers);
    free(emu->shared);
    free(emu);
  }
}

/* ---- What kernels call. ---- */

int64_t futc_emu_thread_id(int32_t dim) {
  return running->thread_id[dim];
}

int64_t futc_emu_block_id(int32_t dim) {
  return running->block_id[dim];
}

int64_t futc_emu_block_dim(int32_t dim) {
  return running->launch->block[dim];
}

int64_t futc_emu_grid_dim(int32_t dim) {
  return running->launch->grid[dim];
}

void *futc_emu_shared(int64_t offset) {
  return running->shared + offset;
}

void futc_emu_barrier(void) {
  if (running->in_fiber) {
    futc_fiber_suspend(running->fibers);
  }
}

void futc_emu_fail(struct futc_failure *record, int32_t code, const uint64_t *args) {
  uint64_t first = (uint64_t)running->block_id[0] * (uint64_t)running->launch->block[0];
  uint64_t thread = first + (uint64_t)running->thread_id[0];
  if (thread < record->thread) {
    record->thread = thread;
    record->code = code;
    memcpy(record->args, args, sizeof record->args);
  }
  if (running->in_fiber) {
    futc_fiber_exit(running->fibers);
  }
  longjmp(running->next_thread, 1);
}

/* ---- Running. ---- */

static void enter_thread(struct futc_emu *emu, int64_t flat) {
  const int64_t *dims = emu->launch->block;
  emu->thread_id[0] = flat % dims[0];
  emu->thread_id[1] = flat / dims[0] % dims[1];
  emu->thread_id[2] = flat / dims[0] / dims[1];
}

/* State is in `emu`, not in locals: futc_emu_fail comes back to the setjmp. */
static void run_plain(struct futc_emu *emu, int64_t threads) {
  emu->in_fiber = false;
  emu->next = 0;
  (void)setjmp(emu->next_thread);
  while (emu->next < threads) {
    enter_thread(emu, emu->next++);
    emu->launch->kernel->emu(emu->launch->args);
  }
}

static void fiber_body(void *argument) {
  struct futc_emu *emu = argument;
  emu->launch->kernel->emu(emu->launch->args);
}

static void run_fibers(struct futc_emu *emu, int64_t threads) {
  static _Thread_local uint16_t waiting[LARGEST_BLOCK];
  emu->in_fiber = true;
  int64_t num_waiting = threads;
  for (int64_t i = 0; i < threads; i++) {
    waiting[i] = (uint16_t)i;
    futc_fiber_start(emu->fibers, (size_t)i, fiber_body, emu);
  }
  while (num_waiting > 0) {
    int64_t still = 0;
    for (int64_t i = 0; i < num_waiting; i++) {
      enter_thread(emu, waiting[i]);
      if (futc_fiber_resume(emu->fibers, waiting[i])) {
        waiting[still++] = waiting[i];
      }
    }
    num_waiting = still;
  }
}

static const char *prepare_threads(struct futc_emu *emu, const struct futc_emu_launch *launch,
                           int64_t threads, bool fibers) {
  if (launch->shared_bytes < 0) {
    return "negative shared memory (compiler bug)";
  }
  if (launch->kernel->emu == NULL) {
    return "the kernel has no code for the CPU (compiler bug)";
  }
  if (emu->shared == NULL || emu->shared_room < (size_t)launch->shared_bytes) {
    free(emu->shared);
    emu->shared_room = ((size_t)launch->shared_bytes + 64) / 64 * 64;
    emu->shared = aligned_alloc(64, emu->shared_room);
    if (emu->shared == NULL) {
      return "out of memory";
    }
  }
  FUTC_UNPOISON(emu->shared, emu->shared_room);
  FUTC_POISON(emu->shared + launch->shared_bytes, emu->shared_room - (size_t)launch->shared_bytes);
  if (fibers && (emu->fibers == NULL || futc_fibers_count(emu->fibers) < (size_t)threads)) {
    futc_fibers_close(emu->fibers);
    emu->fibers = futc_fibers_open((size_t)threads, STACK_BYTES);
    if (emu->fibers == NULL) {
      return "out of memory";
    }
  }
  return NULL;
}

const char *futc_emu_run(struct futc_emu *emu, const struct futc_emu_launch *launch) {
  for (int i = 0; i < 3; i++) {
    if (launch->block[i] < 1 || launch->block[i] > LARGEST_BLOCK) {
      return "a block must have 1 to 1024 threads";
    }
  }
  int64_t threads = launch->block[0] * launch->block[1] * launch->block[2];
  if (threads > LARGEST_BLOCK) {
    return "a block must have 1 to 1024 threads";
  }
  bool fibers = launch->kernel->has_barrier != 0 && threads > 1;
  const char *wrong = prepare_threads(emu, launch, threads, fibers);
  if (wrong != NULL) {
    return wrong;
  }
  emu->launch = launch;
  running = emu;
  for (int64_t z = 0; z < launch->grid[2]; z++) {
    for (int64_t y = 0; y < launch->grid[1]; y++) {
      for (int64_t x = 0; x < launch->grid[0] && launch->failure->code < 0; x++) {
        emu->block_id[0] = x;
        emu->block_id[1] = y;
        emu->block_id[2] = z;
        memset(emu->shared, SHARED_PATTERN, (size_t)launch->shared_bytes);
        if (fibers) {
          run_fibers(emu, threads);
        } else {
          run_plain(emu, threads);
        }
      }
    }
  }
  running = NULL;
  return NULL;
}
