/* The server's variables and types. */
#include "server_state.h"

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

#define PRIM(P, NAME)                                                                              \
  [P] = {.name = NAME,                                                                             \
         .kind = FUTC_TRANSPARENT,                                                                 \
         .num_leaves = 1,                                                                          \
         .leaves = &(const struct futc_leaf){P, 0}}

static const struct futc_type prim_types[FUTC_NUM_PRIMS] = {
    PRIM(FUTC_I8, "i8"),   PRIM(FUTC_I16, "i16"), PRIM(FUTC_I32, "i32"), PRIM(FUTC_I64, "i64"),
    PRIM(FUTC_U8, "u8"),   PRIM(FUTC_U16, "u16"), PRIM(FUTC_U32, "u32"), PRIM(FUTC_U64, "u64"),
    PRIM(FUTC_F16, "f16"), PRIM(FUTC_F32, "f32"), PRIM(FUTC_F64, "f64"), PRIM(FUTC_BOOL, "bool"),
};

const struct futc_type *futc_server_prim_type(int32_t prim) {
  return &prim_types[prim];
}

bool futc_same_type(const struct futc_type *a, const struct futc_type *b) {
  return a == b || strcmp(a->name, b->name) == 0;
}

static bool collect(struct futc_server *s, const struct futc_type *type) {
  for (size_t i = 0; i < s->num_types; i++) {
    if (futc_same_type(s->types[i], type)) {
      return true;
    }
  }
  if (s->num_types == s->types_capacity) {
    size_t capacity = s->types_capacity == 0 ? 16 : s->types_capacity * 2;
    const struct futc_type **larger = realloc(s->types, capacity * sizeof(*larger));
    if (larger == NULL) {
      return false;
    }
    s->types = larger;
    s->types_capacity = capacity;
  }
  s->types[s->num_types++] = type;
  bool ok = true;
  switch ((enum futc_type_kind)type->kind) {
  case FUTC_TRANSPARENT:
  case FUTC_ATOMIC: break;
  case FUTC_ARRAY:
    ok = type->element == NULL || collect(s, type->element);
    for (int64_t i = 0; ok && i < type->num_fields; i++) {
      ok = collect(s, type->fields[i].type);
    }
    break;
  case FUTC_RECORD:
    for (int64_t i = 0; ok && i < type->num_fields; i++) {
      ok = collect(s, type->fields[i].type);
    }
    break;
  case FUTC_SUM:
    for (int64_t i = 0; ok && i < type->num_fields; i++) {
      const struct futc_constructor *c = &type->constructors[i];
      for (int64_t j = 0; ok && j < c->num_payloads; j++) {
        ok = collect(s, c->payloads[j]);
      }
    }
    break;
  }
  return ok;
}

bool futc_server_collect_types(struct futc_server *s) {
  bool ok = true;
  for (int64_t i = 0; i < s->program->num_entries; i++) {
    const struct futc_entry *e = &s->program->entries[i];
    for (int64_t j = 0; ok && j < e->num_inputs; j++) {
      ok = collect(s, e->inputs[j].type);
    }
    for (int64_t j = 0; ok && j < e->num_outputs; j++) {
      ok = collect(s, e->outputs[j].type);
    }
  }
  return ok;
}

const struct futc_type *futc_server_type(struct futc_server *s, const char *name) {
  for (size_t i = 0; i < s->num_types; i++) {
    if (strcmp(s->types[i]->name, name) == 0) {
      return s->types[i];
    }
  }
  for (int32_t i = 0; i < FUTC_NUM_PRIMS; i++) {
    if (strcmp(prim_types[i].name, name) == 0) {
      return &prim_types[i];
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

void *futc_server_allocate(struct futc_server *s, int64_t bytes) {
  const char *why = NULL;
  void *block = futc_heap_allocate(&s->ctx->heap, bytes, futc_context_input_space(s->ctx), &why);
  if (block == NULL) {
    (void)futc_server_fail("cannot allocate %" PRId64 " bytes: %s", bytes, why);
  }
  return block;
}
