/* Libraries: values as users hold them. */
#include "library.h"
#include "prim.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* The number of the smallest room for so many slots. */
static int32_t room_of(int64_t slots) {
  int32_t room = 0;
  while (room < FUTC_LIBRARY_ROOMS - 1 && (INT64_C(1) << room) < slots) {
    room++;
  }
  return room;
}

struct futc_value *futc_value_make(struct futhark_context *lib, const struct futc_type *type) {
  int32_t room = room_of(futc_type_slots(type));
  size_t bytes = (sizeof(union futc_slot)) << room;
  struct futc_value *v = lib->unused[room];
  if (v != NULL) {
    lib->unused[room] = v->next_free;
  } else {
    v = malloc(sizeof *v + bytes);
    if (v == NULL) {
      (void)futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
      return NULL;
    }
    v->owner = lib;
    v->room = room;
    v->next = lib->all;
    lib->all = v;
  }
  v->type = type;
  v->state = FUTC_VALUE_LIVE;
  v->next_free = NULL;
  memset(v->slots, 0, bytes);
  return v;
}

void futc_value_discard(struct futhark_context *lib, struct futc_value *v) {
  v->state = FUTC_VALUE_FREE;
  v->next_free = lib->unused[v->room];
  lib->unused[v->room] = v;
}

struct futc_value *futc_value_check(struct futhark_context *lib, const struct futc_type *type,
                                    const void *value) {
  /* Users see values as constant where an operation leaves them as they are for them. */
  struct futc_value *v = (struct futc_value *)(uintptr_t)value;
  const char *wrong = NULL;
  if (v == NULL) {
    wrong = "is NULL";
  } else if (v->owner != lib) {
    wrong = "belongs to another context";
  } else if (v->state == FUTC_VALUE_FREE) {
    wrong = "has been freed";
  } else if (v->state == FUTC_VALUE_CONSUMED) {
    wrong = "has been consumed";
  } else if (!futc_same_type(v->type, type)) {
    wrong = "is of another type";
  }
  if (wrong != NULL) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR, "a value of type %s %s", type->name, wrong);
    return NULL;
  }
  return v;
}

bool futc_is_scalar(const struct futc_type *type) {
  return type->kind == FUTC_TRANSPARENT && type->leaves[0].rank == 0;
}

const union futc_slot *futc_argument(struct futhark_context *lib, const struct futc_type *type,
                                     const void *argument, union futc_slot *scalar) {
  if (futc_is_scalar(type)) {
    scalar->bits = 0;
    memcpy(&scalar->bits, argument, (size_t)futc_prims[type->leaves[0].prim].size);
    return scalar;
  }
  const struct futc_value *v = futc_value_check(lib, type, argument);
  return v == NULL ? NULL : v->slots;
}

void futc_hand_out(const struct futc_type *type, const union futc_slot *slots,
                   struct futc_value *v, void *out) {
  if (futc_is_scalar(type)) {
    memcpy(out, &slots->bits, (size_t)futc_prims[type->leaves[0].prim].size);
  } else {
    memcpy(out, &v, sizeof v);
  }
}

int futc_library_free(struct futhark_context *lib, int64_t type, void *value) {
  if (!futc_library_enter(lib)) {
    return FUTC_PROGRAM_ERROR;
  }
  struct futc_value *v = value;
  /* Consumed ones are freed too, having no blocks any more. */
  bool consumed = v != NULL && v->owner == lib && v->state == FUTC_VALUE_CONSUMED &&
                  futc_same_type(v->type, futc_library_type(lib, type));
  if (!consumed) {
    v = futc_value_check(lib, futc_library_type(lib, type), value);
    if (v == NULL) {
      return futc_library_leave(lib, FUTC_PROGRAM_ERROR);
    }
    futc_release_value(lib->ctx, v->type, v->slots);
  }
  futc_value_discard(lib, v);
  return futc_library_leave(lib, FUTC_SUCCESS);
}

/* ---- Stored values. ---- */

int futc_library_store(struct futhark_context *lib, int64_t type, const void *value, void **p,
                       size_t *n) {
  if (!futc_library_enter_for(lib, n)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  if (v == NULL) {
    return futc_library_leave(lib, FUTC_PROGRAM_ERROR);
  }
  int64_t bytes = futc_heading_size(v->type) + futc_stored_size(v->type, v->slots);
  if (bytes > PTRDIFF_MAX) {
    /* Arrays may be in it several times, in the same memory. */
    int code = futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
    return futc_library_leave(lib, code);
  }
  size_t size = (size_t)bytes;
  *n = size;
  if (p == NULL) {
    return futc_library_leave(lib, FUTC_SUCCESS);
  }
  struct futc_writer *w = malloc(sizeof *w);
  void *memory = *p != NULL ? *p : malloc(size);
  if (w == NULL || memory == NULL) {
    if (memory != *p) {
      free(memory);
    }
    free(w);
    int code = futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
    return futc_library_leave(lib, code);
  }
  futc_writer_memory(w, memory);
  futc_store_heading(w, v->type);
  futc_store_value(w, v->type, v->slots);
  (void)futc_writer_flush(w);
  free(w);
  *p = memory;
  return futc_library_leave(lib, FUTC_SUCCESS);
}

void *futc_library_restore(struct futhark_context *lib, int64_t type, const void *p) {
  if (!futc_library_enter(lib)) {
    return NULL;
  }
  const struct futc_type *t = futc_library_type(lib, type);
  if (p == NULL) {
    (void)futc_library_leave(
        lib, futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                               "cannot restore a value of type %s: there are no bytes", t->name));
    return NULL;
  }
  struct futc_value *v = futc_value_make(lib, t);
  if (v != NULL) {
    struct futc_reader r;
    futc_reader_memory(&r, p);
    if (!futc_restore_heading(&r, v->type) ||
        !futc_restore_value(lib->ctx, &r, v->type, v->slots)) {
      (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR, "cannot restore a value of type %s: %s",
                              v->type->name, r.message);
      futc_release_value(lib->ctx, v->type, v->slots);
      futc_value_discard(lib, v);
      v = NULL;
    }
  }
  (void)futc_library_leave(lib, FUTC_SUCCESS);
  return v;
}
