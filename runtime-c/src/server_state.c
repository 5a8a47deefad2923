/* The server's variables and types. */
#include "server_state.h"

#include "parts.h"
#include "prim.h"
#include "values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool futc_server_fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fputs("%%% FAILURE\n", stdout);
  (void)vprintf(format, args);
  (void)fputc('\n', stdout);
  va_end(args);
  return false;
}

/* ---- Types. ---- */

const struct futc_type *futc_server_type(struct futc_server *s, const char *name) {
  for (int64_t i = 0; i < s->program->num_types; i++) {
    if (strcmp(s->program->types[i]->name, name) == 0) {
      return s->program->types[i];
    }
  }
  for (int32_t i = 0; i < FUTC_NUM_PRIMS; i++) {
    if (strcmp(futc_prims[i].name, name) == 0) {
      return futc_prim_type(i);
    }
  }
  (void)futc_server_fail("Unknown type: %s", name);
  return NULL;
}

const struct futc_entry *futc_server_entry(struct futc_server *s, const char *name) {
  for (int64_t i = 0; i < s->program->num_entries; i++) {
    if (strcmp(s->program->entries[i].name, name) == 0) {
      return &s->program->entries[i];
    }
  }
  (void)futc_server_fail("Unknown entry point: %s", name);
  return NULL;
}

/* ---- Variables. ---- */

static struct futc_variable *find(struct futc_server *s, const char *name) {
  struct futc_variable *v = s->variables;
  while (v != NULL && strcmp(v->name, name) != 0) {
    v = v->next;
  }
  return v;
}

struct futc_variable *futc_server_variable(struct futc_server *s, const char *name) {
  struct futc_variable *v = find(s, name);
  if (v == NULL) {
    (void)futc_server_fail("Unknown variable: %s", name);
  }
  return v;
}

struct futc_variable *futc_server_usable(struct futc_server *s, const char *name) {
  struct futc_variable *v = futc_server_variable(s, name);
  if (v != NULL && v->consumed) {
    (void)futc_server_fail("Variable has been consumed: %s", name);
    return NULL;
  }
  return v;
}

bool futc_server_name_free(struct futc_server *s, const char *name) {
  return find(s, name) == NULL || futc_server_fail("Variable already exists: %s", name);
}

struct futc_variable *futc_server_make(struct futc_server *s, const char *name,
                                       const struct futc_type *type) {
  if (!futc_server_name_free(s, name)) {
    return NULL;
  }
  size_t slots = (size_t)futc_type_slots(type);
  struct futc_variable *v = calloc(1, sizeof *v + slots * sizeof v->slots[0]);
  if (v != NULL) {
    v->name = strdup(name);
    v->type = type;
  }
  if (v == NULL || v->name == NULL) {
    free(v);
    (void)futc_server_fail("out of memory");
    return NULL;
  }
  return v;
}

void futc_server_add(struct futc_server *s, struct futc_variable *v) {
  v->next = s->variables;
  s->variables = v;
}

void futc_variable_discard(struct futc_variable *v) {
  free(v->name);
  free(v);
}

void futc_variable_free(struct futc_server *s, struct futc_variable *v) {
  if (!v->consumed) {
    futc_release_value(s->ctx, v->type, v->slots);
  }
  futc_variable_discard(v);
}

void futc_server_remove(struct futc_server *s, struct futc_variable *v) {
  struct futc_variable **link = &s->variables;
  while (*link != v) {
    link = &(*link)->next;
  }
  *link = v->next;
  futc_variable_free(s, v);
}
