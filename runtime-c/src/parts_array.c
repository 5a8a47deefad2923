/* What values consist of: elements of arrays, of primitive or of opaque type. */
#include "parts.h"

#include "prim.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool futc_view_array(const struct futc_type *type, struct futc_array_view *view) {
  if (type->kind == FUTC_TRANSPARENT && type->leaves[0].rank > 0) {
    *view = (struct futc_array_view){type->leaves[0].rank, futc_prim_type(type->leaves[0].prim)};
    return true;
  }
  if (type->kind == FUTC_ARRAY && type->element != NULL) {
    *view = (struct futc_array_view){type->rank, type->element};
    return true;
  }
  return false;
}

bool futc_array_position(struct futc_array_view view, const union futc_slot *slots,
                         const int64_t *index, int64_t *position, char why[FUTC_WHY]) {
  *position = 0;
  for (int32_t i = 0; i < view.rank; i++) {
    int64_t size = slots[1 + i].i64;
    if (index[i] < 0 || index[i] >= size) {
      (void)snprintf(why, FUTC_WHY, "Index %" PRId64 " is out of bounds for size %" PRId64,
                     index[i], size);
      return false;
    }
    *position = *position * size + index[i];
  }
  return true;
}

/* The bytes of an array leaf under one element. */
static int64_t row_bytes(struct futc_leaf leaf, const union futc_slot *slots, int32_t rank) {
  int64_t size = futc_prims[leaf.prim].size;
  int64_t count = 0;
  (void)futc_element_count(&slots[0].i64 + 1 + rank, leaf.rank - rank, size, &count);
  return count * size;
}

bool futc_array_get(struct futc_context *ctx, const struct futc_type *type,
                    struct futc_array_view view, const union futc_slot *slots, int64_t position,
                    union futc_slot *element, char why[FUTC_WHY]) {
  memset(element, 0, (size_t)futc_type_slots(view.element) * sizeof *element);
  union futc_slot *out = element;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    int64_t bytes = row_bytes(leaf, slots, view.rank);
    const char *row = (const char *)slots[0].block + position * bytes;
    if (leaf.rank == view.rank) {
      memcpy(&out->bits, row, (size_t)bytes);
      out++;
    } else {
      out->block = futc_value_block(ctx, bytes, why);
      if (out->block == NULL) {
        futc_release_value(ctx, view.element, element);
        return false;
      }
      memcpy(out->block, row, (size_t)bytes);
      int32_t inner = leaf.rank - view.rank;
      memcpy(out + 1, slots + 1 + view.rank, (size_t)inner * sizeof *out);
      out += 1 + inner;
    }
    slots += futc_leaf_slots(leaf);
  }
  return true;
}

bool futc_array_fits(const struct futc_type *type, int32_t rank, const union futc_slot *slots,
                     const union futc_slot *element) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    int32_t inner = leaf.rank - rank;
    if (inner > 0 && memcmp(slots + 1 + rank, element + 1, (size_t)inner * sizeof *slots) != 0) {
      return false;
    }
    slots += futc_leaf_slots(leaf);
    element += inner == 0 ? 1 : 1 + inner;
  }
  return true;
}

void futc_array_set(const struct futc_type *type, int32_t rank, const union futc_slot *slots,
                    int64_t position, const union futc_slot *element) {
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    int64_t bytes = row_bytes(leaf, slots, rank);
    const void *from = leaf.rank == rank ? (const void *)&element->bits : element->block;
    memcpy((char *)slots[0].block + position * bytes, from, (size_t)bytes);
    slots += futc_leaf_slots(leaf);
    element += leaf.rank == rank ? 1 : 1 + leaf.rank - rank;
  }
}

bool futc_array_make(struct futc_context *ctx, const struct futc_type *type, int32_t rank,
                     const int64_t *shape, const union futc_slot *example, union futc_slot *to,
                     char why[FUTC_WHY]) {
  memset(to, 0, (size_t)futc_type_slots(type) * sizeof *to);
  const union futc_slot *e = example;
  for (int64_t i = 0; i < type->num_leaves; i++) {
    struct futc_leaf leaf = type->leaves[i];
    int32_t inner = leaf.rank - rank;
    memcpy(to + 1, shape, (size_t)rank * sizeof *shape);
    if (e != NULL && inner > 0) {
      memcpy(to + 1 + rank, e + 1, (size_t)inner * sizeof *to);
    }
    int64_t count = 0;
    int64_t size = futc_prims[leaf.prim].size;
    if (!futc_element_count(&to[0].i64 + 1, leaf.rank, size, &count)) {
      (void)snprintf(why, FUTC_WHY, "The array is too large");
      return false;
    }
    to->block = futc_value_block(ctx, count * size, why);
    if (to->block == NULL) {
      return false;
    }
    to += futc_leaf_slots(leaf);
    e = e == NULL ? NULL : e + (inner == 0 ? 1 : 1 + inner);
  }
  return true;
}

enum futc_zip_outcome futc_zip_next(struct futc_zip *zip, const struct futc_type *type,
                                    int32_t rank, const struct futc_type *field,
                                    const union futc_slot *slots) {
  for (int64_t j = 0; j < field->num_leaves; j++, zip->done++) {
    struct futc_leaf have = field->leaves[j];
    if (zip->done >= type->num_leaves || have.prim != type->leaves[zip->done].prim ||
        have.rank != type->leaves[zip->done].rank || have.rank < rank) {
      return FUTC_ZIP_OTHER_TYPE;
    }
    if (zip->outer != NULL && memcmp(zip->outer, slots + 1, (size_t)rank * sizeof *slots) != 0) {
      return FUTC_ZIP_OTHER_SHAPE;
    }
    zip->outer = slots + 1;
    slots += futc_leaf_slots(have);
  }
  return FUTC_ZIP_FITS;
}
