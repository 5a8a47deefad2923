/* Plain executables: read the arguments, run, print the result. */
#include "cli.h"

#include "clock.h"
#include "error.h"
#include "options.h"
#include "overflow.h"
#include "values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
  const char *name; /* of the executable */
  struct futc_options options;
  struct futc_context *ctx;
  const struct futc_entry *entry;
  FILE *runtimes;          /* or NULL */
  union futc_slot *inputs; /* of which the first num_read parameters hold values */
  int64_t num_read;
  union futc_slot *arguments; /* a copy of the inputs for one call */
  union futc_slot *outputs;
  bool have_outputs;
};

static bool fail(const struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(const struct run *run, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fflush(stdout);
  (void)fprintf(stderr, "%s: ", run->name);
  (void)vfprintf(stderr, format, args);
  va_end(args);
  return false;
}

static bool fail_with_context(const struct run *run) {
  return fail(run, "%s", run->ctx->error != NULL ? run->ctx->error : "Error: out of memory\n");
}

static bool dump_ptx(const struct run *run, const struct futc_program *program) {
  FILE *out = fopen(run->options.dump_ptx, "w");
  if (out == NULL) {
    return fail(run, "Error: cannot open %s: %s\n", run->options.dump_ptx, strerror(errno));
  }
  bool ok = program->ptx == NULL || fputs(program->ptx, out) >= 0;
  ok = fclose(out) == 0 && ok;
  return ok || fail(run, "Error: cannot write %s\n", run->options.dump_ptx);
}

static bool pick_entry(struct run *run, const struct futc_program *program) {
  for (int64_t i = 0; i < program->num_entries; i++) {
    if (strcmp(program->entries[i].name, run->options.entry) == 0) {
      run->entry = &program->entries[i];
      return true;
    }
  }
  (void)fail(run,
             "Error: no entry point '%s'; choose another with --entry-point:", run->options.entry);
  for (int64_t i = 0; i < program->num_entries; i++) {
    (void)fprintf(stderr, " %s", program->entries[i].name);
  }
  (void)fputc('\n', stderr);
  return false;
}

static int64_t count_slots(const struct futc_value_spec *specs, int64_t n) {
  int64_t slots = 0;
  for (int64_t i = 0; i < n; i++) {
    slots += futc_type_slots(specs[i].type);
  }
  return slots;
}

static bool read_inputs(struct run *run) {
  const struct futc_entry *e = run->entry;
  for (int64_t i = 0; i < e->num_inputs; i++) {
    if (e->inputs[i].type->kind != FUTC_TRANSPARENT) {
      return fail(run,
                  "Error: argument #%" PRId64 " (%s) of entry point %s has the opaque type %s"
                  " and cannot be read\n",
                  i, e->inputs[i].name, e->name, e->inputs[i].type->name);
    }
  }
  struct futc_reader r;
  if (!futc_reader_open(&r, STDIN_FILENO)) {
    return fail(run, "Error: out of memory\n");
  }
  bool ok = true;
  union futc_slot *slot = run->inputs;
  for (int64_t i = 0; ok && i < e->num_inputs; i++) {
    const struct futc_type *type = e->inputs[i].type;
    ok = futc_read_leaf(run->ctx, &r, type->leaves[0], slot);
    if (ok) {
      run->num_read++;
      slot += futc_type_slots(type);
    } else {
      (void)fail(run, "Error: cannot read argument #%" PRId64 " (%s) of type %s: %s\n", i,
                 e->inputs[i].name, type->name, r.message);
    }
  }
  if (ok && !futc_reader_finish(&r)) {
    ok = fail(run, "Error: after %" PRId64 " arguments: %s\n", e->num_inputs, r.message);
  }
  futc_reader_close(&r);
  return ok;
}

void *futc_copy_block(struct futc_context *ctx, const void *block) {
  const char *why = NULL;
  int64_t bytes = futc_heap_block_size(block);
  void *copy = futc_heap_allocate(&ctx->heap, bytes, futc_context_input_space(ctx), &why);
  if (copy == NULL) {
    futc_set_error(ctx, "Error: cannot allocate %" PRId64 " bytes: %s\n", bytes, why);
    return NULL;
  }
  memcpy(copy, block, (size_t)bytes);
  return copy;
}

static void release_outputs(struct run *run) {
  if (!run->have_outputs) {
    return;
  }
  const union futc_slot *slot = run->outputs;
  for (int64_t i = 0; i < run->entry->num_outputs; i++) {
    futc_release_value(run->ctx, run->entry->outputs[i].type, slot);
    slot += futc_type_slots(run->entry->outputs[i].type);
  }
  run->have_outputs = false;
}

/* Consumed arguments are copied for each call, outside of the time measured. */
static bool prepare_arguments(struct run *run) {
  const struct futc_entry *e = run->entry;
  int64_t at = 0;
  for (int64_t i = 0; i < e->num_inputs; i++) {
    const struct futc_type *type = e->inputs[i].type;
    int64_t n = futc_type_slots(type);
    memcpy(run->arguments + at, run->inputs + at, (size_t)n * sizeof *run->inputs);
    if (e->inputs[i].unique != 0 && type->leaves[0].rank > 0) {
      run->arguments[at].block = futc_copy_block(run->ctx, run->inputs[at].block);
      if (run->arguments[at].block == NULL) {
        return fail_with_context(run);
      }
    }
    at += n;
  }
  return true;
}

/* The last call may have the consumed arguments themselves. */
static void surrender_arguments(struct run *run) {
  const struct futc_entry *e = run->entry;
  int64_t at = 0;
  for (int64_t i = 0; i < e->num_inputs; i++) {
    const struct futc_type *type = e->inputs[i].type;
    int64_t n = futc_type_slots(type);
    memcpy(run->arguments + at, run->inputs + at, (size_t)n * sizeof *run->inputs);
    if (e->inputs[i].unique != 0 && type->leaves[0].rank > 0) {
      run->inputs[at].block = NULL;
    }
    at += n;
  }
}

static bool call_once(struct run *run, bool last, bool measured) {
  release_outputs(run);
  if (last) {
    surrender_arguments(run);
  } else if (!prepare_arguments(run)) {
    return false;
  }
  int64_t start = futc_clock_ns();
  int err = futc_call(run->ctx, run->entry, run->arguments, run->outputs);
  int64_t elapsed = futc_clock_ns() - start;
  if (err != 0) {
    return fail_with_context(run);
  }
  run->have_outputs = true;
  if (measured && run->runtimes != NULL) {
    (void)fprintf(run->runtimes, "%" PRId64 "\n", elapsed / 1000);
  }
  return true;
}

static bool call_all(struct run *run) {
  int64_t runs = run->options.runs;
  if (runs < 0) {
    return call_once(run, true, true);
  }
  run->ctx->profile.paused = true;
  if (!call_once(run, false, false)) {
    return false;
  }
  for (int64_t i = 0; i < runs; i++) {
    /* Of many runs, the last is profiled. */
    run->ctx->profile.paused = i + 1 < runs;
    if (!call_once(run, i + 1 == runs, true)) {
      return false;
    }
  }
  return true;
}

static bool print_outputs(struct run *run) {
  struct futc_writer *w = malloc(sizeof *w);
  if (w == NULL) {
    return fail(run, "Error: out of memory\n");
  }
  futc_writer_open(w, STDOUT_FILENO);
  const union futc_slot *slot = run->outputs;
  for (int64_t i = 0; i < run->entry->num_outputs; i++) {
    const struct futc_type *type = run->entry->outputs[i].type;
    futc_write_value(w, type, slot, run->options.binary_output);
    if (!run->options.binary_output) {
      futc_writer_text(w, "\n");
    }
    slot += futc_type_slots(type);
  }
  bool ok = futc_writer_flush(w);
  if (!ok) {
    (void)fail(run, "Error: cannot write the result: %s\n", strerror(w->error));
  }
  free(w);
  return ok;
}

static bool run_entry(struct run *run) {
  const struct futc_entry *e = run->entry;
  size_t in = (size_t)count_slots(e->inputs, e->num_inputs) + 1;
  size_t out = (size_t)count_slots(e->outputs, e->num_outputs) + 1;
  run->inputs = calloc(in, sizeof *run->inputs);
  run->arguments = calloc(in, sizeof *run->arguments);
  run->outputs = calloc(out, sizeof *run->outputs);
  if (run->inputs == NULL || run->arguments == NULL || run->outputs == NULL) {
    return fail(run, "Error: out of memory\n");
  }
  if (!read_inputs(run) || !call_all(run)) {
    return false;
  }
  return run->options.no_result || print_outputs(run);
}

static void report(const struct run *run) {
  if (!run->options.config.profiling && !run->options.config.debugging) {
    return;
  }
  char *text = futc_context_report(run->ctx);
  if (text != NULL) {
    (void)fputs(text, stderr);
    free(text);
  }
}

static void release_inputs(struct run *run) {
  const union futc_slot *slot = run->inputs;
  for (int64_t i = 0; i < run->num_read; i++) {
    futc_release_value(run->ctx, run->entry->inputs[i].type, slot);
    slot += futc_type_slots(run->entry->inputs[i].type);
  }
}

static bool run_program(struct run *run, const struct futc_program *program) {
  if (run->options.runtime_path != NULL) {
    run->runtimes = fopen(run->options.runtime_path, "w");
    if (run->runtimes == NULL) {
      return fail(run, "Error: cannot open %s: %s\n", run->options.runtime_path, strerror(errno));
    }
  }
  if (!pick_entry(run, program)) {
    return false;
  }
  run->ctx = futc_context_open(program, &run->options.config);
  if (run->ctx == NULL) {
    return fail(run, "Error: out of memory\n");
  }
  if (run->ctx->error != NULL) {
    return fail_with_context(run);
  }
  bool ok = run_entry(run);
  report(run);
  release_outputs(run);
  release_inputs(run);
  return ok;
}

int futc_run_cli(const struct futc_program *program, int argc, char **argv) {
  struct run run = {.name = argc > 0 ? argv[0] : "futc-program"};
  switch (futc_parse_options(program, argc, argv, false, &run.options)) {
  case FUTC_OPTIONS_DONE: return fflush(stdout) == 0 ? 0 : 1;
  case FUTC_OPTIONS_WRONG: return 1;
  case FUTC_OPTIONS_RUN: break;
  }
  if (run.options.dump_ptx != NULL) {
    return dump_ptx(&run, program) ? 0 : 1;
  }
  futc_watch_stack("");
  bool ok = run_program(&run, program);
  if (run.runtimes != NULL && fclose(run.runtimes) != 0 && ok) {
    ok = fail(&run, "Error: cannot write %s: %s\n", run.options.runtime_path, strerror(errno));
  }
  futc_context_close(run.ctx);
  free(run.inputs);
  free(run.arguments);
  free(run.outputs);
  return ok ? 0 : 1;
}
