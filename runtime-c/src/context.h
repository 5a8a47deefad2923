/* A context: one instance of a program, its memory, its constants and its last error. */
#ifndef FUTC_CONTEXT_H
#define FUTC_CONTEXT_H

#include "block.h"
#include "futc_program.h"
#include "profile.h"
#include "worker.h"

#include <pthread.h>
#include <stdio.h>
#ifndef __wasm__
#include <setjmp.h>
#endif

/* Of arrays that are read or printed. */
#define FUTC_MAX_RANK 64

struct futc_cuda;
struct futc_emu;

struct futc_config {
  bool debugging; /* implies logging */
  bool logging;
  bool profiling;
  const char *device;   /* or NULL; lives as long as the context */
  const char *load_ptx; /* a file instead of the embedded kernels, or NULL */
  int64_t num_threads;  /* below 1: as FUTHARK_NUM_THREADS says, or one per core */
  const char *trace;    /* a file to write traces of loops to, or NULL */
};

/* Of a root that traces its loops (loop_trace.h). */
struct futc_trace {
  FILE *file;       /* or NULL */
  int64_t stopped;  /* when tracing began last, by the thread's clock */
  int64_t lost;     /* all the time of tracing */
  int64_t last;     /* the time that was written last */
  int64_t clock_ns; /* what looking at the clock adds to that between two lines */
};

/* Where a failure goes (guard.h). */
struct futc_handler {
#ifdef __wasm__
  bool is_set;
#else
  jmp_buf place;
#endif
};

struct futc_context {
  const struct futc_program *program;
  struct futc_config config;
  pthread_mutex_t lock; /* one entry call at a time */
  struct futc_handler *handler; /* where futc_fail goes; NULL outside entry calls */
  char *error;          /* of the last failed call, or NULL */
  bool out_of_memory;   /* that is why it failed */
  FILE *log;            /* NULL: standard error */
  struct futc_heap heap;
  void *globals;
  bool constants_ready;
  struct futc_profile profile;
  struct futc_cuda *cuda; /* FUTC_NVPTX only */
  struct futc_emu *emu;   /* made at the first launch of FUTC_GPU_EMU */
  struct futc_worker worker;
  struct futc_trace trace;
  _Alignas(64) uint64_t dummy_slot; /* written by this thread alone, and never read */
};

/* Never NULL except out of memory; on failure `error` is set and only futc_context_close may
 * follow. Opens the device and evaluates the constants. */
struct futc_context *futc_context_open(const struct futc_program *program,
                                       const struct futc_config *config);
void futc_context_close(struct futc_context *ctx);

/* Calls an entry point: 0, or 1 with `error` set. Inputs are the leaves of the parameters in turn.
 * The references to the blocks of unique parameters are taken over even if the call fails. After a
 * failure the context is as it was before, less those. */
int futc_call(struct futc_context *ctx, const struct futc_entry *entry, const union futc_slot *in,
              union futc_slot *out);

/* The memory space in which inputs are put. */
int32_t futc_context_input_space(const struct futc_context *ctx);
/* Copies values to or from blocks of that space: the other side may be memory of the host or of the device. False with the
 * context's error set. */
bool futc_context_copy(struct futc_context *ctx, void *to, const void *from, int64_t bytes);
/* As futc_cuda_wait, if there is a device. */
bool futc_context_wait(struct futc_context *ctx, uintptr_t stream);

/* Gives cached memory back and forgets profiling counts. */
void futc_context_clear_caches(struct futc_context *ctx);

/* What was counted, as text for people; NULL out of memory. The caller frees it. */
char *futc_context_report(struct futc_context *ctx);
/* The same as JSON, in the reference implementation's form, on one line. */
char *futc_context_report_json(struct futc_context *ctx);

/* One line if logging is on. */
void futc_log(const struct futc_context *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number of slots of a leaf and of a type's leaves. */
static inline int64_t futc_leaf_slots(struct futc_leaf leaf) {
  return leaf.rank == 0 ? 1 : 1 + (int64_t)leaf.rank;
}
int64_t futc_type_slots(const struct futc_type *type);

#endif
