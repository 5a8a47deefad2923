/* Libraries: arrays, of scalars and of opaque values. */
#include "library.h"
#include "prim.h"
#include "values.h"

#include <string.h>

/* ---- Arrays of scalars. ---- */

/* The bytes of the elements. */
static int64_t bytes_of(struct futc_leaf leaf, const union futc_slot *slots) {
  int64_t count = 0;
  int64_t size = futc_prims[leaf.prim].size;
  (void)futc_element_count(&slots[1].i64, leaf.rank, size, &count);
  return count * size;
}

static struct futc_value *new_array(struct futhark_context *lib, const struct futc_type *type,
                                    const void *data, const int64_t *shape) {
  struct futc_leaf leaf = type->leaves[0];
  int64_t count = 0;
  int64_t size = futc_prims[leaf.prim].size;
  if (!futc_element_count(shape, leaf.rank, size, &count)) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                            "a size of a new array of type %s is negative or too large",
                            type->name);
    return NULL;
  }
  if (data == NULL && count > 0) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR, "a new array of type %s has no data",
                            type->name);
    return NULL;
  }
  struct futc_value *v = futc_value_make(lib, type);
  if (v == NULL) {
    return NULL;
  }
  char why[FUTC_WHY];
  void *block = futc_value_block(lib->ctx, count * size, why);
  if (block == NULL) {
    futc_value_discard(lib, v);
    (void)futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
    return NULL;
  }
  if (!futc_context_copy(lib->ctx, block, data, count * size)) {
    futc_release(lib->ctx, block);
    futc_value_discard(lib, v);
    (void)futc_library_take_error(lib);
    return NULL;
  }
  v->slots[0].block = block;
  memcpy(v->slots + 1, shape, (size_t)leaf.rank * sizeof *shape);
  return v;
}

void *futc_library_new_array(struct futhark_context *lib, int64_t type, const void *data,
                             const int64_t *shape) {
  if (!futc_library_enter(lib)) {
    return NULL;
  }
  struct futc_value *v = new_array(lib, futc_library_type(lib, type), data, shape);
  (void)futc_library_leave(lib, FUTC_SUCCESS);
  return v;
}

int futc_library_values(struct futhark_context *lib, int64_t type, const void *value,
                        void *data) {
  if (!futc_library_enter(lib)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  if (v == NULL) {
    return futc_library_leave(lib, FUTC_PROGRAM_ERROR);
  }
  int64_t bytes = bytes_of(v->type->leaves[0], v->slots);
  if (bytes > 0 && data == NULL) {
    return futc_library_leave(lib, futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                                                     "the place for the elements is NULL"));
  }
  bool copied = futc_context_copy(lib->ctx, data, v->slots[0].block, bytes);
  return futc_library_leave(lib, copied ? FUTC_SUCCESS : futc_library_take_error(lib));
}

void *futc_library_values_raw(struct futhark_context *lib, int64_t type, const void *value) {
  if (!futc_library_enter(lib)) {
    return NULL;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  (void)futc_library_leave(lib, FUTC_SUCCESS);
  return v == NULL ? NULL : v->slots[0].block;
}

/* ---- All arrays. ---- */

const int64_t *futc_library_shape(struct futhark_context *lib, int64_t type, const void *value) {
  if (!futc_library_enter(lib)) {
    return NULL;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  (void)futc_library_leave(lib, FUTC_SUCCESS);
  return v == NULL ? NULL : &v->slots[1].i64;
}

static int get(struct futhark_context *lib, const struct futc_value *v, void *out,
               const int64_t *index) {
  struct futc_array_view view;
  int64_t position = 0;
  char why[FUTC_WHY];
  if (!futc_view_array(v->type, &view) ||
      !futc_array_position(view, v->slots, index, &position, why)) {
    return futc_library_fail(lib, FUTC_PROGRAM_ERROR, "%s", why);
  }
  union futc_slot scalar = {0};
  struct futc_value *element = NULL;
  if (!futc_is_scalar(view.element)) {
    element = futc_value_make(lib, view.element);
    if (element == NULL) {
      return FUTC_OUT_OF_MEMORY;
    }
  }
  union futc_slot *slots = element == NULL ? &scalar : element->slots;
  if (!futc_array_get(lib->ctx, v->type, view, v->slots, position, slots, why)) {
    futc_value_discard(lib, element);
    return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
  }
  futc_hand_out(view.element, slots, element, out);
  return FUTC_SUCCESS;
}

int futc_library_index(struct futhark_context *lib, int64_t type, void *out, const void *value,
                       const int64_t *index) {
  if (!futc_library_enter_for(lib, out)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  int code = v == NULL ? FUTC_PROGRAM_ERROR : get(lib, v, out, index);
  return futc_library_leave(lib, code);
}

/* ---- Arrays of opaque values. ---- */

static int set_element(struct futhark_context *lib, const struct futc_type *type, void *value,
                       const void *element, const int64_t *index) {
  struct futc_array_view view;
  int64_t position = 0;
  char why[FUTC_WHY];
  struct futc_value *v = futc_value_check(lib, type, value);
  if (v == NULL || !futc_view_array(type, &view)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_value *e = futc_value_check(lib, view.element, element);
  if (e == NULL) {
    return FUTC_PROGRAM_ERROR;
  }
  if (!futc_array_position(view, v->slots, index, &position, why)) {
    return futc_library_fail(lib, FUTC_PROGRAM_ERROR, "%s", why);
  }
  if (!futc_array_fits(type, view.rank, v->slots, e->slots)) {
    return futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                             "Element shape differs from array shape");
  }
  if (!futc_own_value(lib->ctx, type, v->slots, why)) {
    return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
  }
  futc_array_set(type, view.rank, v->slots, position, e->slots);
  return FUTC_SUCCESS;
}

int futc_library_set(struct futhark_context *lib, int64_t type, void *value, const void *element,
                     const int64_t *index) {
  if (!futc_library_enter(lib)) {
    return FUTC_PROGRAM_ERROR;
  }
  return futc_library_leave(lib, set_element(lib, futc_library_type(lib, type), value, element, index));
}

/* The elements, all of one shape: a code. */
static int check_elements(struct futhark_context *lib, struct futc_array_view view,
                          const void *const *elements, int64_t count) {
  const struct futc_value *first = NULL;
  for (int64_t i = 0; i < count; i++) {
    const struct futc_value *e = futc_value_check(lib, view.element, elements[i]);
    if (e == NULL) {
      return FUTC_PROGRAM_ERROR;
    }
    first = first == NULL ? e : first;
    if (!futc_array_fits(view.element, 0, first->slots, e->slots)) {
      return futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                               "Cannot construct arrays with elements of different shapes");
    }
  }
  return FUTC_SUCCESS;
}

static int gather(struct futhark_context *lib, const struct futc_type *type, void *out,
                  const void *const *elements, const int64_t *shape) {
  struct futc_array_view view;
  int64_t count = 0;
  if (!futc_view_array(type, &view) || !futc_element_count(shape, view.rank, 1, &count)) {
    return futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                             "a size of a new array of type %s is negative or too large",
                             type->name);
  }
  if (elements == NULL && count > 0) {
    return futc_library_fail(lib, FUTC_PROGRAM_ERROR, "a new array of type %s has no elements",
                             type->name);
  }
  int code = check_elements(lib, view, elements, count);
  struct futc_value *v = code != FUTC_SUCCESS ? NULL : futc_value_make(lib, type);
  if (v == NULL) {
    return code != FUTC_SUCCESS ? code : FUTC_OUT_OF_MEMORY;
  }
  char why[FUTC_WHY];
  const struct futc_value *first = count > 0 ? elements[0] : NULL;
  const union futc_slot *example = first == NULL ? NULL : first->slots;
  if (!futc_array_make(lib->ctx, type, view.rank, shape, example, v->slots, why)) {
    futc_release_value(lib->ctx, type, v->slots);
    futc_value_discard(lib, v);
    return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
  }
  for (int64_t i = 0; i < count; i++) {
    const struct futc_value *e = elements[i];
    futc_array_set(type, view.rank, v->slots, i, e->slots);
  }
  futc_hand_out(type, v->slots, v, out);
  return FUTC_SUCCESS;
}

int futc_library_gather(struct futhark_context *lib, int64_t type, void *out,
                        const void *const *elements, const int64_t *shape) {
  if (!futc_library_enter_for(lib, out)) {
    return FUTC_PROGRAM_ERROR;
  }
  return futc_library_leave(lib, gather(lib, futc_library_type(lib, type), out, elements, shape));
}
