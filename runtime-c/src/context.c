/* Contexts, and calling entry points. */
#include "context.h"

#include "clock.h"
#include "cuda.h"
#include "emu.h"
#include "error.h"
#include "guard.h"
#include "loop_profile.h"
#include "loop_trace.h"
#include "overflow.h"
#include "sanitize.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What compiled code calls. ---- */

void *futc_alloc(struct futc_context *ctx, int64_t bytes, int32_t space) {
  const char *why = NULL;
  futc_enter_runtime();
  void *block = futc_heap_allocate(&ctx->heap, bytes, space, &why);
  if (block == NULL) {
    futc_set_error(ctx, "Error: Cannot allocate %" PRId64 " bytes: %s.\n", bytes, why);
    ctx->out_of_memory = bytes >= 0;
    futc_raise(ctx);
  }
  futc_leave_runtime();
  return block;
}

void futc_retain(struct futc_context *ctx, void *block) {
  futc_enter_runtime();
  futc_heap_retain(&ctx->heap, block);
  futc_leave_runtime();
}

void futc_release(struct futc_context *ctx, void *block) {
  futc_enter_runtime();
  futc_heap_release(&ctx->heap, block);
  futc_leave_runtime();
}

void *futc_globals(struct futc_context *ctx) {
  return ctx->globals;
}

void *futc_dummy_slot(struct futc_context *ctx) {
  return &ctx->dummy_slot;
}

/* ---- Opening and closing. ---- */

static void *allocate_device(void *device, int64_t bytes) {
  return futc_cuda_allocate(device, bytes);
}

static void release_device(void *device, void *memory, int64_t bytes) {
  futc_cuda_free(device, memory, bytes);
}

static bool open_device(struct futc_context *ctx) {
  if (ctx->program->target != FUTC_NVPTX) {
    return true;
  }
  ctx->cuda = futc_cuda_open(ctx);
  if (ctx->cuda == NULL) {
    return false;
  }
  ctx->heap.hooks = (struct futc_space_hooks){allocate_device, release_device, ctx->cuda};
  return true;
}

/* Runs `work` with futc_fail returning here. */
static bool guarded(struct futc_context *ctx, void (*work)(struct futc_context *, void *),
                    void *argument) {
  futc_clear_error(ctx);
  futc_heap_begin(&ctx->heap);
  futc_watch_context(ctx);
  enum futc_ending ending = futc_guard(ctx, work, argument);
  futc_watch_context(NULL);
  switch (ending) {
  case FUTC_RETURNED: return true;
  case FUTC_OVERFLOWED: futc_set_overflow_error(ctx); break;
  case FUTC_RAISED: break;
  }
  futc_in_runtime = 0;
  return false;
}

/* Reading and printing keep sizes in arrays of fixed length. */
static bool check_ranks(const struct futc_value_spec *specs, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < specs[i].type->num_leaves; j++) {
      if (specs[i].type->leaves[j].rank > FUTC_MAX_RANK) {
        return false;
      }
    }
  }
  return true;
}

static bool check_program(struct futc_context *ctx) {
  if (ctx->program->abi_version != FUTC_ABI_VERSION) {
    futc_set_error(ctx,
                   "Error: compiled for version %" PRId64
                   " of the runtime's interface, linked with version %d.\n",
                   ctx->program->abi_version, FUTC_ABI_VERSION);
    return false;
  }
  for (int64_t i = 0; i < ctx->program->num_entries; i++) {
    const struct futc_entry *e = &ctx->program->entries[i];
    if (!check_ranks(e->inputs, e->num_inputs) || !check_ranks(e->outputs, e->num_outputs)) {
      futc_set_error(ctx,
                     "Error: limitation: entry point %s has an array of more than %d dimensions.\n",
                     e->name, FUTC_MAX_RANK);
      return false;
    }
  }
  return true;
}

static bool make_globals(struct futc_context *ctx) {
  int64_t bytes = ctx->program->globals_bytes;
  ctx->globals = NULL;
  if (posix_memalign(&ctx->globals, FUTC_BLOCK_ALIGNMENT, (size_t)bytes + FUTC_BLOCK_ALIGNMENT) !=
      0) {
    ctx->globals = NULL;
    futc_set_error(ctx, "Error: out of memory.\n");
    return false;
  }
  memset(ctx->globals, 0, (size_t)bytes);
  FUTC_POISON((char *)ctx->globals + bytes, FUTC_BLOCK_ALIGNMENT);
  if (ctx->program->init == NULL) {
    return true;
  }
  if (!guarded(ctx, ctx->program->init, ctx->globals)) {
    futc_heap_abort(&ctx->heap);
    return false;
  }
  ctx->constants_ready = true;
  return true;
}

struct futc_context *futc_context_open(const struct futc_program *program,
                                       const struct futc_config *config) {
  struct futc_context *ctx = aligned_alloc(_Alignof(struct futc_context), sizeof *ctx);
  if (ctx == NULL) {
    return NULL;
  }
  memset(ctx, 0, sizeof *ctx);
  ctx->program = program;
  ctx->config = *config;
  ctx->config.logging = config->logging || config->debugging;
  ctx->profile.enabled = config->profiling || config->debugging;
  if (pthread_mutex_init(&ctx->lock, NULL) != 0) {
    free(ctx);
    return NULL;
  }
  futc_heap_open(&ctx->heap);
  if (check_program(ctx) && open_device(ctx) && futc_worker_open(ctx) &&
      futc_loop_trace_open(ctx)) {
    (void)make_globals(ctx);
  }
  return ctx;
}

static void run_fini(struct futc_context *ctx, void *globals) {
  ctx->program->fini(ctx, globals);
}

void futc_context_close(struct futc_context *ctx) {
  if (ctx == NULL) {
    return;
  }
  if (ctx->constants_ready && ctx->program->fini != NULL) {
    (void)guarded(ctx, run_fini, ctx->globals);
  }
  if (!futc_loop_trace_close(ctx)) {
    (void)fprintf(stderr, "Warning: %s could not be written.\n", ctx->config.trace);
  }
  futc_worker_close(ctx);
  free(ctx->globals);
  futc_heap_close(&ctx->heap);
  futc_emu_close(ctx->emu);
  futc_cuda_close(ctx->cuda);
  futc_profile_close(&ctx->profile);
  futc_clear_error(ctx);
  (void)pthread_mutex_destroy(&ctx->lock);
  free(ctx);
}

/* ---- Calling. ---- */

int64_t futc_type_slots(const struct futc_type *type) {
  int64_t n = 0;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    n += futc_leaf_slots(type->leaves[i]);
  }
  return n;
}

int32_t futc_context_input_space(const struct futc_context *ctx) {
  return ctx->program->target == FUTC_NVPTX ? FUTC_SPACE_DEVICE : FUTC_SPACE_HOST;
}

bool futc_context_copy(struct futc_context *ctx, void *to, const void *from, int64_t bytes) {
  if (bytes <= 0) {
    return true;
  }
  if (ctx->cuda != NULL) {
    return futc_cuda_copy(ctx, to, from, bytes);
  }
  memcpy(to, from, (size_t)bytes);
  return true;
}

bool futc_context_wait(struct futc_context *ctx, uintptr_t stream) {
  return ctx->cuda == NULL || futc_cuda_wait(ctx, stream);
}

struct entry_call {
  const struct futc_entry *entry;
  const union futc_slot *in;
  union futc_slot *out;
};

static void consume_inputs(struct futc_context *ctx, const struct entry_call *call) {
  const union futc_slot *slot = call->in;
  for (int64_t i = 0; i < call->entry->num_inputs; i++) {
    const struct futc_value_spec *spec = &call->entry->inputs[i];
    for (int64_t j = 0; j < spec->type->num_leaves; j++) {
      struct futc_leaf leaf = spec->type->leaves[j];
      if (spec->unique != 0 && leaf.rank > 0) {
        futc_heap_consume(&ctx->heap, slot->block);
      }
      slot += futc_leaf_slots(leaf);
    }
  }
}

static void run_entry(struct futc_context *ctx, void *argument) {
  struct entry_call *call = argument;
  consume_inputs(ctx, call);
  bool traced = futc_loop_traced(ctx);
  if (traced) {
    futc_loop_trace_begin(ctx, call->entry->name);
  }
  call->entry->fn(ctx, call->in, call->out);
  if (traced) {
    futc_loop_trace_end(ctx);
  }
}

int futc_call(struct futc_context *ctx, const struct futc_entry *entry, const union futc_slot *in,
              union futc_slot *out) {
  struct entry_call call = {entry, in, out};
  (void)pthread_mutex_lock(&ctx->lock);
  if (ctx->cuda != NULL) {
    futc_cuda_enter(ctx->cuda);
  }
  futc_log(ctx, "calling %s", entry->name);
  int64_t start = futc_clock_ns();
  bool ok = guarded(ctx, run_entry, &call);
  if (!ok) {
    futc_heap_abort(&ctx->heap);
  }
  int64_t elapsed = futc_clock_ns() - start;
  futc_profile_add(&ctx->profile, entry->name, elapsed);
  if (ctx->config.logging) {
    futc_log(ctx,
             "%s %s after %" PRId64 " us; peak memory so far: %" PRId64 " bytes (host), %" PRId64
             " bytes (device)",
             entry->name, ok ? "returned" : "failed", elapsed / 1000,
             futc_heap_statistics(&ctx->heap, FUTC_SPACE_HOST).peak_bytes,
             futc_heap_statistics(&ctx->heap, FUTC_SPACE_DEVICE).peak_bytes);
  }
  (void)pthread_mutex_unlock(&ctx->lock);
  return ok ? 0 : 1;
}

/* ---- The rest. ---- */

void futc_context_clear_caches(struct futc_context *ctx) {
  futc_heap_trim(&ctx->heap);
  futc_profile_clear(&ctx->profile);
  futc_loop_profile_clear(ctx);
}

void futc_log(const struct futc_context *ctx, const char *format, ...) {
  if (!ctx->config.logging) {
    return;
  }
  va_list args;
  va_start(args, format);
  FILE *out = ctx->log != NULL ? ctx->log : stderr;
  (void)vfprintf(out, format, args);
  va_end(args);
  (void)fputc('\n', out);
}
