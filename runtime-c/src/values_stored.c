/* Values stored and restored: the server's files, and the byte sequences of libraries. */
#include "values.h"

#include "prim.h"

#include <stdlib.h>
#include <string.h>

#define OPAQUE_MAGIC "futc-opaque "
/* `b`, version, rank and type. */
#define LEAF_HEADER 7

void futc_store_heading(struct futc_writer *w, const struct futc_type *type) {
  if (type->kind != FUTC_TRANSPARENT) {
    futc_writer_text(w, OPAQUE_MAGIC);
    futc_writer_text(w, type->name);
    futc_writer_text(w, "\n");
  }
}

int64_t futc_heading_size(const struct futc_type *type) {
  return type->kind == FUTC_TRANSPARENT ? 0
                                        : (int64_t)(strlen(OPAQUE_MAGIC) + strlen(type->name) + 1);
}

void futc_store_value(struct futc_writer *w, const struct futc_type *type,
                      const union futc_slot *slots) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    futc_write_binary(w, type->leaves[i], slots);
    slots += futc_leaf_slots(type->leaves[i]);
  }
}

int64_t futc_stored_size(const struct futc_type *type, const union futc_slot *slots) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    int64_t count = 1;
    int64_t size = futc_prims[leaf.prim].size;
    if (leaf.rank > 0) {
      (void)futc_element_count(&slots[1].i64, leaf.rank, size, &count);
    }
    bytes += LEAF_HEADER + (int64_t)leaf.rank * 8 + count * size;
    slots += futc_leaf_slots(leaf);
  }
  return bytes;
}

/* Reads exactly these bytes. */
static bool expect_bytes(struct futc_reader *r, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    int byte = -1;
    if (!futc_reader_peek(r, &byte)) {
      return false;
    }
    if (byte != (unsigned char)text[i]) {
      return futc_reader_fail(r, "not a stored value of this type");
    }
    r->pos++;
  }
  return true;
}

/* ---- What is read is not believed. ---- */

static int64_t leaf_slots(struct futc_leaf leaf, int32_t outer) {
  return futc_leaf_slots((struct futc_leaf){leaf.prim, leaf.rank + outer});
}

static bool consistent(struct futc_reader *r, const struct futc_type *type,
                       const union futc_slot *slots, int32_t outer);

/* Of the constructor of a sum, whose leaves lie apart: they are brought together. */
static bool payload_consistent(struct futc_reader *r, const struct futc_type *sum,
                               const struct futc_type *payload, const int64_t *leaves,
                               const union futc_slot *slots, int32_t outer) {
  int64_t room = 1;
  for (int64_t i = 0; i < payload->num_leaves; i++) {
    room += leaf_slots(payload->leaves[i], outer);
  }
  union futc_slot *together = malloc((size_t)room * sizeof *together);
  if (together == NULL) {
    return futc_reader_fail(r, "out of memory");
  }
  union futc_slot *to = together;
  for (int64_t i = 0; i < payload->num_leaves; i++) {
    const union futc_slot *from = slots;
    for (int64_t j = 0; j < leaves[i]; j++) {
      from += leaf_slots(sum->leaves[j], outer);
    }
    int64_t n = leaf_slots(payload->leaves[i], outer);
    memcpy(to, from, (size_t)n * sizeof *to);
    to += n;
  }
  bool ok = consistent(r, payload, together, outer);
  free(together);
  return ok;
}

static bool sum_consistent(struct futc_reader *r, const struct futc_type *type,
                           const union futc_slot *slots, int32_t outer) {
  int64_t count = 1;
  const uint8_t *tags = (const uint8_t *)&slots[0].bits;
  if (outer > 0) {
    (void)futc_element_count(&slots[1].i64, outer, 1, &count);
    tags = slots[0].block;
  }
  bool found[UINT8_MAX + 1] = {false};
  for (int64_t i = 0; i < count; i++) {
    found[tags[i]] = true;
  }
  for (int64_t tag = 0; tag <= UINT8_MAX; tag++) {
    if (!found[tag]) {
      continue;
    }
    if (tag >= type->num_fields) {
      return futc_reader_fail(r, "%d is no constructor of %s", (int)tag, type->name);
    }
    const struct futc_constructor *c = &type->constructors[tag];
    int64_t next = 0;
    for (int64_t i = 0; i < c->num_payloads; i++) {
      const struct futc_type *payload = c->payloads[i];
      if (!payload_consistent(r, type, payload, c->leaves + next, slots, outer)) {
        return false;
      }
      next += payload->num_leaves;
    }
  }
  return true;
}

/* Whether arrays that are one to the outside have one shape, and tags are those of constructors: the
 * runtime's own functions rely on it, and nobody else looks. Each leaf has `outer` more dimensions in
 * front than the type says. */
static bool consistent(struct futc_reader *r, const struct futc_type *type,
                       const union futc_slot *slots, int32_t outer) {
  switch ((enum futc_type_kind)type->kind) {
  case FUTC_TRANSPARENT:
  case FUTC_ATOMIC: return true;
  case FUTC_RECORD:
    for (int64_t i = 0; i < type->num_fields; i++) {
      const struct futc_type *field = type->fields[i].type;
      if (!consistent(r, field, slots, outer)) {
        return false;
      }
      for (int64_t j = 0; j < field->num_leaves; j++) {
        slots += leaf_slots(field->leaves[j], outer);
      }
    }
    return true;
  case FUTC_SUM: return sum_consistent(r, type, slots, outer);
  case FUTC_ARRAY: break;
  }
  const union futc_slot *leaf = slots;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    if (memcmp(leaf + 1 + outer, slots + 1 + outer, (size_t)type->rank * sizeof *slots) != 0) {
      return futc_reader_fail(r, "the parts of an array of type %s differ in shape", type->name);
    }
    leaf += leaf_slots(type->leaves[i], outer);
  }
  return type->element == NULL || consistent(r, type->element, slots, outer + type->rank);
}

bool futc_restore_heading(struct futc_reader *r, const struct futc_type *type) {
  return type->kind == FUTC_TRANSPARENT ||
         (futc_reader_skip_space(r) && expect_bytes(r, OPAQUE_MAGIC, strlen(OPAQUE_MAGIC)) &&
          expect_bytes(r, type->name, strlen(type->name)) && expect_bytes(r, "\n", 1));
}

bool futc_restore_value(struct futc_context *ctx, struct futc_reader *r,
                        const struct futc_type *type, union futc_slot *slots) {
  const union futc_slot *first = slots;
  bool opaque = type->kind != FUTC_TRANSPARENT;
  if (opaque && !futc_reader_skip_space(r)) {
    return false;
  }
  for (int64_t i = 0; i < type->num_leaves; i++) {
    if (!(opaque ? expect_bytes(r, "b", 1) && futc_read_binary(ctx, r, type->leaves[i], slots)
                 : futc_read_leaf(ctx, r, type->leaves[i], slots))) {
      return false;
    }
    slots += futc_leaf_slots(type->leaves[i]);
  }
  return consistent(r, type, first, 0);
}
