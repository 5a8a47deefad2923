/* What the runtime calls of CPython and NumPy, declared here so that nobody needs their headers to compile programs.
 *
 * Of CPython these are functions of the stable interface, which a process that runs Python has whatever its
 * version (3.9 and later); the library looks them up as it is loaded, as extension modules do. Objects are
 * known by address only, so that their layout does not matter. They are weak, since programs that are not for
 * Python have the same runtime.
 *
 * Of NumPy it is the layout of arrays and the numbers of functions in its table, which versions 1 and 2 keep.
 */
#ifndef FUTC_PYTHON_API_H
#define FUTC_PYTHON_API_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct _object PyObject;
typedef ssize_t Py_ssize_t;

typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
typedef PyObject *(*futc_fastcall)(PyObject *, PyObject *const *, Py_ssize_t);

typedef struct {
  const char *ml_name;
  PyCFunction ml_meth;
  int ml_flags;
  const char *ml_doc;
} PyMethodDef;

#define METH_FASTCALL 0x0080

#pragma weak PyBool_FromLong
#pragma weak PyBytes_AsStringAndSize
#pragma weak PyBytes_FromStringAndSize
#pragma weak PyCFunction_NewEx
#pragma weak PyCapsule_GetPointer
#pragma weak PyCapsule_New
#pragma weak PyErr_Clear
#pragma weak PyErr_NoMemory
#pragma weak PyErr_Occurred
#pragma weak PyErr_SetString
#pragma weak PyEval_RestoreThread
#pragma weak PyEval_SaveThread
#pragma weak PyExc_TypeError
#pragma weak PyFloat_AsDouble
#pragma weak PyFloat_FromDouble
#pragma weak PyLong_AsLongLong
#pragma weak PyLong_AsUnsignedLongLong
#pragma weak PyLong_FromLongLong
#pragma weak PyLong_FromUnsignedLongLong
#pragma weak PyNumber_Index
#pragma weak PyObject_CallFunctionObjArgs
#pragma weak PyObject_GetAttr
#pragma weak PyTuple_GetItem
#pragma weak PyTuple_New
#pragma weak PyTuple_SetItem
#pragma weak PyTuple_Size
#pragma weak PyUnicode_AsUTF8AndSize
#pragma weak PyUnicode_FromString
#pragma weak PyUnicode_InternFromString
#pragma weak Py_DecRef
#pragma weak Py_IncRef
#pragma weak _Py_FalseStruct
#pragma weak _Py_NoneStruct
#pragma weak _Py_TrueStruct

extern PyObject *PyBool_FromLong(long);
extern int PyBytes_AsStringAndSize(PyObject *, char **, Py_ssize_t *);
extern PyObject *PyBytes_FromStringAndSize(const char *, Py_ssize_t);
extern PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *, PyObject *);
extern void *PyCapsule_GetPointer(PyObject *, const char *);
extern PyObject *PyCapsule_New(void *, const char *, void (*)(PyObject *));
extern void PyErr_Clear(void);
extern PyObject *PyErr_NoMemory(void);
extern PyObject *PyErr_Occurred(void);
extern void PyErr_SetString(PyObject *, const char *);
extern void PyEval_RestoreThread(void *);
extern void *PyEval_SaveThread(void);
extern PyObject *PyExc_TypeError;
extern double PyFloat_AsDouble(PyObject *);
extern PyObject *PyFloat_FromDouble(double);
extern long long PyLong_AsLongLong(PyObject *);
extern unsigned long long PyLong_AsUnsignedLongLong(PyObject *);
extern PyObject *PyLong_FromLongLong(long long);
extern PyObject *PyLong_FromUnsignedLongLong(unsigned long long);
extern PyObject *PyNumber_Index(PyObject *);
extern PyObject *PyObject_CallFunctionObjArgs(PyObject *, ...);
extern PyObject *PyObject_GetAttr(PyObject *, PyObject *);
extern PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t); /* borrowed */
extern PyObject *PyTuple_New(Py_ssize_t);
extern int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *); /* takes the reference over */
extern Py_ssize_t PyTuple_Size(PyObject *);
extern const char *PyUnicode_AsUTF8AndSize(PyObject *, Py_ssize_t *);
extern PyObject *PyUnicode_FromString(const char *);
extern PyObject *PyUnicode_InternFromString(const char *);
extern void Py_DecRef(PyObject *);
extern void Py_IncRef(PyObject *);
/* Only their addresses are used. */
extern char _Py_FalseStruct[];
extern char _Py_NoneStruct[];
extern char _Py_TrueStruct[];

/* What an array holds behind the head that all Python objects have. */
struct futc_numpy_fields {
  void *data;
  int nd;
  int64_t *dims;
  int64_t *strides;
  PyObject *base;
  PyObject *descr;
  int flags;
};

enum { FUTC_NUMPY_C_CONTIGUOUS = 0x1, FUTC_NUMPY_ALIGNED = 0x100, FUTC_NUMPY_WRITEABLE = 0x400 };

/* Places in NumPy's table. */
enum { FUTC_NUMPY_TYPE = 2, FUTC_NUMPY_NEW_FROM_DESCR = 94, FUTC_NUMPY_SET_BASE = 282 };

typedef PyObject *(*futc_numpy_new)(void *type, PyObject *descr, int nd, const int64_t *dims,
                                    const int64_t *strides, void *data, int flags, PyObject *obj);
typedef int (*futc_numpy_set_base)(PyObject *array, PyObject *base);

#endif
