/* Python: calls of entry points.
 *
 * Arguments are looked at with the interpreter's lock held, and used without it: the call keeps a reference to
 * each. Arrays are lent to the program; those that it consumes are copied first, so that what Python sees does
 * not change. Where the program's arrays are a device's, all are copied.
 */
#include "python.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ON_STACK 24

struct call {
  struct futc_python *program;
  const struct futc_entry *entry;
  struct futc_python_argument *arguments;
  union futc_slot *slots; /* of the arguments, then of the result */
  union futc_slot *results;
  const void **lent;
  struct futc_python_stash stash;
};

/* ---- In the context. ---- */

static bool given_twice(const struct call *c, int64_t number) {
  for (int64_t i = 0; i < c->entry->num_inputs; i++) {
    if (i != number && c->arguments[i].value == c->arguments[number].value) {
      return true;
    }
  }
  return false;
}

/* The slots of an opaque argument; a code. */
static int opaque(struct call *c, int64_t i, union futc_slot *slots) {
  const struct futc_value_spec *spec = &c->entry->inputs[i];
  struct futhark_context *lib = c->program->lib;
  struct futc_value *v = futc_value_check(lib, spec->type, c->arguments[i].value);
  if (v == NULL) {
    return FUTC_PROGRAM_ERROR;
  }
  if (spec->unique != 0) {
    if (given_twice(c, i)) {
      return futc_library_fail(lib, FUTC_PROGRAM_ERROR,
                               "%s: argument %s is consumed, and used again in the same call",
                               c->entry->name, spec->name);
    }
    char why[FUTC_WHY];
    if (!futc_own_value(lib->ctx, spec->type, v->slots, why)) {
      return futc_library_fail(lib, FUTC_OUT_OF_MEMORY, "%s", why);
    }
  }
  memcpy(slots, v->slots, (size_t)futc_type_slots(spec->type) * sizeof *slots);
  return FUTC_SUCCESS;
}

static bool is_copied(const struct call *c, int64_t i) {
  const struct futc_value_spec *spec = &c->entry->inputs[i];
  return spec->type->kind == FUTC_TRANSPARENT && spec->type->leaves[0].rank > 0 &&
         (spec->unique != 0 ||
          futc_context_input_space(c->program->lib->ctx) != FUTC_SPACE_HOST);
}

/* The slots of all arguments; a code. On failure, copies that were made are released. */
static int gather(struct call *c, struct futc_lent *lent) {
  struct futhark_context *lib = c->program->lib;
  union futc_slot *slots = c->slots;
  int code = FUTC_SUCCESS;
  int64_t done = 0;
  for (; done < c->entry->num_inputs && code == FUTC_SUCCESS; done++) {
    const struct futc_type *type = c->entry->inputs[done].type;
    const struct futc_python_argument *a = &c->arguments[done];
    if (type->kind != FUTC_TRANSPARENT) {
      code = opaque(c, done, slots);
    } else if (type->leaves[0].rank == 0) {
      slots[0] = a->scalar;
    } else {
      slots[0].block = a->data;
      memcpy(slots + 1, a->shape, (size_t)type->leaves[0].rank * sizeof *a->shape);
      if (!is_copied(c, done)) {
        c->lent[lent->count++] = a->data;
      } else {
        code = futc_copy_leaf(lib, type->leaves[0], slots);
      }
    }
    if (code != FUTC_SUCCESS) {
      break;
    }
    slots += futc_type_slots(type);
  }
  if (code != FUTC_SUCCESS) {
    slots = c->slots;
    for (int64_t i = 0; i < done; i++) {
      if (is_copied(c, i)) {
        futc_release(lib->ctx, slots[0].block);
      }
      slots += futc_type_slots(c->entry->inputs[i].type);
    }
  }
  return code;
}

/* Opaque arguments that are consumed belong to the call. */
static void consume(struct call *c) {
  for (int64_t i = 0; i < c->entry->num_inputs; i++) {
    const struct futc_value_spec *spec = &c->entry->inputs[i];
    if (spec->unique != 0 && spec->type->kind != FUTC_TRANSPARENT) {
      struct futc_value *v =
          futc_value_check(c->program->lib, spec->type, c->arguments[i].value);
      if (v != NULL) {
        v->state = FUTC_VALUE_CONSUMED;
      }
    }
  }
}

/* Copies that the call has not taken over. */
static void release_copies(struct call *c) {
  const union futc_slot *slots = c->slots;
  for (int64_t i = 0; i < c->entry->num_inputs; i++) {
    if (is_copied(c, i) && c->entry->inputs[i].unique == 0) {
      futc_release(c->program->lib->ctx, slots[0].block);
    }
    slots += futc_type_slots(c->entry->inputs[i].type);
  }
}

static int run(struct call *c) {
  struct futhark_context *lib = c->program->lib;
  struct futc_lent lent = {0, c->lent};
  int code = gather(c, &lent);
  if (code != FUTC_SUCCESS) {
    return code;
  }
  consume(c);
  code = futc_library_call_lending(lib, c->entry, c->slots, &lent, c->results);
  release_copies(c);
  if (code != FUTC_SUCCESS) {
    return code;
  }
  return futc_python_prepare(lib, c->entry->result, c->results, &c->stash, false);
}

/* ---- In Python. ---- */

static PyObject *perform(struct call *c) {
  struct futc_python *program = c->program;
  int code = FUTC_PROGRAM_ERROR;
  void *saved = PyEval_SaveThread();
  if (futc_python_enter(program)) {
    code = futc_python_leave(program, run(c));
  }
  PyEval_RestoreThread(saved);
  if (code != FUTC_SUCCESS) {
    return futc_python_raise(program, code);
  }
  return futc_python_result(program, c->entry->result, c->results, &c->stash, false);
}

static bool look(struct call *c, PyObject *const *args) {
  for (int64_t i = 0; i < c->entry->num_inputs; i++) {
    const struct futc_value_spec *spec = &c->entry->inputs[i];
    if (!futc_python_look(c->program, spec->type, args[i], spec->name, &c->arguments[i])) {
      futc_python_forget(c->arguments, i);
      return false;
    }
  }
  return true;
}

/* With room for so many slots and arguments. */
static PyObject *call_with(struct call *c, PyObject *const *args) {
  if (!look(c, args)) {
    return NULL;
  }
  PyObject *result = perform(c);
  futc_python_forget(c->arguments, c->entry->num_inputs);
  return result;
}

static PyObject *call_large(struct call *c, size_t inputs, size_t slots, PyObject *const *args) {
  c->slots = calloc(slots + 1, sizeof *c->slots);
  c->arguments = calloc(inputs + 1, sizeof *c->arguments);
  c->lent = calloc(inputs + 1, sizeof *c->lent);
  PyObject *result = NULL;
  if (c->slots == NULL || c->arguments == NULL || c->lent == NULL) {
    (void)PyErr_NoMemory();
  } else {
    c->results = c->slots + slots - (size_t)futc_type_slots(c->entry->result);
    result = call_with(c, args);
  }
  free(c->slots);
  free(c->arguments);
  free(c->lent);
  return result;
}

/* self: a tuple of the program's capsule and the number of the entry point. */
PyObject *futc_python_entry(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  struct futc_python *program = futc_python_program(PyTuple_GetItem(self, 0));
  if (program == NULL) {
    return NULL;
  }
  struct call c;
  c.program = program;
  c.entry = &futc_program.entries[PyLong_AsLongLong(PyTuple_GetItem(self, 1))];
  c.stash.used = 0;
  if (n != (Py_ssize_t)c.entry->num_inputs) {
    char text[256];
    (void)snprintf(text, sizeof text, "%s takes %" PRId64 " arguments, and %zd were given",
                   c.entry->name, c.entry->num_inputs, n);
    PyErr_SetString(PyExc_TypeError, text);
    return NULL;
  }
  size_t inputs = (size_t)n;
  size_t result = (size_t)futc_type_slots(c.entry->result);
  size_t slots = result;
  for (size_t i = 0; i < inputs; i++) {
    slots += (size_t)futc_type_slots(c.entry->inputs[i].type);
  }
  if (inputs > ON_STACK || slots > 4 * ON_STACK) {
    return call_large(&c, inputs, slots, args);
  }
  struct futc_python_argument arguments[ON_STACK];
  union futc_slot room[4 * ON_STACK];
  const void *lent[ON_STACK];
  memset(room, 0, slots * sizeof *room);
  c.arguments = arguments;
  c.slots = room;
  c.results = room + slots - result;
  c.lent = lent;
  return call_with(&c, args);
}
