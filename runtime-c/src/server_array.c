/* The server's commands on arrays, of primitive or of opaque elements.
 *
 * An array of rank r over an element type has the element's leaves, each with r more dimensions in
 * front.
 */
#include "params.h"
#include "prim.h"
#include "server_state.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array_view {
  int32_t rank;
  const struct futc_type *element;
};

/* Reports failure for other types. */
static bool view_array(const struct futc_type *type, struct array_view *view) {
  if (type->kind == FUTC_TRANSPARENT && type->leaves[0].rank > 0) {
    *view = (struct array_view){type->leaves[0].rank, futc_server_prim_type(type->leaves[0].prim)};
    return true;
  }
  if (type->kind == FUTC_ARRAY && type->element != NULL) {
    *view = (struct array_view){type->rank, type->element};
    return true;
  }
  return futc_server_fail("Not an array type: %s", type->name);
}

bool futc_cmd_rank(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[0]);
  struct array_view view;
  if (type == NULL || !view_array(type, &view)) {
    return false;
  }
  (void)printf("%d\n", view.rank);
  return true;
}

bool futc_cmd_elemtype(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[0]);
  struct array_view view;
  if (type == NULL || !view_array(type, &view)) {
    return false;
  }
  (void)puts(view.element->name);
  return true;
}

bool futc_cmd_shape(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *v = futc_server_usable(s, w.word[0]);
  struct array_view view;
  if (v == NULL || !view_array(v->type, &view)) {
    return false;
  }
  for (int32_t i = 0; i < view.rank; i++) {
    (void)printf("%" PRId64 "\n", v->slots[1 + i].i64);
  }
  return true;
}

/* The number of an element, from one word per dimension. */
static bool parse_index(const struct futc_variable *v, int32_t rank, struct futc_words w,
                        int64_t first, int64_t *flat) {
  if (w.count - first != rank) {
    return futc_server_fail("%d indices expected, but %" PRId64 " provided", rank, w.count - first);
  }
  *flat = 0;
  for (int32_t i = 0; i < rank; i++) {
    int64_t index = 0;
    int64_t size = v->slots[1 + i].i64;
    if (!futc_parse_number(w.word[first + i], &index)) {
      return futc_server_fail("Not an index: %s", w.word[first + i]);
    }
    if (index < 0 || index >= size) {
      return futc_server_fail("Index %" PRId64 " is out of bounds for size %" PRId64, index, size);
    }
    *flat = *flat * size + index;
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

bool futc_cmd_index(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *from = futc_server_usable(s, w.word[1]);
  struct array_view view;
  int64_t flat = 0;
  if (from == NULL || !view_array(from->type, &view) ||
      !parse_index(from, view.rank, w, 2, &flat)) {
    return false;
  }
  struct futc_variable *to = futc_server_make(s, w.word[0], view.element);
  if (to == NULL) {
    return false;
  }
  const union futc_slot *in = from->slots;
  union futc_slot *out = to->slots;
  for (int64_t i = 0; i < from->type->num_leaves; i++) {
    struct futc_leaf leaf = from->type->leaves[i];
    int64_t bytes = row_bytes(leaf, in, view.rank);
    const char *row = (const char *)in[0].block + flat * bytes;
    if (leaf.rank == view.rank) {
      memcpy(&out->bits, row, (size_t)bytes);
      out++;
    } else {
      out->block = futc_server_allocate(s, bytes);
      if (out->block == NULL) {
        futc_variable_free(s, to);
        return false;
      }
      memcpy(out->block, row, (size_t)bytes);
      int32_t inner = leaf.rank - view.rank;
      memcpy(out + 1, in + 1 + view.rank, (size_t)inner * sizeof *out);
      out += 1 + inner;
    }
    in += futc_leaf_slots(leaf);
  }
  futc_server_add(s, to);
  return true;
}

/* Whether a value fits as an element: same shapes of its leaves. */
static bool fits(const struct futc_variable *array, int32_t rank, const struct futc_variable *v) {
  const union futc_slot *a = array->slots;
  const union futc_slot *e = v->slots;
  for (int64_t i = 0; i < array->type->num_leaves; i++) {
    struct futc_leaf leaf = array->type->leaves[i];
    int32_t inner = leaf.rank - rank;
    if (inner > 0 && memcmp(a + 1 + rank, e + 1, (size_t)inner * sizeof *a) != 0) {
      return futc_server_fail("%s does not have the shape of the array's elements", v->name);
    }
    a += futc_leaf_slots(leaf);
    e += inner == 0 ? 1 : 1 + inner;
  }
  return true;
}

/* Writes a value as an element; it fits, and no one else has the blocks. */
static void write_element(struct futc_variable *array, int32_t rank, int64_t flat,
                          const struct futc_variable *v) {
  const union futc_slot *a = array->slots;
  const union futc_slot *e = v->slots;
  for (int64_t i = 0; i < array->type->num_leaves; i++) {
    struct futc_leaf leaf = array->type->leaves[i];
    int64_t bytes = row_bytes(leaf, a, rank);
    const void *from = leaf.rank == rank ? (const void *)&e->bits : e->block;
    memcpy((char *)a[0].block + flat * bytes, from, (size_t)bytes);
    a += futc_leaf_slots(leaf);
    e += leaf.rank == rank ? 1 : 1 + leaf.rank - rank;
  }
}

/* Gives the variable blocks of its own. */
static bool own_blocks(struct futc_server *s, struct futc_variable *v) {
  union futc_slot *slot = v->slots;
  for (int64_t i = 0; i < v->type->num_leaves; i++) {
    struct futc_leaf leaf = v->type->leaves[i];
    if (leaf.rank > 0 && futc_heap_references(slot->block) > 1) {
      int64_t bytes = futc_heap_block_size(slot->block);
      void *own = futc_server_allocate(s, bytes);
      if (own == NULL) {
        return false;
      }
      memcpy(own, slot->block, (size_t)bytes);
      futc_release(s->ctx, slot->block);
      slot->block = own;
    }
    slot += futc_leaf_slots(leaf);
  }
  return true;
}

bool futc_cmd_set(struct futc_server *s, struct futc_words w) {
  struct futc_variable *array = futc_server_usable(s, w.word[0]);
  const struct futc_variable *v = array == NULL ? NULL : futc_server_usable(s, w.word[1]);
  struct array_view view;
  int64_t flat = 0;
  if (v == NULL || !view_array(array->type, &view) || !parse_index(array, view.rank, w, 2, &flat)) {
    return false;
  }
  if (!futc_same_type(v->type, view.element)) {
    return futc_server_fail("Expected type %s, got %s", view.element->name, v->type->name);
  }
  if (!fits(array, view.rank, v) || !own_blocks(s, array)) {
    return false;
  }
  write_element(array, view.rank, flat, v);
  return true;
}

/* Blocks and sizes for `count` elements like `example`, or without inner sizes if there is none. */
static bool make_leaves(struct futc_server *s, struct futc_variable *to, int32_t rank,
                        const int64_t *shape, const struct futc_variable *example) {
  union futc_slot *out = to->slots;
  const union futc_slot *e = example == NULL ? NULL : example->slots;
  for (int64_t i = 0; i < to->type->num_leaves; i++) {
    struct futc_leaf leaf = to->type->leaves[i];
    int32_t inner = leaf.rank - rank;
    memcpy(out + 1, shape, (size_t)rank * sizeof *shape);
    if (e != NULL && inner > 0) {
      memcpy(out + 1 + rank, e + 1, (size_t)inner * sizeof *out);
    }
    int64_t count = 0;
    int64_t size = futc_prims[leaf.prim].size;
    if (!futc_element_count(&out[0].i64 + 1, leaf.rank, size, &count)) {
      return futc_server_fail("The array is too large");
    }
    out->block = futc_server_allocate(s, count * size);
    if (out->block == NULL) {
      return false;
    }
    out += futc_leaf_slots(leaf);
    e = e == NULL ? NULL : e + (inner == 0 ? 1 : 1 + inner);
  }
  return true;
}

bool futc_cmd_new_array(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[1]);
  struct array_view view;
  if (type == NULL || !view_array(type, &view)) {
    return false;
  }
  int64_t shape[FUTC_MAX_RANK];
  int64_t count = 0;
  if (view.rank > FUTC_MAX_RANK || w.count - 2 < view.rank) {
    return futc_server_fail("%d sizes expected", view.rank);
  }
  for (int32_t i = 0; i < view.rank; i++) {
    if (!futc_parse_number(w.word[2 + i], &shape[i]) || shape[i] < 0) {
      return futc_server_fail("Not a size: %s", w.word[2 + i]);
    }
  }
  int64_t given = w.count - 2 - view.rank;
  if (!futc_element_count(shape, view.rank, 1, &count) || count != given) {
    return futc_server_fail("%" PRId64 " values do not make an array of this shape", given);
  }
  char **names = w.word + 2 + view.rank;
  for (int64_t i = 0; i < count; i++) {
    const struct futc_variable *v = futc_server_usable(s, names[i]);
    if (v == NULL) {
      return false;
    }
    if (!futc_same_type(v->type, view.element)) {
      return futc_server_fail("Expected type %s, got %s", view.element->name, v->type->name);
    }
  }
  struct futc_variable *to = futc_server_make(s, w.word[0], type);
  if (to == NULL) {
    return false;
  }
  const struct futc_variable *example = count > 0 ? futc_server_usable(s, names[0]) : NULL;
  bool ok = make_leaves(s, to, view.rank, shape, example);
  for (int64_t i = 0; ok && i < count; i++) {
    const struct futc_variable *v = futc_server_usable(s, names[i]);
    ok = fits(to, view.rank, v);
    if (ok) {
      write_element(to, view.rank, i, v);
    }
  }
  if (!ok) {
    futc_variable_free(s, to);
    return false;
  }
  futc_server_add(s, to);
  return true;
}

/* The leaves of the arrays given must be those of the result, in turn, with equal outer sizes. */
static bool check_zip(struct futc_server *s, const struct futc_type *type, int32_t rank,
                      struct futc_words w) {
  int64_t leaf = 0;
  const union futc_slot *outer = NULL;
  for (int64_t i = 2; i < w.count; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[i]);
    if (v == NULL) {
      return false;
    }
    const union futc_slot *slot = v->slots;
    for (int64_t j = 0; j < v->type->num_leaves; j++, leaf++) {
      struct futc_leaf have = v->type->leaves[j];
      if (leaf >= type->num_leaves || have.prim != type->leaves[leaf].prim ||
          have.rank != type->leaves[leaf].rank || have.rank < rank) {
        return futc_server_fail("%s does not fit into %s", v->name, type->name);
      }
      if (outer != NULL && memcmp(outer, slot + 1, (size_t)rank * sizeof *slot) != 0) {
        return futc_server_fail("The arrays differ in shape");
      }
      outer = slot + 1;
      slot += futc_leaf_slots(have);
    }
  }
  return leaf == type->num_leaves || futc_server_fail("Too few arrays for %s", type->name);
}

bool futc_cmd_zip(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[1]);
  struct array_view view;
  if (type == NULL || !view_array(type, &view) || !check_zip(s, type, view.rank, w)) {
    return false;
  }
  struct futc_variable *to = futc_server_make(s, w.word[0], type);
  if (to == NULL) {
    return false;
  }
  union futc_slot *slot = to->slots;
  for (int64_t i = 2; i < w.count; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[i]);
    int64_t n = futc_type_slots(v->type);
    memcpy(slot, v->slots, (size_t)n * sizeof *slot);
    slot += n;
  }
  futc_retain_value(s->ctx, type, to->slots);
  futc_server_add(s, to);
  return true;
}

bool futc_cmd_unzip(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *from = futc_server_usable(s, w.word[0]);
  if (from == NULL) {
    return false;
  }
  const struct futc_type *type = from->type;
  if (type->kind != FUTC_ARRAY || type->num_fields == 0) {
    return futc_server_fail("Not an array of records: %s", type->name);
  }
  if (w.count - 1 != type->num_fields) {
    return futc_server_fail("%" PRId64 " fields, but %" PRId64 " variables provided",
                            type->num_fields, w.count - 1);
  }
  const union futc_slot *slot = from->slots;
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_type *field = type->fields[i].type;
    struct futc_variable *to = futc_server_make(s, w.word[1 + i], field);
    if (to == NULL) {
      for (; i > 0; i--) {
        futc_server_remove(s, s->variables);
      }
      return false;
    }
    int64_t n = futc_type_slots(field);
    memcpy(to->slots, slot, (size_t)n * sizeof *slot);
    futc_retain_value(s->ctx, field, to->slots);
    futc_server_add(s, to);
    slot += n;
  }
  return true;
}
