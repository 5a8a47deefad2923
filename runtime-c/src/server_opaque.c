/* The server's commands on records and sums. */
#include "parts.h"
#include "server_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool futc_cmd_kind(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[0]);
  if (type == NULL) {
    return false;
  }
  const char *kind = "opaque";
  switch ((enum futc_type_kind)type->kind) {
  case FUTC_TRANSPARENT: kind = type->leaves[0].rank == 0 ? "primitive" : "array"; break;
  case FUTC_ATOMIC: break;
  case FUTC_RECORD: kind = "record"; break;
  case FUTC_SUM: kind = "sum"; break;
  case FUTC_ARRAY: kind = "array"; break;
  }
  (void)puts(kind);
  return true;
}

/* ---- Records. ---- */

bool futc_cmd_fields(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[0]);
  if (type == NULL) {
    return false;
  }
  bool array_of_records = type->kind == FUTC_ARRAY && type->num_fields > 0;
  if (type->kind != FUTC_RECORD && !array_of_records) {
    return futc_server_fail("Not a record type: %s", type->name);
  }
  for (int64_t i = 0; i < type->num_fields; i++) {
    (void)printf("%s %s\n", type->fields[i].name, type->fields[i].type->name);
  }
  return true;
}

bool futc_cmd_new(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[1]);
  if (type == NULL) {
    return false;
  }
  if (type->kind != FUTC_RECORD) {
    return futc_server_fail("Not a record type: %s", type->name);
  }
  if (w.count - 2 != type->num_fields) {
    return futc_server_fail("%" PRId64 " fields expected, but %" PRId64 " values provided",
                            type->num_fields, w.count - 2);
  }
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[2 + i]);
    if (v == NULL) {
      return false;
    }
    if (!futc_same_type(v->type, type->fields[i].type)) {
      return futc_server_fail("Field %s: expected type %s, got %s", type->fields[i].name,
                              type->fields[i].type->name, v->type->name);
    }
  }
  struct futc_variable *to = futc_server_make(s, w.word[0], type);
  if (to == NULL) {
    return false;
  }
  union futc_slot *slot = to->slots;
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[2 + i]);
    futc_share_value(s->ctx, slot, v->type, v->slots);
    slot += futc_type_slots(v->type);
  }
  futc_server_add(s, to);
  return true;
}

bool futc_cmd_project(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *from = futc_server_usable(s, w.word[1]);
  if (from == NULL) {
    return false;
  }
  if (from->type->kind != FUTC_RECORD) {
    return futc_server_fail("Not a record type: %s", from->type->name);
  }
  for (int64_t i = 0; i < from->type->num_fields; i++) {
    const struct futc_field *f = &from->type->fields[i];
    if (strcmp(f->name, w.word[2]) == 0) {
      struct futc_variable *to = futc_server_make(s, w.word[0], f->type);
      if (to == NULL) {
        return false;
      }
      futc_share_value(s->ctx, to->slots, f->type, futc_field_slots(from->type, from->slots, i));
      futc_server_add(s, to);
      return true;
    }
  }
  return futc_server_fail("No such field: %s", w.word[2]);
}

/* ---- Sums. ---- */

static const struct futc_type *sum_type(struct futc_server *s, const char *name) {
  const struct futc_type *type = futc_server_type(s, name);
  if (type != NULL && type->kind != FUTC_SUM) {
    (void)futc_server_fail("Not a sum type: %s", name);
    return NULL;
  }
  return type;
}

static const struct futc_variable *sum_variable(struct futc_server *s, const char *name) {
  const struct futc_variable *v = futc_server_usable(s, name);
  if (v != NULL && v->type->kind != FUTC_SUM) {
    (void)futc_server_fail("Not a sum type: %s", v->type->name);
    return NULL;
  }
  return v;
}

/* The constructor of a value, or NULL after reporting that its tag is not one. */
static const struct futc_constructor *constructor_of(const struct futc_variable *v) {
  const struct futc_constructor *c = futc_variant(v->type, v->slots);
  if (c == NULL) {
    (void)futc_server_fail("%s has an invalid tag", v->name);
  }
  return c;
}

bool futc_cmd_variants(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = sum_type(s, w.word[0]);
  if (type == NULL) {
    return false;
  }
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_constructor *c = &type->constructors[i];
    (void)puts(c->name);
    for (int64_t j = 0; j < c->num_payloads; j++) {
      (void)printf("- %s\n", c->payloads[j]->name);
    }
  }
  return true;
}

bool futc_cmd_variant(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *v = sum_variable(s, w.word[0]);
  const struct futc_constructor *c = v == NULL ? NULL : constructor_of(v);
  if (c == NULL) {
    return false;
  }
  (void)puts(c->name);
  return true;
}

static bool check_payloads(struct futc_server *s, const struct futc_constructor *c,
                           struct futc_words w) {
  if (w.count - 3 != c->num_payloads) {
    return futc_server_fail("%" PRId64 " values expected, but %" PRId64 " provided",
                            c->num_payloads, w.count - 3);
  }
  for (int64_t i = 0; i < c->num_payloads; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[3 + i]);
    if (v == NULL) {
      return false;
    }
    if (!futc_same_type(v->type, c->payloads[i])) {
      return futc_server_fail("Value %" PRId64 ": expected type %s, got %s", i,
                              c->payloads[i]->name, v->type->name);
    }
  }
  return true;
}

bool futc_cmd_construct(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = sum_type(s, w.word[1]);
  if (type == NULL) {
    return false;
  }
  int64_t tag = 0;
  while (tag < type->num_fields && strcmp(type->constructors[tag].name, w.word[2]) != 0) {
    tag++;
  }
  if (tag == type->num_fields) {
    return futc_server_fail("No such variant: %s", w.word[2]);
  }
  const struct futc_constructor *c = &type->constructors[tag];
  if (!check_payloads(s, c, w)) {
    return false;
  }
  struct futc_variable *to = futc_server_make(s, w.word[0], type);
  if (to == NULL) {
    return false;
  }
  const union futc_slot **payloads = malloc(((size_t)c->num_payloads + 1) * sizeof *payloads);
  if (payloads == NULL) {
    futc_variable_discard(to);
    return futc_server_fail("out of memory");
  }
  for (int64_t i = 0; i < c->num_payloads; i++) {
    payloads[i] = futc_server_usable(s, w.word[3 + i])->slots;
  }
  char why[FUTC_WHY];
  bool ok = futc_construct(s->ctx, type, tag, payloads, to->slots, why);
  free(payloads);
  if (!ok) {
    futc_variable_discard(to);
    return futc_server_fail("%s", why);
  }
  futc_server_add(s, to);
  return true;
}

bool futc_cmd_destruct(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *from = sum_variable(s, w.word[0]);
  const struct futc_constructor *c = from == NULL ? NULL : constructor_of(from);
  if (c == NULL) {
    return false;
  }
  if (w.count - 1 != c->num_payloads) {
    return futc_server_fail("%s has %" PRId64 " values, but %" PRId64 " variables provided",
                            c->name, c->num_payloads, w.count - 1);
  }
  for (int64_t i = 0; i < c->num_payloads; i++) {
    struct futc_variable *to = futc_server_make(s, w.word[1 + i], c->payloads[i]);
    if (to == NULL) {
      for (; i > 0; i--) {
        futc_server_remove(s, s->variables);
      }
      return false;
    }
    futc_destruct(s->ctx, from->type, c, i, from->slots, to->slots);
    futc_server_add(s, to);
  }
  return true;
}
