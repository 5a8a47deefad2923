/* What the value formats share. */
#include "values.h"

bool futc_read_leaf(struct futc_context *ctx, struct futc_reader *r, struct futc_leaf leaf,
                    union futc_slot *slots) {
  if (leaf.rank > FUTC_MAX_RANK) {
    return futc_reader_fail(r, "limitation: arrays of more than %d dimensions cannot be read",
                            FUTC_MAX_RANK);
  }
  int byte = -1;
  if (!futc_reader_skip_space(r) || !futc_reader_peek(r, &byte)) {
    return false;
  }
  if (byte == -1) {
    return futc_reader_fail(r, "end of input");
  }
  /* No text value begins with this letter. */
  if (byte == 'b') {
    r->pos++;
    return futc_read_binary(ctx, r, leaf, slots);
  }
  return futc_read_text(ctx, r, leaf, slots);
}

void futc_write_value(struct futc_writer *w, const struct futc_type *type,
                      const union futc_slot *slots, bool binary) {
  if (binary) {
    /* Opaque values as their leaves: what reads binary data finds no text in it. */
    futc_store_value(w, type, slots);
  } else if (type->kind != FUTC_TRANSPARENT) {
    futc_writer_text(w, "#<opaque ");
    futc_writer_text(w, type->name);
    futc_writer_text(w, ">");
  } else {
    futc_write_text(w, type->leaves[0], slots);
  }
}

void futc_release_value(struct futc_context *ctx, const struct futc_type *type,
                        const union futc_slot *slots) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    if (type->leaves[i].rank > 0) {
      futc_release(ctx, slots->block);
    }
    slots += futc_leaf_slots(type->leaves[i]);
  }
}

void futc_retain_value(struct futc_context *ctx, const struct futc_type *type,
                       const union futc_slot *slots) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    if (type->leaves[i].rank > 0) {
      futc_retain(ctx, slots->block);
    }
    slots += futc_leaf_slots(type->leaves[i]);
  }
}
