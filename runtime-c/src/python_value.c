/* Python: opaque values, which Python code knows by handles.
 *
 * What a value is taken apart into shares its blocks; arrays of that kind cannot be written to.
 */
#include "futc_library.h"
#include "python.h"
#include "prim.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* ---- Taking apart. ---- */

/* A part of a value on its way to Python. */
struct part {
  const struct futc_type *type;
  union futc_slot *slots;
  struct futc_python_stash stash;
};

/* Begins an operation on the value, without the interpreter's lock; NULL, and nothing to be ended, with the
 * operation's error set. */
static struct futc_value *begin(struct futc_python_owner *owner) {
  if (!futc_python_enter(owner->program)) {
    return NULL;
  }
  struct futhark_context *lib = owner->program->lib;
  struct futc_value *v = NULL;
  if (owner->lib != lib || owner->value == NULL) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                            "a value belongs to the process that this one was forked from");
  } else {
    v = futc_value_check(lib, owner->value->type, owner->value);
  }
  if (v == NULL) {
    (void)futc_python_leave(owner->program, FUTC_PROGRAM_ERROR);
  }
  return v;
}

/* Room for a part, zeroed. */
static bool room(struct futhark_context *lib, struct part *part, const struct futc_type *type) {
  part->type = type;
  part->stash.used = 0;
  part->slots = calloc((size_t)futc_type_slots(type) + 1, sizeof *part->slots);
  if (part->slots == NULL) {
    (void)futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "out of memory");
  }
  return part->slots != NULL;
}

/* The object of a part, if it was had. */
static PyObject *show(struct futc_python *program, int code, struct part *part) {
  PyObject *object = NULL;
  if (code != FUTC_SUCCESS) {
    (void)futc_python_raise(program, code);
  } else {
    object = futc_python_result(program, part->type, part->slots, &part->stash, true);
  }
  free(part->slots);
  return object;
}

static int finish(struct futc_python *program, struct part *part) {
  int code = futc_python_prepare(program->lib, part->type, part->slots, &part->stash, true);
  return futc_python_leave(program, code);
}

/* project(handle, field) */
static PyObject *project(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python_owner *owner = futc_python_handle(args[0]);
  if (owner == NULL) {
    return NULL;
  }
  int64_t field = PyLong_AsLongLong(args[1]);
  struct futhark_context *lib = owner->program->lib;
  struct part part = {0};
  int code = FUTC_PROGRAM_ERROR;
  void *saved = PyEval_SaveThread();
  struct futc_value *v = begin(owner);
  if (v != NULL) {
    if (!room(lib, &part, v->type->fields[field].type)) {
      code = futc_python_leave(owner->program, FUTC_OUT_OF_MEMORY);
    } else {
      futc_share_value(lib->ctx, part.slots, part.type, futc_field_slots(v->type, v->slots, field));
      code = finish(owner->program, &part);
    }
  }
  PyEval_RestoreThread(saved);
  return show(owner->program, code, &part);
}

/* variant(handle) */
static PyObject *variant(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python_owner *owner = futc_python_handle(args[0]);
  if (owner == NULL) {
    return NULL;
  }
  int code = FUTC_PROGRAM_ERROR;
  int64_t number = 0;
  void *saved = PyEval_SaveThread();
  struct futc_value *v = begin(owner);
  if (v != NULL) {
    const struct futc_constructor *c = futc_variant(v->type, v->slots);
    number = c == NULL ? -1 : c - v->type->constructors;
    code = futc_python_leave(owner->program, FUTC_SUCCESS);
  }
  PyEval_RestoreThread(saved);
  return code == FUTC_SUCCESS ? PyLong_FromLongLong(number)
                              : futc_python_raise(owner->program, code);
}

static int payload(struct futc_python_owner *owner, int64_t number, struct part *part) {
  struct futc_value *v = begin(owner);
  if (v == NULL) {
    return FUTC_PROGRAM_ERROR;
  }
  struct futhark_context *lib = owner->lib;
  const struct futc_constructor *c = futc_variant(v->type, v->slots);
  if (c == NULL || number >= c->num_payloads) {
    (void)futc_library_fail(lib, FUTC_PROGRAM_ERROR, "a value of type %s has no such payload",
                            v->type->name);
    return futc_python_leave(owner->program, FUTC_PROGRAM_ERROR);
  }
  if (!room(lib, part, c->payloads[number])) {
    return futc_python_leave(owner->program, FUTC_OUT_OF_MEMORY);
  }
  futc_destruct(lib->ctx, v->type, c, number, v->slots, part->slots);
  return finish(owner->program, part);
}

/* payload(handle, number) */
static PyObject *destruct(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python_owner *owner = futc_python_handle(args[0]);
  if (owner == NULL) {
    return NULL;
  }
  int64_t number = PyLong_AsLongLong(args[1]);
  struct part part = {0};
  void *saved = PyEval_SaveThread();
  int code = payload(owner, number, &part);
  PyEval_RestoreThread(saved);
  return show(owner->program, code, &part);
}

static int element(struct futc_python_owner *owner, const int64_t *index, struct part *part) {
  struct futc_value *v = begin(owner);
  if (v == NULL) {
    return FUTC_PROGRAM_ERROR;
  }
  struct futhark_context *lib = owner->lib;
  struct futc_array_view view;
  int64_t position = 0;
  char why[FUTC_WHY] = "not an array";
  if (!futc_view_array(v->type, &view) ||
      !futc_array_position(view, v->slots, index, &position, why)) {
    return futc_python_leave(owner->program, futc_library_fail(lib, FUTC_PROGRAM_ERROR, "%s", why));
  }
  if (!room(lib, part, view.element)) {
    return futc_python_leave(owner->program, FUTC_OUT_OF_MEMORY);
  }
  if (!futc_array_get(lib->ctx, v->type, view, v->slots, position, part->slots, why)) {
    return futc_python_leave(owner->program, futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why));
  }
  return finish(owner->program, part);
}

/* Integers of a tuple; NULL with an exception. */
static int64_t *integers(PyObject *tuple) {
  Py_ssize_t n = PyTuple_Size(tuple);
  int64_t *out = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *out);
  if (out == NULL) {
    return n < 0 ? NULL : (int64_t *)(void *)PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; i < n; i++) {
    out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (out[i] == -1 && PyErr_Occurred() != NULL) {
      free(out);
      return NULL;
    }
  }
  return out;
}

/* index(handle, index) */
static PyObject *index_of(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python_owner *owner = futc_python_handle(args[0]);
  int64_t *index = owner == NULL ? NULL : integers(args[1]);
  if (index == NULL) {
    return NULL;
  }
  struct part part = {0};
  void *saved = PyEval_SaveThread();
  int code = element(owner, index, &part);
  PyEval_RestoreThread(saved);
  free(index);
  return show(owner->program, code, &part);
}

/* shape(handle): of an array of opaque values. */
static PyObject *shape(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python_owner *owner = futc_python_handle(args[0]);
  if (owner == NULL) {
    return NULL;
  }
  int64_t sizes[FUTC_MAX_RANK] = {0};
  int32_t rank = 0;
  int code = FUTC_PROGRAM_ERROR;
  void *saved = PyEval_SaveThread();
  struct futc_value *v = begin(owner);
  if (v != NULL) {
    rank = v->type->rank;
    memcpy(sizes, v->slots + 1, (size_t)rank * sizeof *sizes);
    code = futc_python_leave(owner->program, FUTC_SUCCESS);
  }
  PyEval_RestoreThread(saved);
  if (code != FUTC_SUCCESS) {
    return futc_python_raise(owner->program, code);
  }
  PyObject *tuple = PyTuple_New(rank);
  for (int32_t i = 0; tuple != NULL && i < rank; i++) {
    (void)PyTuple_SetItem(tuple, i, PyLong_FromLongLong(sizes[i]));
  }
  return tuple;
}

/* ---- Putting together. ---- */

static int64_t number_of(const struct futhark_context *lib, const struct futc_type *type) {
  int64_t i = 0;
  while (i < lib->ctx->program->num_types &&
         !futc_same_type(lib->ctx->program->types[i], type)) {
    i++;
  }
  return i;
}

/* Values, as functions of libraries take them, that are made of parts. */
struct parts {
  struct futc_python *program;
  int64_t count;
  const struct futc_type *const *types;
  struct futc_python_argument *arguments;
  const void **values;
};

static void free_parts(struct parts *p, int64_t made) {
  struct futhark_context *lib = p->program->lib;
  for (int64_t i = 0; i < made; i++) {
    /* Scalars are where they were, and opaque values are Python's. */
    if (p->arguments[i].data != NULL) {
      (void)futc_library_free(lib, number_of(lib, p->types[i]), (void *)(uintptr_t)p->values[i]);
    }
  }
}

/* Without the interpreter's lock; a code. */
static int make_parts(struct parts *p) {
  struct futhark_context *lib = p->program->lib;
  for (int64_t i = 0; i < p->count; i++) {
    const struct futc_python_argument *a = &p->arguments[i];
    if (a->data != NULL) {
      p->values[i] = futc_library_new_array(lib, number_of(lib, p->types[i]), a->data, a->shape);
      if (p->values[i] == NULL) {
        free_parts(p, i);
        return FUTC_OUT_OF_MEMORY;
      }
    } else {
      p->values[i] = a->value != NULL ? (const void *)a->value : &a->scalar;
    }
  }
  return FUTC_SUCCESS;
}

/* What a value is made of its parts by. */
struct maker {
  enum { RECORD, SUM, ARRAY } kind;
  int64_t type;
  int64_t variant;
  const int64_t *shape;
};

static int make(struct futhark_context *lib, struct maker m, const void *const *values, void *out) {
  switch (m.kind) {
  case RECORD: return futc_library_record(lib, m.type, out, values);
  case SUM: return futc_library_construct(lib, m.type, m.variant, out, values);
  case ARRAY: return futc_library_gather(lib, m.type, out, values, m.shape);
  }
  return FUTC_PROGRAM_ERROR;
}

/* The handle of a value made of a tuple of parts, of these types. */
static PyObject *put_together(struct parts *p, struct maker m, PyObject *tuple) {
  struct futc_python *program = p->program;
  int64_t looked = 0;
  while (looked < p->count &&
         futc_python_look(program, p->types[looked], PyTuple_GetItem(tuple, (Py_ssize_t)looked),
                          "a part", &p->arguments[looked])) {
    looked++;
  }
  PyObject *handle = NULL;
  if (looked == p->count) {
    void *value = NULL;
    void *saved = PyEval_SaveThread();
    futc_python_lock(program);
    int code = make_parts(p);
    if (code == FUTC_SUCCESS) {
      code = make(program->lib, m, p->values, &value);
      free_parts(p, p->count);
    }
    (void)futc_python_unlock(program, code);
    PyEval_RestoreThread(saved);
    handle = code == FUTC_SUCCESS ? futc_python_own(program, value, NULL)
                                  : futc_python_raise(program, code);
  }
  futc_python_forget(p->arguments, looked);
  return handle;
}

static PyObject *compose(struct futc_python *program, struct maker m, int64_t count,
                         const struct futc_type *const *types, PyObject *tuple) {
  if (PyTuple_Size(tuple) != (Py_ssize_t)count) {
    PyErr_SetString(PyExc_TypeError, "a value of an opaque type has another number of parts");
    return NULL;
  }
  struct parts p = {program, count, types, NULL, NULL};
  p.arguments = calloc((size_t)count + 1, sizeof *p.arguments);
  p.values = calloc((size_t)count + 1, sizeof *p.values);
  PyObject *handle = NULL;
  if (p.arguments == NULL || p.values == NULL) {
    (void)PyErr_NoMemory();
  } else {
    handle = put_together(&p, m, tuple);
  }
  free(p.arguments);
  free(p.values);
  return handle;
}

/* The program and the type that a function begins with. */
static const struct futc_type *subject(PyObject *const *args, struct futc_python **program,
                                       int64_t *number) {
  *program = futc_python_program(args[0]);
  if (*program == NULL) {
    return NULL;
  }
  const char *name = PyUnicode_AsUTF8AndSize(args[1], NULL);
  for (int64_t i = 0; name != NULL && i < futc_program.num_types; i++) {
    if (strcmp(futc_program.types[i]->name, name) == 0) {
      *number = i;
      return futc_program.types[i];
    }
  }
  if (name != NULL) {
    PyErr_SetString(PyExc_TypeError, "the program has no such type");
  }
  return NULL;
}

/* record(program, type, fields): also an array of records, of arrays. */
static PyObject *record(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = NULL;
  struct maker m = {.kind = RECORD};
  const struct futc_type *type = subject(args, &program, &m.type);
  if (type == NULL) {
    return NULL;
  }
  const struct futc_type **types = calloc((size_t)type->num_fields + 1, sizeof *types);
  if (types == NULL) {
    return PyErr_NoMemory();
  }
  for (int64_t i = 0; i < type->num_fields; i++) {
    types[i] = type->fields[i].type;
  }
  PyObject *handle = compose(program, m, type->num_fields, types, args[2]);
  free(types);
  return handle;
}

/* construct(program, type, variant, payloads) */
static PyObject *construct(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = NULL;
  struct maker m = {.kind = SUM};
  const struct futc_type *type = subject(args, &program, &m.type);
  if (type == NULL) {
    return NULL;
  }
  m.variant = PyLong_AsLongLong(args[2]);
  const struct futc_constructor *c = &type->constructors[m.variant];
  return compose(program, m, c->num_payloads, c->payloads, args[3]);
}

/* gather(program, type, elements, shape) */
static PyObject *gather(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = NULL;
  struct maker m = {.kind = ARRAY};
  const struct futc_type *type = subject(args, &program, &m.type);
  struct futc_array_view view;
  if (type == NULL || !futc_view_array(type, &view)) {
    return NULL;
  }
  Py_ssize_t count = PyTuple_Size(args[2]);
  int64_t *sizes = count < 0 ? NULL : integers(args[3]);
  if (sizes == NULL) {
    return NULL;
  }
  m.shape = sizes;
  const struct futc_type **types = calloc((size_t)count + 1, sizeof *types);
  PyObject *handle = NULL;
  if (types == NULL) {
    (void)PyErr_NoMemory();
  } else {
    for (Py_ssize_t i = 0; i < count; i++) {
      types[i] = view.element;
    }
    handle = compose(program, m, (int64_t)count, types, args[2]);
  }
  free(types);
  free(sizes);
  return handle;
}

/* ---- Storing. ---- */

/* store(handle) */
static PyObject *store(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python_owner *owner = futc_python_handle(args[0]);
  if (owner == NULL) {
    return NULL;
  }
  struct futhark_context *lib = owner->program->lib;
  void *bytes = NULL;
  size_t size = 0;
  void *saved = PyEval_SaveThread();
  futc_python_lock(owner->program);
  int code = FUTC_PROGRAM_ERROR;
  if (owner->lib == lib) {
    code = futc_library_store(lib, number_of(lib, owner->value->type), owner->value, &bytes, &size);
  }
  (void)futc_python_unlock(owner->program, code);
  PyEval_RestoreThread(saved);
  if (code != FUTC_SUCCESS) {
    return futc_python_raise(owner->program, code);
  }
  PyObject *object = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
  free(bytes);
  return object;
}

/* restore(program, type, bytes), of bytes that `store` made. */
static PyObject *restore(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = NULL;
  int64_t number = 0;
  if (subject(args, &program, &number) == NULL) {
    return NULL;
  }
  char *bytes = NULL;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(args[2], &bytes, &size) != 0) {
    return NULL;
  }
  void *saved = PyEval_SaveThread();
  futc_python_lock(program);
  struct futc_value *v = futc_library_restore(program->lib, number, bytes);
  (void)futc_python_unlock(program, v == NULL ? FUTC_PROGRAM_ERROR : FUTC_SUCCESS);
  PyEval_RestoreThread(saved);
  return v == NULL ? futc_python_raise(program, FUTC_PROGRAM_ERROR)
                   : futc_python_own(program, v, NULL);
}

#define FUNCTION(NAME, FUNCTION)                                                                   \
  {NAME, (PyCFunction)(void (*)(void))(FUNCTION), METH_FASTCALL, NULL}

PyMethodDef futc_python_value_functions[] = {
    FUNCTION("project", project), FUNCTION("variant", variant),     FUNCTION("payload", destruct),
    FUNCTION("index", index_of),  FUNCTION("shape", shape),         FUNCTION("record", record),
    FUNCTION("gather", gather),   FUNCTION("construct", construct), FUNCTION("store", store),
    FUNCTION("restore", restore),
};
const size_t futc_python_num_value_functions =
    sizeof futc_python_value_functions / sizeof *futc_python_value_functions;
