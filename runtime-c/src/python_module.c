/* Python: programs, and the functions that a package is given. */
#include "python.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "futc_context_api.inc"
#include "futc_device_api.inc"
#include "futc_threads_api.inc"
PyObject *futhark_python(PyObject *table, PyObject *descrs, Py_ssize_t head, PyObject *device_type);
#pragma GCC visibility pop

#define PROGRAM "futc.program"

struct futc_numpy futc_numpy;

/* ---- Programs. ---- */

struct futc_python *futc_python_program(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, PROGRAM);
}

/* Of what the thread has ended last, if it failed. */
static _Thread_local char *message;

void futc_python_lock(struct futc_python *program) {
  (void)pthread_mutex_lock(&program->lock);
}

int futc_python_unlock(struct futc_python *program, int code) {
  if (code != FUTC_SUCCESS) {
    free(message);
    message = futhark_context_get_error(program->lib);
  }
  (void)pthread_mutex_unlock(&program->lock);
  return code;
}

bool futc_python_enter(struct futc_python *program) {
  futc_python_lock(program);
  if (!futc_library_enter(program->lib)) {
    (void)futc_python_unlock(program, FUTC_PROGRAM_ERROR);
    return false;
  }
  futc_python_release_dropped(program);
  return true;
}

int futc_python_leave(struct futc_python *program, int code) {
  return futc_python_unlock(program, futc_library_leave(program->lib, code));
}

PyObject *futc_python_raise(struct futc_python *program, int code) {
  char *text = message;
  message = NULL;
  PyObject *exception = code == FUTC_OUT_OF_MEMORY ? program->memory_error : program->error;
  if (text == NULL) {
    PyErr_SetString(exception, "out of memory");
    return NULL;
  }
  /* As Python says itself that it is an error. */
  static const char prefix[] = "Error: ";
  size_t skip = strncmp(text, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
  size_t length = strlen(text);
  while (length > skip && text[length - 1] == '\n') {
    text[--length] = '\0';
  }
  PyErr_SetString(exception, text + skip);
  free(text);
  return NULL;
}

/* What has no owner in this process any more: no thread is in the context, and no value is left. */
static void close_program(struct futc_python *program) {
  struct futc_python_owner *owner = atomic_load_explicit(&program->dropped, memory_order_acquire);
  while (owner != NULL) {
    struct futc_python_owner *next = owner->next;
    free(owner);
    owner = next;
  }
  futhark_context_free(program->lib);
  futhark_context_config_free(program->config);
  Py_DecRef(program->convert);
  Py_DecRef(program->wrap);
  Py_DecRef(program->error);
  Py_DecRef(program->memory_error);
  (void)pthread_mutex_destroy(&program->lock);
  free(program->device);
  free(program);
}

static void close_capsule(PyObject *capsule) {
  struct futc_python *program = futc_python_program(capsule);
  if (program != NULL) {
    close_program(program);
  }
}

static bool make_context(struct futc_python *program) {
  void *saved = PyEval_SaveThread();
  struct futhark_context *lib = futhark_context_new(program->config);
  PyEval_RestoreThread(saved);
  if (lib == NULL) {
    (void)PyErr_NoMemory();
    return false;
  }
  program->lib = lib;
  if (lib->broken) {
    futc_python_lock(program);
    (void)futc_python_raise(program, futc_python_unlock(program, FUTC_PROGRAM_ERROR));
    return false;
  }
  return true;
}

enum flag { DEBUGGING = 1, PROFILING = 2, LOGGING = 4 };

static bool configure(struct futc_python *program, int64_t threads, PyObject *device,
                      int64_t flags) {
  program->config = futhark_context_config_new();
  if (program->config == NULL) {
    (void)PyErr_NoMemory();
    return false;
  }
  futhark_context_config_set_debugging(program->config, (flags & DEBUGGING) != 0);
  futhark_context_config_set_profiling(program->config, (flags & PROFILING) != 0);
  futhark_context_config_set_logging(program->config, (flags & LOGGING) != 0);
  futhark_context_config_set_num_threads(program->config, (int)threads);
  if ((void *)device != (void *)_Py_NoneStruct) {
    const char *name = PyUnicode_AsUTF8AndSize(device, NULL);
    program->device = name == NULL ? NULL : strdup(name);
    if (program->device == NULL) {
      return false;
    }
    futhark_context_config_set_device(program->config, program->device);
  }
  return true;
}

/* open(threads, device, flags, convert, wrap, error, memory_error): the capsule of a program. */
static PyObject *open_program(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = calloc(1, sizeof *program);
  if (program == NULL || pthread_mutex_init(&program->lock, NULL) != 0) {
    free(program);
    return PyErr_NoMemory();
  }
  PyObject **kept[] = {&program->convert, &program->wrap, &program->error, &program->memory_error};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    *kept[i] = args[3 + i];
    Py_IncRef(args[3 + i]);
  }
  program->self = PyCapsule_New(program, PROGRAM, close_capsule);
  if (program->self == NULL) {
    close_program(program);
    return NULL;
  }
  if (!configure(program, PyLong_AsLongLong(args[0]), args[1], PyLong_AsLongLong(args[2])) ||
      !make_context(program)) {
    Py_DecRef(program->self);
    return NULL;
  }
  return program->self;
}

/* reopen(program, threads, device, flags): after a fork, whose child has neither the threads nor, perhaps, the lock of
 * the context. What it holds is left where it is. */
static PyObject *reopen(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = futc_python_program(args[0]);
  if (program == NULL) {
    return NULL;
  }
  PyObject *none = (PyObject *)(void *)_Py_NoneStruct;
  free(program->device);
  program->device = NULL;
  if (pthread_mutex_init(&program->lock, NULL) != 0) {
    return PyErr_NoMemory();
  }
  if (!configure(program, PyLong_AsLongLong(args[1]), args[2], PyLong_AsLongLong(args[3])) ||
      !make_context(program)) {
    return NULL;
  }
  Py_IncRef(none);
  return none;
}

static PyMethodDef entry_function = {
    "entry", (PyCFunction)(void (*)(void))futc_python_entry, METH_FASTCALL, NULL};

/* entry(program, number): a function. */
static PyObject *entry(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  PyObject *bound = PyTuple_New(2);
  if (bound == NULL) {
    return NULL;
  }
  for (Py_ssize_t i = 0; i < 2; i++) {
    Py_IncRef(args[i]);
    (void)PyTuple_SetItem(bound, i, args[i]);
  }
  PyObject *function = PyCFunction_NewEx(&entry_function, bound, NULL);
  Py_DecRef(bound);
  return function;
}

/* report(program) */
static PyObject *report(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = futc_python_program(args[0]);
  if (program == NULL) {
    return NULL;
  }
  void *saved = PyEval_SaveThread();
  char *text = futhark_context_report(program->lib);
  PyEval_RestoreThread(saved);
  if (text == NULL) {
    return PyErr_NoMemory();
  }
  PyObject *object = PyUnicode_FromString(text);
  free(text);
  return object;
}

/* None, or the error of what this thread has ended last. */
static PyObject *none_or_raise(struct futc_python *program, int code) {
  if (code != FUTC_SUCCESS) {
    return futc_python_raise(program, code);
  }
  PyObject *none = (PyObject *)(void *)_Py_NoneStruct;
  Py_IncRef(none);
  return none;
}

/* clear_caches(program) */
static PyObject *clear_caches(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = futc_python_program(args[0]);
  if (program == NULL) {
    return NULL;
  }
  int code = FUTC_PROGRAM_ERROR;
  void *saved = PyEval_SaveThread();
  if (futc_python_enter(program)) {
    futc_context_clear_caches(program->lib->ctx);
    code = futc_python_leave(program, FUTC_SUCCESS);
  }
  PyEval_RestoreThread(saved);
  return none_or_raise(program, code);
}

/* pause_profiling(program, pause) */
static PyObject *pause_profiling(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = futc_python_program(args[0]);
  if (program == NULL) {
    return NULL;
  }
  bool pause = PyLong_AsLongLong(args[1]) != 0;
  void *saved = PyEval_SaveThread();
  if (pause) {
    futhark_context_pause_profiling(program->lib);
  } else {
    futhark_context_unpause_profiling(program->lib);
  }
  PyEval_RestoreThread(saved);
  PyObject *none = (PyObject *)(void *)_Py_NoneStruct;
  Py_IncRef(none);
  return none;
}

/* on_device(): whether the program's arrays are memory of a device. */
static PyObject *on_device(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)args;
  (void)n;
  return PyBool_FromLong(futc_program.target == FUTC_NVPTX);
}

/* wait(program, stream): for what others do in a stream of the program's device, or, if it is 0, in all. */
static PyObject *wait_for(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  (void)self;
  (void)n;
  struct futc_python *program = futc_python_program(args[0]);
  if (program == NULL) {
    return NULL;
  }
  uintptr_t stream = (uintptr_t)PyLong_AsUnsignedLongLong(args[1]);
  if (stream == UINTPTR_MAX && PyErr_Occurred() != NULL) {
    return NULL;
  }
  int code = FUTC_PROGRAM_ERROR;
  void *saved = PyEval_SaveThread();
  if (futc_python_enter(program)) {
    bool ok = futc_context_wait(program->lib->ctx, stream);
    code = futc_python_leave(program, ok ? FUTC_SUCCESS : futc_library_take_error(program->lib));
  }
  PyEval_RestoreThread(saved);
  return none_or_raise(program, code);
}

#define FUNCTION(NAME, FUNCTION)                                                                   \
  {NAME, (PyCFunction)(void (*)(void))(FUNCTION), METH_FASTCALL, NULL}

static PyMethodDef functions[] = {
    FUNCTION("open", open_program),
    FUNCTION("reopen", reopen),
    FUNCTION("entry", entry),
    FUNCTION("report", report),
    FUNCTION("clear_caches", clear_caches),
    FUNCTION("pause_profiling", pause_profiling),
    FUNCTION("on_device", on_device),
    FUNCTION("wait", wait_for),
};

/* ---- The package's way in. ---- */

/* Of NumPy's table and types of elements, the size of the head of objects, and the type of arrays on devices, to a tuple of functions. */
PyObject *futhark_python(PyObject *table, PyObject *descrs, Py_ssize_t head,
                         PyObject *device_type) {
  void **numpy = PyCapsule_GetPointer(table, NULL);
  if (numpy == NULL) {
    return NULL;
  }
  futc_numpy.type = numpy[FUTC_NUMPY_TYPE];
  memcpy(&futc_numpy.new_array, &numpy[FUTC_NUMPY_NEW_FROM_DESCR], sizeof futc_numpy.new_array);
  memcpy(&futc_numpy.set_base, &numpy[FUTC_NUMPY_SET_BASE], sizeof futc_numpy.set_base);
  futc_numpy.head = (size_t)head;
  Py_IncRef(device_type);
  futc_numpy.device_type = device_type;
  for (Py_ssize_t i = 0; i < 12; i++) {
    futc_numpy.descrs[i] = PyTuple_GetItem(descrs, i);
    if (futc_numpy.descrs[i] == NULL) {
      return NULL;
    }
    Py_IncRef(futc_numpy.descrs[i]);
  }
  size_t own = sizeof functions / sizeof *functions;
  PyObject *all = PyTuple_New((Py_ssize_t)(own + futc_python_num_value_functions));
  for (size_t i = 0; all != NULL && i < own + futc_python_num_value_functions; i++) {
    PyMethodDef *m = i < own ? &functions[i] : &futc_python_value_functions[i - own];
    PyObject *function = PyCFunction_NewEx(m, NULL, NULL);
    if (function == NULL) {
      Py_DecRef(all);
      return NULL;
    }
    (void)PyTuple_SetItem(all, (Py_ssize_t)i, function);
  }
  return all;
}
