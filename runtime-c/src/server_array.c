/* The server's commands on arrays, of primitive or of opaque elements. */
#include "params.h"
#include "parts.h"
#include "prim.h"
#include "server_state.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports failure for other types. */
static bool view_array(const struct futc_type *type, struct futc_array_view *view) {
  return futc_view_array(type, view) || futc_server_fail("Not an array type: %s", type->name);
}

bool futc_cmd_rank(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[0]);
  struct futc_array_view view;
  if (type == NULL || !view_array(type, &view)) {
    return false;
  }
  (void)printf("%d\n", view.rank);
  return true;
}

bool futc_cmd_elemtype(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[0]);
  struct futc_array_view view;
  if (type == NULL || !view_array(type, &view)) {
    return false;
  }
  (void)puts(view.element->name);
  return true;
}

bool futc_cmd_shape(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *v = futc_server_usable(s, w.word[0]);
  struct futc_array_view view;
  if (v == NULL || !view_array(v->type, &view)) {
    return false;
  }
  for (int32_t i = 0; i < view.rank; i++) {
    (void)printf("%" PRId64 "\n", v->slots[1 + i].i64);
  }
  return true;
}

/* The number of an element, from one word per dimension. */
static bool parse_index(const struct futc_variable *v, struct futc_array_view view,
                        struct futc_words w, int64_t first, int64_t *position) {
  if (w.count - first != view.rank || view.rank > FUTC_MAX_RANK) {
    return futc_server_fail("%d indices expected, but %" PRId64 " provided", view.rank,
                            w.count - first);
  }
  int64_t index[FUTC_MAX_RANK];
  for (int32_t i = 0; i < view.rank; i++) {
    if (!futc_parse_number(w.word[first + i], &index[i])) {
      return futc_server_fail("Not an index: %s", w.word[first + i]);
    }
  }
  char why[FUTC_WHY];
  return futc_array_position(view, v->slots, index, position, why) || futc_server_fail("%s", why);
}

bool futc_cmd_index(struct futc_server *s, struct futc_words w) {
  const struct futc_variable *from = futc_server_usable(s, w.word[1]);
  struct futc_array_view view;
  int64_t position = 0;
  if (from == NULL || !view_array(from->type, &view) ||
      !parse_index(from, view, w, 2, &position)) {
    return false;
  }
  struct futc_variable *to = futc_server_make(s, w.word[0], view.element);
  if (to == NULL) {
    return false;
  }
  char why[FUTC_WHY];
  if (!futc_array_get(s->ctx, from->type, view, from->slots, position, to->slots, why)) {
    futc_variable_discard(to);
    return futc_server_fail("%s", why);
  }
  futc_server_add(s, to);
  return true;
}

/* Reports failure for a value that does not have the shape of the array's elements. */
static bool fits(const struct futc_variable *array, int32_t rank, const struct futc_variable *v) {
  return futc_array_fits(array->type, rank, array->slots, v->slots) ||
         futc_server_fail("%s does not have the shape of the array's elements", v->name);
}

bool futc_cmd_set(struct futc_server *s, struct futc_words w) {
  struct futc_variable *array = futc_server_usable(s, w.word[0]);
  const struct futc_variable *v = array == NULL ? NULL : futc_server_usable(s, w.word[1]);
  struct futc_array_view view;
  int64_t position = 0;
  if (v == NULL || !view_array(array->type, &view) || !parse_index(array, view, w, 2, &position)) {
    return false;
  }
  if (!futc_same_type(v->type, view.element)) {
    return futc_server_fail("Expected type %s, got %s", view.element->name, v->type->name);
  }
  if (!fits(array, view.rank, v)) {
    return false;
  }
  char why[FUTC_WHY];
  if (!futc_own_value(s->ctx, array->type, array->slots, why)) {
    return futc_server_fail("%s", why);
  }
  futc_array_set(array->type, view.rank, array->slots, position, v->slots);
  return true;
}

bool futc_cmd_new_array(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[1]);
  struct futc_array_view view;
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
  char why[FUTC_WHY];
  bool ok = futc_array_make(s->ctx, type, view.rank, shape, example == NULL ? NULL : example->slots,
                            to->slots, why) ||
            futc_server_fail("%s", why);
  for (int64_t i = 0; ok && i < count; i++) {
    const struct futc_variable *v = futc_server_usable(s, names[i]);
    ok = fits(to, view.rank, v);
    if (ok) {
      futc_array_set(type, view.rank, to->slots, i, v->slots);
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
  struct futc_zip zip = {0};
  for (int64_t i = 2; i < w.count; i++) {
    const struct futc_variable *v = futc_server_usable(s, w.word[i]);
    if (v == NULL) {
      return false;
    }
    switch (futc_zip_next(&zip, type, rank, v->type, v->slots)) {
    case FUTC_ZIP_FITS: break;
    case FUTC_ZIP_OTHER_TYPE:
      return futc_server_fail("%s does not fit into %s", v->name, type->name);
    case FUTC_ZIP_OTHER_SHAPE: return futc_server_fail("The arrays differ in shape");
    }
  }
  return zip.done == type->num_leaves || futc_server_fail("Too few arrays for %s", type->name);
}

bool futc_cmd_zip(struct futc_server *s, struct futc_words w) {
  const struct futc_type *type = futc_server_type(s, w.word[1]);
  struct futc_array_view view;
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
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_type *field = type->fields[i].type;
    struct futc_variable *to = futc_server_make(s, w.word[1 + i], field);
    if (to == NULL) {
      for (; i > 0; i--) {
        futc_server_remove(s, s->variables);
      }
      return false;
    }
    futc_share_value(s->ctx, to->slots, field, futc_field_slots(type, from->slots, i));
    futc_server_add(s, to);
  }
  return true;
}
