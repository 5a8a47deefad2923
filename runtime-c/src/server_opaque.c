/* The server's commands on records and sums. */
#include "server_state.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
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

/* Copies a value's slots, sharing its blocks. */
static void share(struct futc_server *s, union futc_slot *to, const struct futc_type *type,
                  const union futc_slot *from) {
  memcpy(to, from, (size_t)futc_type_slots(type) * sizeof *to);
  futc_retain_value(s->ctx, type, from);
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
    share(s, slot, v->type, v->slots);
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
  const union futc_slot *slot = from->slots;
  for (int64_t i = 0; i < from->type->num_fields; i++) {
    const struct futc_field *f = &from->type->fields[i];
    if (strcmp(f->name, w.word[2]) == 0) {
      struct futc_variable *to = futc_server_make(s, w.word[0], f->type);
      if (to == NULL) {
        return false;
      }
      share(s, to->slots, f->type, slot);
      futc_server_add(s, to);
      return true;
    }
    slot += futc_type_slots(f->type);
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
  uint64_t tag = v->slots[0].bits & 0xff;
  if (tag >= (uint64_t)v->type->num_fields) {
    (void)futc_server_fail("%s has an invalid tag", v->name);
    return NULL;
  }
  return &v->type->constructors[tag];
}

/* The first slot of a leaf. */
static int64_t slot_of_leaf(const struct futc_type *type, int64_t leaf) {
  int64_t n = 0;
  for (int64_t i = 0; i < leaf; i++) {
    n += futc_leaf_slots(type->leaves[i]);
  }
  return n;
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

/* Leaves that the constructor does not use: zeros, and empty arrays. */
static bool fill_unused(struct futc_server *s, struct futc_variable *v) {
  union futc_slot *slot = v->slots;
  for (int64_t i = 0; i < v->type->num_leaves; i++) {
    struct futc_leaf leaf = v->type->leaves[i];
    if (leaf.rank > 0 && slot->block == NULL) {
      slot->block = futc_server_allocate(s, 0);
      if (slot->block == NULL) {
        return false;
      }
    }
    slot += futc_leaf_slots(leaf);
  }
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
  to->slots[0].bits = (uint64_t)tag;
  int64_t next = 0;
  for (int64_t i = 0; i < c->num_payloads; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[3 + i]);
    futc_retain_value(s->ctx, v->type, v->slots);
    const union futc_slot *from = v->slots;
    for (int64_t j = 0; j < v->type->num_leaves; j++) {
      int64_t n = futc_leaf_slots(v->type->leaves[j]);
      union futc_slot *at = to->slots + slot_of_leaf(type, c->leaves[next++]);
      memcpy(at, from, (size_t)n * sizeof *from);
      from += n;
    }
  }
  if (!fill_unused(s, to)) {
    futc_variable_free(s, to);
    return false;
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
  int64_t next = 0;
  for (int64_t i = 0; i < c->num_payloads; i++) {
    const struct futc_type *type = c->payloads[i];
    struct futc_variable *to = futc_server_make(s, w.word[1 + i], type);
    if (to == NULL) {
      for (; i > 0; i--) {
        futc_server_remove(s, s->variables);
      }
      return false;
    }
    union futc_slot *at = to->slots;
    for (int64_t j = 0; j < type->num_leaves; j++) {
      int64_t n = futc_leaf_slots(type->leaves[j]);
      memcpy(at, from->slots + slot_of_leaf(from->type, c->leaves[next++]), (size_t)n * sizeof *at);
      at += n;
    }
    futc_retain_value(s->ctx, type, to->slots);
    futc_server_add(s, to);
  }
  return true;
}
