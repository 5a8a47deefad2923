/* Python: results as objects.
 *
 * Small arrays are copied into memory of NumPy's, which is quicker than to manage blocks for them. Others, and all
 * that are on a device, keep their blocks: the array's base is a capsule that owns it. Programs share blocks between results, with
 * constants and with opaque values, and an array that is written to must not change these: such blocks are
 * copied, or shown as arrays that cannot be written to.
 */
#include "half.h"
#include "python.h"
#include "prim.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWNER "futc.owner"

/* ---- Owners. ---- */

static void release(struct futc_python_owner *owner) {
  struct futhark_context *lib = owner->lib;
  struct futc_value *v = owner->value;
  if (v == NULL) {
    futc_release(lib->ctx, owner->block);
    return;
  }
  /* Consumed ones have no blocks any more. */
  if (v->state == FUTC_VALUE_LIVE) {
    futc_release_value(lib->ctx, v->type, v->slots);
  }
  futc_value_discard(lib, v);
}

void futc_python_release_dropped(struct futc_python *program) {
  if (atomic_load_explicit(&program->dropped, memory_order_relaxed) == NULL) {
    return;
  }
  struct futc_python_owner *owner =
      atomic_exchange_explicit(&program->dropped, NULL, memory_order_acquire);
  while (owner != NULL) {
    struct futc_python_owner *next = owner->next;
    /* What was made before the process forked is left where it is. */
    if (owner->lib == program->lib) {
      release(owner);
    }
    free(owner);
    owner = next;
  }
}

/* An owner's memory is released at once, or by whoever uses the context now or next. */
static void drop(struct futc_python_owner *owner) {
  struct futc_python *program = owner->program;
  struct futc_python_owner *first = atomic_load_explicit(&program->dropped, memory_order_relaxed);
  do {
    owner->next = first;
  } while (!atomic_compare_exchange_weak_explicit(&program->dropped, &first, owner,
                                                  memory_order_release, memory_order_relaxed));
  if (pthread_mutex_trylock(&program->lock) == 0) {
    /* Its error, if there is one, is of no interest. */
    if (futc_library_enter(program->lib)) {
      futc_python_release_dropped(program);
      (void)futc_library_leave(program->lib, FUTC_SUCCESS);
    }
    (void)pthread_mutex_unlock(&program->lock);
  }
  Py_DecRef(program->self);
}

static void drop_capsule(PyObject *capsule) {
  struct futc_python_owner *owner = PyCapsule_GetPointer(capsule, OWNER);
  if (owner != NULL) {
    drop(owner);
  }
}

PyObject *futc_python_own(struct futc_python *program, struct futc_value *value, void *block) {
  struct futc_python_owner *owner = malloc(sizeof *owner);
  if (owner == NULL) {
    return PyErr_NoMemory();
  }
  *owner = (struct futc_python_owner){program, program->lib, value, block, NULL};
  Py_IncRef(program->self);
  PyObject *capsule = PyCapsule_New(owner, OWNER, drop_capsule);
  if (capsule == NULL) {
    drop(owner);
  }
  return capsule;
}

struct futc_python_owner *futc_python_handle(PyObject *handle) {
  return PyCapsule_GetPointer(handle, OWNER);
}

/* ---- Tuples. ---- */

bool futc_python_is_tuple(const struct futc_type *type) {
  if (type->kind != FUTC_RECORD) {
    return false;
  }
  for (int64_t i = 0; i < type->num_fields; i++) {
    char number[24];
    (void)snprintf(number, sizeof number, "%" PRId64, i);
    if (strcmp(number, type->fields[i].name) != 0) {
      return false;
    }
  }
  return true;
}

/* ---- In the context. ---- */

static bool in_stash(const struct futc_python_stash *stash, const void *block) {
  uintptr_t first = (uintptr_t)stash->bytes;
  return (uintptr_t)block >= first && (uintptr_t)block < first + sizeof stash->bytes;
}

static bool prepare_array(struct futhark_context *lib, struct futc_leaf leaf,
                          union futc_slot *slots, struct futc_python_stash *stash, bool frozen) {
  void *block = slots[0].block;
  size_t bytes = (size_t)futc_leaf_bytes(leaf, slots);
  size_t room = (bytes + 15) / 16 * 16;
  if (room == 0) {
    room = 16;
  }
  bool on_host = futc_context_input_space(lib->ctx) == FUTC_SPACE_HOST;
  if (!frozen && on_host && room <= sizeof stash->bytes - stash->used) {
    slots[0].block = stash->bytes + stash->used;
    stash->used += room;
    if (bytes > 0) {
      memcpy(slots[0].block, block, bytes);
    }
    futc_release(lib->ctx, block);
    return true;
  }
  if (!frozen && futc_heap_references(block) > 1) {
    bool ok = futc_copy_leaf(lib, leaf, slots) == FUTC_SUCCESS;
    futc_release(lib->ctx, block);
    if (!ok) {
      slots[0].block = NULL;
    }
    return ok;
  }
  return true;
}

/* As the function below, but what cannot be had is NULL, and all the rest is there. */
static bool prepare(struct futhark_context *lib, const struct futc_type *type,
                    union futc_slot *slots, struct futc_python_stash *stash, bool frozen) {
  if (type->kind == FUTC_TRANSPARENT) {
    return type->leaves[0].rank == 0 ||
           prepare_array(lib, type->leaves[0], slots, stash, frozen);
  }
  bool ok = true;
  if (futc_python_is_tuple(type)) {
    for (int64_t i = 0; i < type->num_fields; i++) {
      ok = prepare(lib, type->fields[i].type, slots, stash, frozen) && ok;
      slots += futc_type_slots(type->fields[i].type);
    }
    return ok;
  }
  int64_t n = futc_type_slots(type);
  if (n == 0) {
    return true;
  }
  struct futc_value *v = futc_value_make(lib, type);
  if (v == NULL) {
    futc_release_value(lib->ctx, type, slots);
  } else {
    memcpy(v->slots, slots, (size_t)n * sizeof *slots);
  }
  slots[0].block = v;
  return v != NULL;
}

/* Releases what has been prepared. */
static void give_up(struct futhark_context *lib, const struct futc_type *type,
                    const union futc_slot *slots, const struct futc_python_stash *stash) {
  if (type->kind == FUTC_TRANSPARENT) {
    if (type->leaves[0].rank > 0 && !in_stash(stash, slots[0].block)) {
      futc_release(lib->ctx, slots[0].block);
    }
  } else if (futc_python_is_tuple(type)) {
    for (int64_t i = 0; i < type->num_fields; i++) {
      give_up(lib, type->fields[i].type, slots, stash);
      slots += futc_type_slots(type->fields[i].type);
    }
  } else if (futc_type_slots(type) > 0 && slots[0].block != NULL) {
    struct futc_value *v = slots[0].block;
    futc_release_value(lib->ctx, v->type, v->slots);
    futc_value_discard(lib, v);
  }
}

int futc_python_prepare(struct futhark_context *lib, const struct futc_type *type,
                        union futc_slot *slots, struct futc_python_stash *stash, bool frozen) {
  if (prepare(lib, type, slots, stash, frozen)) {
    return FUTC_SUCCESS;
  }
  give_up(lib, type, slots, stash);
  return FUTC_OUT_OF_MEMORY;
}

/* ---- In Python. ---- */

static PyObject *scalar(int32_t prim, union futc_slot slot) {
  float single = 0;
  double x = 0;
  switch ((enum futc_prim)prim) {
  case FUTC_I8: return PyLong_FromLongLong((int8_t)slot.bits);
  case FUTC_I16: return PyLong_FromLongLong((int16_t)slot.bits);
  case FUTC_I32: return PyLong_FromLongLong((int32_t)slot.bits);
  case FUTC_I64: return PyLong_FromLongLong(slot.i64);
  case FUTC_U8: return PyLong_FromLongLong((uint8_t)slot.bits);
  case FUTC_U16: return PyLong_FromLongLong((uint16_t)slot.bits);
  case FUTC_U32: return PyLong_FromLongLong((uint32_t)slot.bits);
  case FUTC_U64: return PyLong_FromUnsignedLongLong(slot.bits);
  case FUTC_F16: return PyFloat_FromDouble(futc_half_to_float((uint16_t)slot.bits));
  case FUTC_F32: memcpy(&single, &slot.bits, sizeof single); return PyFloat_FromDouble(single);
  case FUTC_F64: memcpy(&x, &slot.bits, sizeof x); return PyFloat_FromDouble(x);
  case FUTC_BOOL: return PyBool_FromLong((long)(slot.bits & 1));
  }
  return NULL;
}

static PyObject *new_array(struct futc_leaf leaf, const union futc_slot *slots, void *data,
                           int flags) {
  PyObject *descr = futc_numpy.descrs[leaf.prim];
  Py_IncRef(descr);
  void *type = futc_program.target == FUTC_NVPTX ? futc_numpy.device_type : futc_numpy.type;
  return futc_numpy.new_array(type, descr, leaf.rank, &slots[1].i64, NULL, data, flags, NULL);
}

static PyObject *array(struct futc_python *program, struct futc_leaf leaf,
                       const union futc_slot *slots, const struct futc_python_stash *stash,
                       bool frozen) {
  void *block = slots[0].block;
  if (in_stash(stash, block)) {
    PyObject *a = new_array(leaf, slots, NULL, 0);
    int64_t bytes = futc_leaf_bytes(leaf, slots);
    if (a != NULL && bytes > 0) {
      const struct futc_numpy_fields *fields = (const void *)((const char *)a + futc_numpy.head);
      memcpy(fields->data, block, (size_t)bytes);
    }
    return a;
  }
  PyObject *owner = futc_python_own(program, NULL, block);
  if (owner == NULL) {
    return NULL;
  }
  int flags = FUTC_NUMPY_C_CONTIGUOUS | FUTC_NUMPY_ALIGNED;
  PyObject *a = new_array(leaf, slots, block, frozen ? flags : flags | FUTC_NUMPY_WRITEABLE);
  if (a == NULL) {
    Py_DecRef(owner);
    return NULL;
  }
  /* It takes the reference over, also if it fails. */
  if (futc_numpy.set_base(a, owner) != 0) {
    Py_DecRef(a);
    return NULL;
  }
  return a;
}

static PyObject *opaque(struct futc_python *program, const struct futc_type *type,
                        const union futc_slot *slots) {
  struct futc_value *v = NULL;
  if (futc_type_slots(type) > 0) {
    v = slots[0].block;
  } else {
    /* A value without contents. */
    void *saved = PyEval_SaveThread();
    if (futc_python_enter(program)) {
      v = futc_value_make(program->lib, type);
      (void)futc_python_leave(program, v == NULL ? FUTC_OUT_OF_MEMORY : FUTC_SUCCESS);
    }
    PyEval_RestoreThread(saved);
    if (v == NULL) {
      return futc_python_raise(program, FUTC_OUT_OF_MEMORY);
    }
  }
  PyObject *handle = futc_python_own(program, v, NULL);
  PyObject *name = handle == NULL ? NULL : PyUnicode_FromString(type->name);
  PyObject *object = NULL;
  if (name != NULL) {
    object = PyObject_CallFunctionObjArgs(program->wrap, name, handle, (PyObject *)NULL);
  }
  Py_DecRef(name);
  Py_DecRef(handle);
  return object;
}

PyObject *futc_python_result(struct futc_python *program, const struct futc_type *type,
                             const union futc_slot *slots, const struct futc_python_stash *stash,
                             bool frozen) {
  if (type->kind == FUTC_TRANSPARENT) {
    struct futc_leaf leaf = type->leaves[0];
    return leaf.rank == 0 ? scalar(leaf.prim, slots[0])
                          : array(program, leaf, slots, stash, frozen);
  }
  if (!futc_python_is_tuple(type)) {
    return opaque(program, type, slots);
  }
  PyObject *tuple = PyTuple_New((Py_ssize_t)type->num_fields);
  for (int64_t i = 0; i < type->num_fields; i++) {
    const struct futc_type *field = type->fields[i].type;
    /* All are made, so that each has an owner, also if one fails. */
    PyObject *object = futc_python_result(program, field, slots, stash, frozen);
    slots += futc_type_slots(field);
    if (tuple == NULL || object == NULL) {
      Py_DecRef(object);
      Py_DecRef(tuple);
      tuple = NULL;
    } else {
      (void)PyTuple_SetItem(tuple, (Py_ssize_t)i, object);
    }
  }
  return tuple;
}
