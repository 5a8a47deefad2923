/* Values stored and restored: the server's files, and the byte sequences of libraries. */
#include "values.h"

#include "prim.h"

#include <string.h>

#define OPAQUE_MAGIC "futc-opaque "
/* `b`, version, rank and type. */
#define LEAF_HEADER 7

void futc_store_value(struct futc_writer *w, const struct futc_type *type,
                      const union futc_slot *slots) {
  if (type->kind != FUTC_TRANSPARENT) {
    futc_writer_text(w, OPAQUE_MAGIC);
    futc_writer_text(w, type->name);
    futc_writer_text(w, "\n");
  }
  for (int64_t i = 0; i < type->num_leaves; i++) {
    futc_write_binary(w, type->leaves[i], slots);
    slots += futc_leaf_slots(type->leaves[i]);
  }
}

int64_t futc_stored_size(const struct futc_type *type, const union futc_slot *slots) {
  int64_t bytes = 0;
  if (type->kind != FUTC_TRANSPARENT) {
    bytes += (int64_t)(strlen(OPAQUE_MAGIC) + strlen(type->name) + 1);
  }
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

bool futc_restore_value(struct futc_context *ctx, struct futc_reader *r,
                        const struct futc_type *type, union futc_slot *slots) {
  if (type->kind != FUTC_TRANSPARENT &&
      !(futc_reader_skip_space(r) && expect_bytes(r, OPAQUE_MAGIC, strlen(OPAQUE_MAGIC)) &&
        expect_bytes(r, type->name, strlen(type->name)) && expect_bytes(r, "\n", 1))) {
    return false;
  }
  for (int64_t i = 0; i < type->num_leaves; i++) {
    bool opaque = type->kind != FUTC_TRANSPARENT;
    if (!(opaque ? expect_bytes(r, "b", 1) && futc_read_binary(ctx, r, type->leaves[i], slots)
                 : futc_read_leaf(ctx, r, type->leaves[i], slots))) {
      return false;
    }
    slots += futc_leaf_slots(type->leaves[i]);
  }
  return true;
}
