/* Libraries: records, arrays of records by their fields, and sums. */
#include "library.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* ---- Records. ---- */

/* Slots of the fields, one behind the other, sharing blocks; a code. */
static int fields_together(struct futhark_context *lib, const struct futc_type *type,
                           const void *const *fields, struct futc_value *v) {
  union futc_slot *to = v->slots;
  struct futc_zip zip = {0};
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_type *field = type->fields[i].type;
    union futc_slot scalar;
    const union futc_slot *from = futc_argument(lib, field, fields[i], &scalar);
    if (from == NULL) {
      return FUTC_PROGRAM_ERROR;
    }
    if (type->kind == FUTC_ARRAY &&
        futc_zip_next(&zip, type, type->rank, field, from) != FUTC_ZIP_FITS) {
      return futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                               "Cannot zip arrays with different shapes");
    }
    int64_t n = futc_type_slots(field);
    memcpy(to, from, (size_t)n * sizeof *to);
    to += n;
  }
  return FUTC_SUCCESS;
}

static int record(struct futhark_context *lib, const struct futc_type *type, void *out,
                  const void *const *fields) {
  struct futc_value *v = futc_value_make(lib, type);
  if (v == NULL) {
    return FUTC_OUT_OF_MEMORY;
  }
  int code = fields_together(lib, type, fields, v);
  if (code != FUTC_SUCCESS) {
    futc_value_discard(lib, v);
    return code;
  }
  futc_retain_value(lib->ctx, type, v->slots);
  futc_hand_out(type, v->slots, v, out);
  return FUTC_SUCCESS;
}

int futc_library_record(struct futhark_context *lib, int64_t type, void *out,
                        const void *const *fields) {
  if (!futc_library_enter_for(lib, out)) {
    return FUTC_PROGRAM_ERROR;
  }
  return futc_library_leave(lib, record(lib, futc_library_type(lib, type), out, fields));
}

/* A value for a part of another: NULL for a scalar, which *ok tells from failure. */
static struct futc_value *part(struct futhark_context *lib, const struct futc_type *type,
                               bool *ok) {
  struct futc_value *v = futc_is_scalar(type) ? NULL : futc_value_make(lib, type);
  *ok = v != NULL || futc_is_scalar(type);
  return v;
}

int futc_library_project(struct futhark_context *lib, int64_t type, int64_t field, void *out,
                         const void *value) {
  if (!futc_library_enter_for(lib, out)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  if (v == NULL) {
    return futc_library_leave(lib, FUTC_PROGRAM_ERROR);
  }
  const struct futc_type *what = v->type->fields[field].type;
  const union futc_slot *slots = futc_field_slots(v->type, v->slots, field);
  bool ok = false;
  struct futc_value *to = part(lib, what, &ok);
  if (!ok) {
    return futc_library_leave(lib, FUTC_OUT_OF_MEMORY);
  }
  if (to != NULL) {
    futc_share_value(lib->ctx, to->slots, what, slots);
  }
  futc_hand_out(what, slots, to, out);
  return futc_library_leave(lib, FUTC_SUCCESS);
}

/* ---- Sums. ---- */

int futc_library_variant(struct futhark_context *lib, int64_t type, const void *value) {
  if (!futc_library_enter(lib)) {
    return -1;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  const struct futc_constructor *c = v == NULL ? NULL : futc_variant(v->type, v->slots);
  return futc_library_leave(lib, c == NULL ? -1 : (int)(c - v->type->constructors));
}

static int construct(struct futhark_context *lib, const struct futc_type *type, int64_t variant,
                     void *out, const void *const *payloads) {
  const struct futc_constructor *c = &type->constructors[variant];
  size_t n = (size_t)c->num_payloads;
  union futc_slot *scalars = futc_library_scratch(lib, n);
  const union futc_slot **slots = calloc(n + 1, sizeof *slots);
  struct futc_value *v = NULL;
  if (scalars == NULL || slots == NULL) {
    free(slots);
    return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
  }
  int code = FUTC_SUCCESS;
  for (size_t i = 0; i < n && code == FUTC_SUCCESS; i++) {
    slots[i] = futc_argument(lib, c->payloads[i], payloads[i], &scalars[i]);
    code = slots[i] == NULL ? FUTC_PROGRAM_ERROR : FUTC_SUCCESS;
  }
  if (code == FUTC_SUCCESS) {
    v = futc_value_make(lib, type);
    code = v == NULL ? FUTC_OUT_OF_MEMORY : FUTC_SUCCESS;
  }
  char why[FUTC_WHY];
  if (v != NULL && !futc_construct(lib->ctx, type, variant, slots, v->slots, why)) {
    futc_value_discard(lib, v);
    code = futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
  }
  if (code == FUTC_SUCCESS) {
    futc_hand_out(type, v->slots, v, out);
  }
  free(slots);
  return code;
}

int futc_library_construct(struct futhark_context *lib, int64_t type, int64_t variant, void *out,
                           const void *const *payloads) {
  if (!futc_library_enter_for(lib, out)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_type *of = futc_library_type(lib, type);
  return futc_library_leave(lib, construct(lib, of, variant, out, payloads));
}

static int destruct(struct futhark_context *lib, const struct futc_value *v, int64_t variant,
                    void *const *payloads) {
  const struct futc_constructor *c = &v->type->constructors[variant];
  if (futc_variant(v->type, v->slots) != c) {
    return futc_library_fail(lib, FUTC_PROGRAM_ERROR, "a value of type %s is not #%s",
                             v->type->name, c->name);
  }
  for (int64_t i = 0; i < c->num_payloads; i++) {
    if (payloads[i] == NULL) {
      return futc_library_fail(lib, FUTC_PROGRAM_ERROR, "the place for a payload is NULL");
    }
  }
  /* All values are made before any is handed out. */
  struct futc_value **made = calloc((size_t)c->num_payloads + 1, sizeof *made);
  bool ok = made != NULL;
  for (int64_t i = 0; ok && i < c->num_payloads; i++) {
    made[i] = part(lib, c->payloads[i], &ok);
  }
  for (int64_t i = 0; i < c->num_payloads && made != NULL; i++) {
    if (!ok && made[i] != NULL) {
      futc_value_discard(lib, made[i]);
    } else if (ok) {
      union futc_slot scalar;
      union futc_slot *to = made[i] == NULL ? &scalar : made[i]->slots;
      futc_destruct(lib->ctx, v->type, c, i, v->slots, to);
      futc_hand_out(c->payloads[i], to, made[i], payloads[i]);
    }
  }
  free(made);
  return ok ? FUTC_SUCCESS : futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
}

int futc_library_destruct(struct futhark_context *lib, int64_t type, int64_t variant,
                          void *const *payloads, const void *value) {
  if (!futc_library_enter(lib)) {
    return FUTC_PROGRAM_ERROR;
  }
  const struct futc_value *v = futc_value_check(lib, futc_library_type(lib, type), value);
  int code = v == NULL ? FUTC_PROGRAM_ERROR : destruct(lib, v, variant, payloads);
  return futc_library_leave(lib, code);
}
