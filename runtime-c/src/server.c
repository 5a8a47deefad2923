/* The server: reads commands, runs them, says when they are done. */
#include "server.h"

#include "clock.h"
#include "error.h"
#include "options.h"
#include "overflow.h"
#include "params.h"
#include "parts.h"
#include "server_state.h"
#include "values.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- General commands. ---- */

static bool cmd_types(struct futc_server *s, struct futc_words w) {
  (void)w;
  for (int64_t i = 0; i < s->program->num_types; i++) {
    (void)puts(s->program->types[i]->name);
  }
  return true;
}

static bool cmd_entry_points(struct futc_server *s, struct futc_words w) {
  (void)w;
  for (int64_t i = 0; i < s->program->num_entries; i++) {
    (void)puts(s->program->entries[i].name);
  }
  return true;
}

static void print_specs(const struct futc_value_spec *specs, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    (void)printf("%s%s\n", specs[i].unique != 0 ? "*" : "", specs[i].type->name);
  }
}

static bool cmd_inputs(struct futc_server *s, struct futc_words w) {
  const struct futc_entry *e = futc_server_entry(s, w.word[0]);
  if (e != NULL) {
    print_specs(e->inputs, e->num_inputs);
  }
  return e != NULL;
}

static bool cmd_outputs(struct futc_server *s, struct futc_words w) {
  const struct futc_entry *e = futc_server_entry(s, w.word[0]);
  if (e != NULL) {
    print_specs(e->outputs, e->num_outputs);
  }
  return e != NULL;
}

/* The result as one value: a tuple, if there are several outputs. */
static bool cmd_output(struct futc_server *s, struct futc_words w) {
  const struct futc_entry *e = futc_server_entry(s, w.word[0]);
  if (e == NULL) {
    return false;
  }
  int64_t unique = e->num_outputs > 0;
  for (int64_t i = 0; i < e->num_outputs; i++) {
    unique &= e->outputs[i].unique != 0;
  }
  print_specs(&(const struct futc_value_spec){NULL, e->result, unique}, 1);
  return true;
}

static bool cmd_free(struct futc_server *s, struct futc_words w) {
  for (int64_t i = 0; i < w.count; i++) {
    struct futc_variable *v = futc_server_variable(s, w.word[i]);
    if (v == NULL) {
      return false;
    }
    futc_server_remove(s, v);
  }
  return true;
}

static bool cmd_rename(struct futc_server *s, struct futc_words w) {
  struct futc_variable *v = futc_server_variable(s, w.word[0]);
  if (v == NULL || !futc_server_name_free(s, w.word[1])) {
    return false;
  }
  char *name = strdup(w.word[1]);
  if (name == NULL) {
    return futc_server_fail("out of memory");
  }
  free(v->name);
  v->name = name;
  return true;
}

static bool cmd_type(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *v = futc_server_variable(s, w.word[0]);
  if (v != NULL) {
    (void)puts(v->type->name);
  }
  return v != NULL;
}

static bool cmd_clear(struct futc_server *s, struct futc_words w) {
  (void)w;
  futc_context_clear_caches(s->ctx);
  return true;
}

static bool cmd_pause_profiling(struct futc_server *s, struct futc_words w) {
  (void)w;
  s->ctx->profile.paused = true;
  return true;
}

static bool cmd_unpause_profiling(struct futc_server *s, struct futc_words w) {
  (void)w;
  s->ctx->profile.paused = false;
  return true;
}

static bool cmd_report(struct futc_server *s, struct futc_words w) {
  (void)w;
  char *text = futc_context_report_json(s->ctx);
  if (text == NULL) {
    return futc_server_fail("out of memory");
  }
  (void)fputs(text, stdout);
  free(text);
  return true;
}

static bool cmd_set_tuning_param(struct futc_server *s, struct futc_words w) {
  char message[FUTC_PARAM_MESSAGE];
  if (w.count == 1) {
    return futc_assign_param(s->program, w.word[0], message) || futc_server_fail("%s", message);
  }
  int64_t value = 0;
  if (!futc_parse_number(w.word[1], &value)) {
    return futc_server_fail("Not an integer: %s", w.word[1]);
  }
  return futc_set_param(s->program, w.word[0], value) ||
         futc_server_fail("Unknown tuning parameter or negative value: %s", w.word[0]);
}

static const struct futc_param *find_param(struct futc_server *s, const char *name) {
  const struct futc_param *p = futc_find_param(s->program, name);
  if (p == NULL) {
    (void)futc_server_fail("Unknown tuning parameter: %s", name);
  }
  return p;
}

static bool cmd_get_tuning_param(struct futc_server *s, struct futc_words w) {
  const struct futc_param *p = find_param(s, w.word[0]);
  if (p != NULL) {
    (void)printf("%" PRId64 "\n", *p->value);
  }
  return p != NULL;
}

static bool cmd_tuning_param_class(struct futc_server *s, struct futc_words w) {
  const struct futc_param *p = find_param(s, w.word[0]);
  if (p != NULL) {
    (void)puts(p->klass);
  }
  return p != NULL;
}

/* Which entry point a parameter is for is not recorded: all are listed. */
static bool cmd_tuning_params(struct futc_server *s, struct futc_words w) {
  if (futc_server_entry(s, w.word[0]) == NULL) {
    return false;
  }
  for (int64_t i = 0; i < s->program->num_params; i++) {
    (void)printf("%s %s\n", s->program->params[i].name, s->program->params[i].klass);
  }
  return true;
}

static bool cmd_attributes(struct futc_server *s, struct futc_words w) {
  const struct futc_entry *e = futc_server_entry(s, w.word[0]);
  for (int64_t i = 0; e != NULL && i < e->num_attributes; i++) {
    (void)puts(e->attributes[i]);
  }
  return e != NULL;
}

/* ---- Calling. ---- */

static bool check_inputs(struct futc_server *s, const struct futc_entry *e, char **names) {
  for (int64_t i = 0; i < e->num_inputs; i++) {
    const struct futc_variable *v = futc_server_usable(s, names[i]);
    if (v == NULL) {
      return false;
    }
    if (!futc_same_type(v->type, e->inputs[i].type)) {
      return futc_server_fail("Wrong input type.  Expected %s, got %s.", e->inputs[i].type->name,
                              v->type->name);
    }
    for (int64_t j = 0; j < e->num_inputs; j++) {
      if (i != j && e->inputs[i].unique != 0 && strcmp(names[i], names[j]) == 0) {
        return futc_server_fail("Variable is consumed and used again in one call: %s", names[i]);
      }
    }
  }
  return true;
}

/* What a call makes: a variable for each output, or one for all of them. */
struct results {
  char **names;
  int64_t count;
  bool together;
};

static const struct futc_type *result_type(const struct futc_entry *e, struct results results,
                                           int64_t i) {
  return results.together ? e->result : e->outputs[i].type;
}

static bool check_results(struct futc_server *s, struct results results) {
  for (int64_t i = 0; i < results.count; i++) {
    if (!futc_server_name_free(s, results.names[i])) {
      return false;
    }
    for (int64_t j = 0; j < i; j++) {
      if (strcmp(results.names[i], results.names[j]) == 0) {
        return futc_server_fail("Variable already exists: %s", results.names[i]);
      }
    }
  }
  return true;
}

/* Variables for the slots of a finished call. */
static bool add_results(struct futc_server *s, const struct futc_entry *e, struct results results,
                        const union futc_slot *out) {
  for (int64_t i = 0; i < results.count; i++) {
    const struct futc_type *type = result_type(e, results, i);
    struct futc_variable *v = futc_server_make(s, results.names[i], type);
    if (v == NULL) {
      for (int64_t j = i; j < results.count; j++) {
        futc_release_value(s->ctx, result_type(e, results, j), out);
        out += futc_type_slots(result_type(e, results, j));
      }
      return false;
    }
    int64_t n = futc_type_slots(type);
    memcpy(v->slots, out, (size_t)n * sizeof *out);
    futc_server_add(s, v);
    out += n;
  }
  return true;
}

static bool call(struct futc_server *s, const struct futc_entry *e, struct results results,
                 char **inputs, union futc_slot *in, union futc_slot *out) {
  union futc_slot *slot = in;
  for (int64_t i = 0; i < e->num_inputs; i++) {
    struct futc_variable *v = futc_server_usable(s, inputs[i]);
    int64_t n = futc_type_slots(v->type);
    memcpy(slot, v->slots, (size_t)n * sizeof *slot);
    slot += n;
    v->consumed = e->inputs[i].unique != 0;
  }
  int64_t start = futc_clock_ns();
  int err = futc_call(s->ctx, e, in, out);
  int64_t elapsed = futc_clock_ns() - start;
  (void)printf("runtime: %" PRId64 "\n", elapsed / 1000);
  if (err != 0) {
    return futc_server_fail("%s", s->ctx->error != NULL ? s->ctx->error : "out of memory");
  }
  return add_results(s, e, results, out);
}

/* The first names are those of results. How many there are says whether a tuple is wanted as one
 * value, as the protocol has it today, or as several, as it had it before. */
static bool cmd_call(struct futc_server *s, struct futc_words w) {
  const struct futc_entry *e = futc_server_entry(s, w.word[0]);
  if (e == NULL) {
    return false;
  }
  struct results results = {w.word + 1, w.count - 1 - e->num_inputs, false};
  results.together = results.count == 1 && e->num_outputs != 1;
  if (!results.together && results.count != e->num_outputs) {
    return futc_server_fail("%s has %" PRId64 " outputs and %" PRId64 " inputs, but %" PRId64
                            " variables are given",
                            e->name, e->num_outputs, e->num_inputs, w.count - 1);
  }
  char **inputs = results.names + results.count;
  if (!check_inputs(s, e, inputs) || !check_results(s, results)) {
    return false;
  }
  size_t in_slots = 1;
  for (int64_t i = 0; i < e->num_inputs; i++) {
    in_slots += (size_t)futc_type_slots(e->inputs[i].type);
  }
  union futc_slot *in = calloc(in_slots, sizeof *in);
  union futc_slot *out = calloc((size_t)futc_type_slots(e->result) + 1, sizeof *out);
  bool ok = in != NULL && out != NULL;
  ok = ok ? call(s, e, results, inputs, in, out) : futc_server_fail("out of memory");
  free(in);
  free(out);
  return ok;
}

/* ---- Reading commands. ---- */

static const struct {
  const char *name;
  bool (*run)(struct futc_server *s, struct futc_words w);
  int64_t least; /* words after the name */
  int64_t most;  /* -1: any number */
} commands[] = {
    {"types", cmd_types, 0, 0},
    {"entry_points", cmd_entry_points, 0, 0},
    {"call", cmd_call, 1, -1},
    {"restore", futc_cmd_restore, 1, -1},
    {"store", futc_cmd_store, 1, -1},
    {"free", cmd_free, 0, -1},
    {"rename", cmd_rename, 2, 2},
    {"inputs", cmd_inputs, 1, 1},
    {"outputs", cmd_outputs, 1, 1},
    {"output", cmd_output, 1, 1},
    {"clear", cmd_clear, 0, 0},
    {"pause_profiling", cmd_pause_profiling, 0, 0},
    {"unpause_profiling", cmd_unpause_profiling, 0, 0},
    {"report", cmd_report, 0, 0},
    {"set_tuning_param", cmd_set_tuning_param, 1, 2},
    {"get_tuning_param", cmd_get_tuning_param, 1, 1},
    {"tuning_params", cmd_tuning_params, 1, 1},
    {"tuning_param_class", cmd_tuning_param_class, 1, 1},
    {"attributes", cmd_attributes, 1, 1},
    {"kind", futc_cmd_kind, 1, 1},
    {"type", cmd_type, 1, 1},
    {"fields", futc_cmd_fields, 1, 1},
    {"new", futc_cmd_new, 2, -1},
    {"project", futc_cmd_project, 3, 3},
    {"variants", futc_cmd_variants, 1, 1},
    {"construct", futc_cmd_construct, 3, -1},
    {"destruct", futc_cmd_destruct, 1, -1},
    {"variant", futc_cmd_variant, 1, 1},
    {"rank", futc_cmd_rank, 1, 1},
    {"elemtype", futc_cmd_elemtype, 1, 1},
    {"shape", futc_cmd_shape, 1, 1},
    {"index", futc_cmd_index, 2, -1},
    {"set", futc_cmd_set, 2, -1},
    {"new_array", futc_cmd_new_array, 2, -1},
    {"zip", futc_cmd_zip, 2, -1},
    {"unzip", futc_cmd_unzip, 1, -1},
};

/* The next word of a line, which is cut into pieces; NULL at the end, *broken on a lone quote. */
static char *next_word(char **line, bool *broken) {
  char *p = *line;
  while (isspace((unsigned char)*p)) {
    p++;
  }
  if (*p == '\0') {
    return NULL;
  }
  char *start = p;
  if (*p == '"') {
    start = ++p;
    while (*p != '\0' && *p != '"') {
      p++;
    }
    if (*p == '\0') {
      *broken = true;
      return NULL;
    }
  } else {
    while (*p != '\0' && !isspace((unsigned char)*p)) {
      p++;
    }
  }
  *line = *p == '\0' ? p : p + 1;
  *p = '\0';
  return start;
}

static void run_command(struct futc_server *s, const char *name, struct futc_words w) {
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(commands[i].name, name) != 0) {
      continue;
    }
    if (w.count < commands[i].least) {
      (void)futc_server_fail("%s: insufficient arguments", name);
    } else if (commands[i].most >= 0 && w.count > commands[i].most) {
      (void)futc_server_fail("%s: too many arguments", name);
    } else {
      (void)commands[i].run(s, w);
    }
    return;
  }
  (void)futc_server_fail("Unknown command: %s", name);
}

static void run_line(struct futc_server *s, char *line) {
  /* Each word but the last is followed by a space or a quote. */
  char **words = malloc((strlen(line) / 2 + 2) * sizeof *words);
  if (words == NULL) {
    (void)futc_server_fail("out of memory");
    return;
  }
  int64_t n = 0;
  bool broken = false;
  while ((words[n] = next_word(&line, &broken)) != NULL) {
    n++;
  }
  if (broken) {
    (void)futc_server_fail("A quote is not closed");
  } else if (n == 0) {
    (void)futc_server_fail("Empty line");
  } else {
    run_command(s, words[0], (struct futc_words){words + 1, n - 1});
  }
  free(words);
}

/* False when nobody is listening any more. */
static bool say_ok(void) {
  return puts("%%% OK") >= 0 && fflush(stdout) == 0;
}

static void serve(struct futc_server *s) {
  char *line = NULL;
  size_t room = 0;
  bool listening = say_ok();
  while (listening && getline(&line, &room, stdin) > 0) {
    run_line(s, line);
    listening = say_ok();
  }
  free(line);
}

int futc_run_server(const struct futc_program *program, int argc, char **argv) {
  struct futc_options options;
  const char *name = argc > 0 ? argv[0] : "futc-program";
  switch (futc_parse_options(program, argc, argv, true, &options)) {
  case FUTC_OPTIONS_DONE: return fflush(stdout) == 0 ? 0 : 1;
  case FUTC_OPTIONS_WRONG: return 1;
  case FUTC_OPTIONS_RUN: break;
  }
  const char *debugging = getenv("FUTHARK_COMPILER_DEBUGGING");
  if (debugging != NULL && strcmp(debugging, "1") == 0) {
    options.config.debugging = true;
  }
  futc_watch_stack("%%% FAILURE\n" FUTC_OVERFLOW_MESSAGE "%%% OK\n");
  struct futc_server s = {.program = program};
  s.ctx = futc_context_open(program, &options.config);
  int status = 0;
  if (s.ctx == NULL || s.ctx->error != NULL) {
    const char *why = s.ctx != NULL && s.ctx->error != NULL ? s.ctx->error : "out of memory\n";
    (void)fprintf(stderr, "%s: %s", name, why);
    status = 1;
  } else {
    serve(&s);
  }
  while (s.variables != NULL) {
    futc_server_remove(&s, s.variables);
  }
  futc_context_close(s.ctx);
  return status;
}
