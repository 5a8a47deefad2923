/* Programs as Python modules: what the files of this part share.
 *
 * A package that futc writes loads the program by `ctypes` and asks once for its functions (python_module.c).
 * From then on Python calls these directly, without `ctypes` between: that is what makes a call take as long
 * as one of NumPy's own functions. Python code beside them (the package's `_support.py`) does what is not done
 * often: it turns arguments of unusual form into usual ones, and knows the classes of opaque values.
 *
 * The interpreter's lock is held unless a comment says otherwise. A context is never waited for with that lock
 * held, since who uses the context may wait for the interpreter.
 */
#ifndef FUTC_PYTHON_H
#define FUTC_PYTHON_H

#include "lend.h"
#include "python_api.h"

#include <stdatomic.h>

/* What has to be known of NumPy; of the process. */
struct futc_numpy {
  void *type;
  void *device_type; /* the package's own, of arrays that a device sees */
  futc_numpy_new new_array;
  futc_numpy_set_base set_base;
  PyObject *descrs[12]; /* by enum futc_prim */
  size_t head;          /* bytes of what each object begins with, the last being its type */
};
extern struct futc_numpy futc_numpy;

/* A value, or a block, that a Python object owns. */
struct futc_python_owner {
  struct futc_python *program;
  struct futhark_context *lib;
  struct futc_value *value; /* or NULL: then it is */
  void *block;
  struct futc_python_owner *next; /* among those that wait to be released */
};

/* A context. Python holds it in a capsule; so do all owners. */
struct futc_python {
  PyObject *self; /* the capsule; not counted */
  struct futhark_context *lib;
  struct futhark_context_config *config;
  char *device;
  PyObject *convert;      /* (type, argument, where) -> an argument that is taken as it is */
  PyObject *wrap;         /* (type, handle) -> an opaque value */
  PyObject *error;        /* of programs */
  PyObject *memory_error; /* the same, if memory is missing */
  struct futc_python_owner *_Atomic dropped;
  pthread_mutex_t lock; /* held by a thread from an operation's begin until it knows its error */
};

/* From its capsule; NULL with an exception. */
struct futc_python *futc_python_program(PyObject *capsule);

/* Inside of an operation: releases what has been dropped. The interpreter's lock does not matter. */
void futc_python_release_dropped(struct futc_python *program);

/* Without the interpreter's lock. The first two enclose functions of libraries, the others an operation on the
 * context; `enter` is false, and nothing to be ended, if the context could not be made. Ends return the code. */
void futc_python_lock(struct futc_python *program);
int futc_python_unlock(struct futc_python *program, int code);
bool futc_python_enter(struct futc_python *program);
int futc_python_leave(struct futc_python *program, int code);

/* Raises the error of what this thread has ended last, with this code; NULL. */
PyObject *futc_python_raise(struct futc_python *program, int code);

/* A capsule that owns a value or a block, which is released if there is no memory for it. */
PyObject *futc_python_own(struct futc_python *program, struct futc_value *value, void *block);
/* The owner of a value by its handle; NULL with an exception. */
struct futc_python_owner *futc_python_handle(PyObject *handle);

/* ---- Arguments. ---- */

/* An argument that has been looked at. */
struct futc_python_argument {
  PyObject *object;              /* a reference to what it is in */
  const struct futc_value *value; /* of an opaque type */
  void *data;                    /* of an array */
  const int64_t *shape;
  union futc_slot scalar;
};

/* Looks at an argument: false with an exception. `where` says which one it is. */
bool futc_python_look(struct futc_python *program, const struct futc_type *type, PyObject *object,
                      const char *where, struct futc_python_argument *out);
void futc_python_forget(struct futc_python_argument *arguments, int64_t count);

/* ---- Results. ---- */

/* Room for results that are small enough to be copied. */
struct futc_python_stash {
  size_t used;
  _Alignas(16) unsigned char bytes[2048];
};

/* Inside of an operation: makes the slots of a result fit for futc_python_result, taking over their references.
 * Arrays that others can see are copied, unless only to be read (`frozen`). A code; on failure nothing is left. */
int futc_python_prepare(struct futhark_context *lib, const struct futc_type *type, union futc_slot *slots,
                        struct futc_python_stash *stash, bool frozen);
/* The object; NULL with an exception. */
PyObject *futc_python_result(struct futc_python *program, const struct futc_type *type,
                             const union futc_slot *slots, const struct futc_python_stash *stash,
                             bool frozen);
/* Whether values of the type are tuples: records whose fields are numbered. */
bool futc_python_is_tuple(const struct futc_type *type);

/* ---- Functions. ---- */

PyObject *futc_python_entry(PyObject *self, PyObject *const *args, Py_ssize_t n);
extern PyMethodDef futc_python_value_functions[];
extern const size_t futc_python_num_value_functions;

#endif
