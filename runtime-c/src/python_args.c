/* Python: arguments as what programs take.
 *
 * What has the usual form is read where it is: a number of Python, an array of NumPy with elements of the right
 * type one behind the other, an opaque value. Anything else is handed to Python code once, which returns it in
 * that form or says what is wrong.
 */
#include "half.h"
#include "python.h"
#include "prim.h"

#include <string.h>

static PyObject *python_true(void) {
  return (PyObject *)(void *)_Py_TrueStruct;
}

static PyObject *python_false(void) {
  return (PyObject *)(void *)_Py_FalseStruct;
}

/* ---- Scalars. ---- */

static bool signed_fits(int32_t prim, long long x) {
  switch (futc_prims[prim].size) {
  case 1: return x == (int8_t)x;
  case 2: return x == (int16_t)x;
  case 4: return x == (int32_t)x;
  default: return true;
  }
}

static bool unsigned_fits(int32_t prim, unsigned long long x) {
  switch (futc_prims[prim].size) {
  case 1: return x == (uint8_t)x;
  case 2: return x == (uint16_t)x;
  case 4: return x == (uint32_t)x;
  default: return true;
  }
}

/* Integers of all kinds, which are not floats. */
static bool integer(int32_t prim, PyObject *object, union futc_slot *out) {
  PyObject *number = PyNumber_Index(object);
  if (number == NULL) {
    return false;
  }
  bool ok = false;
  if (prim >= FUTC_U8 && prim <= FUTC_U64) {
    unsigned long long x = PyLong_AsUnsignedLongLong(number);
    ok = (x != UINT64_MAX || PyErr_Occurred() == NULL) && unsigned_fits(prim, x);
    out->bits = x;
  } else {
    long long x = PyLong_AsLongLong(number);
    ok = (x != -1 || PyErr_Occurred() == NULL) && signed_fits(prim, x);
    out->i64 = x;
  }
  Py_DecRef(number);
  return ok;
}

static bool floating(int32_t prim, PyObject *object, union futc_slot *out) {
  double x = PyFloat_AsDouble(object);
  if (x == -1 && PyErr_Occurred() != NULL) {
    return false;
  }
  out->bits = 0;
  float single = (float)x;
  uint16_t half = futc_double_to_half(x);
  switch (prim) {
  case FUTC_F16: memcpy(&out->bits, &half, sizeof half); break;
  case FUTC_F32: memcpy(&out->bits, &single, sizeof single); break;
  default: memcpy(&out->bits, &x, sizeof x); break;
  }
  return true;
}

static bool scalar(int32_t prim, PyObject *object, union futc_slot *out) {
  if (prim == FUTC_BOOL) {
    out->bits = object == python_true() ? 1 : 0;
    return object == python_true() || object == python_false();
  }
  return prim >= FUTC_F16 ? floating(prim, object, out) : integer(prim, object, out);
}

/* ---- Arrays and opaque values. ---- */

/* So that there is an address for what has no elements. */
static _Alignas(FUTC_BLOCK_ALIGNMENT) unsigned char nothing[FUTC_BLOCK_ALIGNMENT];

static bool is_array(PyObject *object) {
  void *type = NULL;
  memcpy(&type, (const char *)object + futc_numpy.head - sizeof type, sizeof type);
  return type == futc_numpy.type;
}

static bool array(struct futc_leaf leaf, PyObject *object, struct futc_python_argument *out) {
  if (!is_array(object)) {
    return false;
  }
  const struct futc_numpy_fields *a = (const void *)((const char *)object + futc_numpy.head);
  const int wanted = FUTC_NUMPY_C_CONTIGUOUS | FUTC_NUMPY_ALIGNED;
  int64_t count = 0;
  if (a->descr != futc_numpy.descrs[leaf.prim] || a->nd != leaf.rank ||
      (a->flags & wanted) != wanted ||
      !futc_element_count(a->dims, leaf.rank, futc_prims[leaf.prim].size, &count)) {
    return false;
  }
  out->data = count == 0 ? nothing : a->data;
  out->shape = a->dims;
  return true;
}

static bool opaque(struct futc_python *program, const struct futc_type *type, PyObject *object,
                   struct futc_python_argument *out) {
  static PyObject *name;
  if (name == NULL) {
    name = PyUnicode_InternFromString("_handle");
  }
  PyObject *handle = name == NULL ? NULL : PyObject_GetAttr(object, name);
  if (handle == NULL) {
    return false;
  }
  struct futc_python_owner *owner = futc_python_handle(handle);
  /* The object that was given keeps it. */
  Py_DecRef(handle);
  if (owner == NULL || owner->lib != program->lib || owner->value == NULL ||
      !futc_same_type(owner->value->type, type)) {
    return false;
  }
  out->value = owner->value;
  return true;
}

static bool take(struct futc_python *program, const struct futc_type *type, PyObject *object,
                 struct futc_python_argument *out) {
  if (type->kind != FUTC_TRANSPARENT) {
    return opaque(program, type, object, out);
  }
  struct futc_leaf leaf = type->leaves[0];
  return leaf.rank == 0 ? scalar(leaf.prim, object, &out->scalar) : array(leaf, object, out);
}

static bool mend(struct futc_python *program, const struct futc_type *type, PyObject *object,
                 const char *where, struct futc_python_argument *out) {
  PyErr_Clear();
  PyObject *name = PyUnicode_FromString(type->name);
  PyObject *place = PyUnicode_FromString(where);
  PyObject *usual = NULL;
  if (name != NULL && place != NULL) {
    usual = PyObject_CallFunctionObjArgs(program->convert, program->self, name, object, place,
                                         (PyObject *)NULL);
  }
  Py_DecRef(name);
  Py_DecRef(place);
  if (usual == NULL) {
    return false;
  }
  out->object = usual;
  if (take(program, type, usual, out)) {
    return true;
  }
  Py_DecRef(usual);
  out->object = NULL;
  if (PyErr_Occurred() == NULL) {
    PyErr_SetString(PyExc_TypeError, "an argument cannot be converted");
  }
  return false;
}

bool futc_python_look(struct futc_python *program, const struct futc_type *type, PyObject *object,
                      const char *where, struct futc_python_argument *out) {
  *out = (struct futc_python_argument){0};
  if (take(program, type, object, out)) {
    Py_IncRef(object);
    out->object = object;
    return true;
  }
  return mend(program, type, object, where, out);
}

void futc_python_forget(struct futc_python_argument *arguments, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    Py_DecRef(arguments[i].object);
  }
}
