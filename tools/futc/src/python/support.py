"""What the packages that futc makes of programs have in common.

The shared library beside this file brings functions that Python calls directly. What is here is done seldom:
loading it, arguments of unusual form, and the classes of opaque values.
"""

import ctypes
import operator
import os
import threading
import weakref

import numpy

_NAMES = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool")
_DTYPES = {
    name: numpy.dtype(code)
    for name, code in zip(_NAMES, ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"))
}
_FUNCTIONS = (
    "open", "reopen", "entry", "report", "clear_caches", "pause_profiling", "on_device", "wait",
    "project", "variant", "payload", "index", "shape", "record", "gather", "construct", "store", "restore",
)


# What has it says where its elements are on a device.
_CUDA = "__cuda_array_interface__"


class Error(RuntimeError):
    """A program has failed. `message` says why, and `backtrace` where (it may be empty)."""

    @property
    def message(self):
        return str(self).partition("\n\nBacktrace:\n")[0]

    @property
    def backtrace(self):
        return str(self).partition("\n\nBacktrace:\n")[2]


class OutOfMemory(Error, MemoryError):
    """There was not enough memory."""


def _numpy_table():
    """NumPy's functions for C; its module has another name in version 2."""
    try:
        from numpy._core import _multiarray_umath as core
    except ImportError:
        from numpy.core import _multiarray_umath as core
    return core._ARRAY_API


class DeviceArray(numpy.ndarray):
    """A NumPy array in memory that a GPU reads, too, as results of programs for GPUs are.

    What knows the CUDA array interface (CuPy, Numba, PyTorch, JAX) takes it without a copy. What NumPy makes of it is
    in memory of the host, as usual, but for views.
    """

    @property
    def __cuda_array_interface__(self):
        owner = self.base
        while isinstance(owner, numpy.ndarray):
            owner = owner.base
        # The capsule that has the program's block.
        if type(owner).__name__ != "PyCapsule":
            raise AttributeError("the array is in memory of the host only")
        address = self.ctypes.data if self.size > 0 else 0
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (address, not self.flags.writeable),
            "strides": None if self.flags.c_contiguous else self.strides,
            # Calls return when the device has done its work.
            "stream": None,
        }

    def __array_wrap__(self, array, context=None, return_scalar=False):
        array = array.view(numpy.ndarray)
        return array[()] if array.ndim == 0 else array

    def __reduce_ex__(self, protocol):
        return self.view(numpy.ndarray).__reduce_ex__(protocol)


class _Foreign:
    """Elements on a device, for arrays of NumPy that nobody reads but the driver."""

    def __init__(self, value, interface):
        self._value = value
        self.__array_interface__ = {
            "version": 3,
            "shape": tuple(interface["shape"]),
            "typestr": interface["typestr"],
            "data": (interface["data"][0], True),
        }


class Library:
    """A program's code. Programs are contexts that run it."""

    def __init__(self, file, types, classes):
        self._file = file
        self._code = ctypes.PyDLL(file)  # whose functions hold the interpreter's lock
        ask = self._code.futhark_python
        ask.restype = ctypes.py_object
        ask.argtypes = [ctypes.py_object, ctypes.py_object, ctypes.c_ssize_t, ctypes.py_object]
        descrs = tuple(_DTYPES[name] for name in _NAMES)
        functions = ask(_numpy_table(), descrs, object.__basicsize__, DeviceArray)
        self.__dict__.update(zip(_FUNCTIONS, functions))
        self.types = types
        self.classes = classes

    def start(self, options):
        """The capsule of a new context."""
        threads, device, flags = options
        return self.open(threads, device, flags, self.convert, self.wrap, Error, OutOfMemory)

    def capsule_of(self, program):
        """The context of a program, which must be one of this library."""
        if not isinstance(program, Program) or program._library is not self:
            raise TypeError(f"a Program of the same module is wanted, not {_describe(program)}")
        return program._capsule

    def wrap(self, name, handle):
        """An opaque value by its handle."""
        return self.classes[name]._wrap(handle)

    # ---- Arguments of unusual form. ----

    def convert(self, program, name, value, where):
        """An argument of the type `name` in the form that is taken as it is."""
        kind, *about = self.types[name]
        if kind == "scalar":
            return _scalar(about[0], value, where)
        if kind == "array":
            if self.on_device() and not isinstance(value, numpy.ndarray) and hasattr(value, _CUDA):
                value = self._from_device(program, name, value, where)
            return _array(name, about[0], about[1], value, where)
        if isinstance(value, Value):
            return self._foreign(program, name, value, where)
        handle = self._handle_of(program, kind, name, about, value)
        if handle is None:
            raise TypeError(f"{where}: a value of type {name} is wanted, not {_describe(value)}")
        return _Handle(handle)

    def _from_device(self, program, name, value, where):
        """An array of NumPy for what is on a device. The program copies its elements, and has the driver do so."""
        interface = getattr(value, _CUDA)
        shape, dtype = tuple(interface["shape"]), numpy.dtype(interface["typestr"])
        if interface.get("mask") is not None:
            raise TypeError(f"{where}: an array with a mask on a device cannot be taken")
        if 0 in shape:
            return numpy.empty(shape, dtype)
        # Whatever would have NumPy convert the elements.
        if not dtype.isnative or interface["data"][0] % dtype.alignment != 0:
            raise ValueError(f"{where}: the elements of the array on the device are swapped or not aligned")
        if not _contiguous(shape, interface.get("strides"), dtype.itemsize):
            raise ValueError(
                f"{where}: the elements of the array on the device are not one behind the other (in C order, for {name}); "
                "make a copy where they are"
            )
        # Without the entry, it is not known what is to be waited for; with None, nothing is.
        stream = interface.get("stream", 0)
        if stream is not None:
            self.wait(program, stream)
        return numpy.asarray(_Foreign(value, interface))

    def _foreign(self, program, name, value, where):
        """A value that cannot be taken: of another type, or of another context."""
        if value._type != name or type(value)._library is not self:
            raise TypeError(f"{where}: a value of type {name} is wanted, not {_describe(value)}")
        # What another context of the program has made is copied.
        return _Handle(self.restore(program, name, self.store(value._handle)))

    def _handle_of(self, program, kind, name, about, value):
        if kind == "tuple" and isinstance(value, tuple) and len(value) == len(about[0]):
            return self.record(program, name, value)
        if kind == "record" and isinstance(value, dict) and set(value) == {n for n, _ in about[0]}:
            return self.record(program, name, tuple(value[n] for n, _ in about[0]))
        if kind in ("record_array", "opaque_array") and isinstance(value, (list, tuple)):
            return self.gather_nested(program, name, about[0], value)
        return None

    def gather_nested(self, program, name, rank, elements):
        """An array of a nested sequence of elements."""
        shape = []
        flat = list(elements)
        for depth in range(rank):
            if depth == 0:
                shape.append(len(flat))
                continue
            sizes = {len(row) for row in flat} or {0}
            if len(sizes) != 1:
                raise ValueError(f"an array of type {name} needs rows of one size")
            shape.append(sizes.pop())
            flat = [element for row in flat for element in row]
        return self.gather(program, name, tuple(flat), tuple(shape))


def _describe(value):
    if isinstance(value, Value):
        return f"one of type {value._type}"
    if isinstance(value, numpy.ndarray):
        return f"an array of {value.dtype} with {value.ndim} dimension{'' if value.ndim == 1 else 's'}"
    return f"an object of type {type(value).__name__}"


def _contiguous(shape, strides, size):
    """Whether elements of so many bytes are one behind the other; there is one at least."""
    if strides is None:
        return True
    for n, stride in zip(reversed(shape), reversed(strides)):
        if n != 1 and stride != size:
            return False
        size *= n
    return True


def _scalar(prim, value, where):
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    if prim == "bool":
        if isinstance(value, (bool, numpy.bool_)):
            return bool(value)
    elif prim[0] == "f":
        if isinstance(value, (int, float, numpy.integer, numpy.floating)):
            return float(value)
    elif hasattr(value, "__index__") and not isinstance(value, numpy.ndarray):
        value = value.__index__()
        limits = numpy.iinfo(_DTYPES[prim])
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"{where}: {value} does not fit into {prim}")
        return value
    raise TypeError(f"{where}: a {prim} is wanted, not {_describe(value)}")


def _array(name, prim, rank, value, where):
    dtype = _DTYPES[prim]
    array = _as_array(dtype, value, where)
    if array.dtype != dtype and array.dtype.newbyteorder("=") != dtype:
        raise TypeError(
            f"{where}: an array of {dtype} (for {name}) is wanted, not {_describe(array)}; "
            f"convert it with .astype(numpy.{dtype})"
        )
    if array.ndim != rank:
        raise ValueError(f"{where}: {rank} dimensions are wanted (for {name}), not {array.ndim}")
    array = numpy.require(array, dtype, ["C", "A"])
    # Of equal types of elements there may be several objects, and subclasses have layouts of their own.
    if array.dtype is not dtype or type(array) is not numpy.ndarray:
        array = array.view(dtype, numpy.ndarray)
    return array


def _as_array(dtype, value, where):
    try:
        return _of_host(dtype, value, where)
    except (TypeError, BufferError, RuntimeError) as error:
        if isinstance(value, numpy.ndarray) or not hasattr(value, _CUDA):
            raise
        raise TypeError(
            f"{where}: the array is on a GPU, and the program is not for one (--target=nvptx): bring it to the host first"
        ) from error


def _of_host(dtype, value, where):
    if isinstance(value, numpy.ma.MaskedArray):
        raise TypeError(f"{where}: a masked array would lose its mask; give values to what it hides by .filled()")
    if isinstance(value, numpy.ndarray):
        return value
    if isinstance(value, (list, tuple, range)):
        try:
            array = numpy.array(value)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if array.dtype == object or not (array.size == 0 or _may_become(array, dtype)):
            raise TypeError(f"{where}: {_describe(value)} does not hold values of {dtype}")
        return array.astype(dtype)
    if hasattr(value, "__dlpack__"):
        return numpy.from_dlpack(value)
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        pass
    if not hasattr(value, "__array_interface__") and not hasattr(value, "__array__"):
        raise TypeError(f"{where}: an array of {dtype} is wanted, not {_describe(value)}")
    return numpy.asarray(value)


def _may_become(array, dtype):
    """Whether a list's numbers are those of a type: no fractions as integers, and nothing out of range."""
    if not numpy.can_cast(array.dtype, dtype, "same_kind") and (array.dtype.kind, dtype.kind) != ("i", "u"):
        return False
    if dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        return int(array.min()) >= limits.min and int(array.max()) <= limits.max
    return True


# ---- Opaque values. ----


class _Handle:
    """Holds a value for a call."""

    __slots__ = ("_handle",)

    def __init__(self, handle):
        self._handle = handle


class Value:
    """A value of a type that is not one of numbers or arrays of numbers."""

    __slots__ = ("_handle", "__weakref__")
    _library = None
    _default = None
    _type = ""

    def __init__(self):
        raise TypeError(f"values of type {self._type} are made by the program's entry points only")

    @classmethod
    def _wrap(cls, handle):
        self = object.__new__(cls)
        self._handle = handle
        return self

    @classmethod
    def _restore(cls, data):
        return cls._library.wrap(
            cls._type, cls._library.restore(cls._default()._capsule, cls._type, data)
        )

    def __reduce__(self):
        return _restore_value, (_base_of(type(self)), self._library.store(self._handle))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return type(self)._restore(self._library.store(self._handle))


def _base_of(cls):
    """The class that has the name of the type: classes of variants are found by their base."""
    return cls._sum if hasattr(cls, "_sum") else cls


def _restore_value(cls, data):
    return cls._restore(data)


class Opaque(Value):
    """A value that cannot be taken apart."""

    __slots__ = ()

    def __repr__(self):
        return f"<{self._type}>"


def field(number, doc):
    """A property for the field of a record, or of an array of records: arrays cannot be written to."""

    def get(self):
        return self._library.project(self._handle, number)

    return property(get, doc=doc)


class Record(Value):
    """A record: made of its fields, which are attributes."""

    __slots__ = ()
    _fields = ()

    def __init__(self, *args, **kwargs):
        self._fill(self._default(), args, kwargs)

    @classmethod
    def of(cls, program, /, *args, **kwargs):
        """The same in the context of a program; without, it is made in that of the module."""
        self = object.__new__(cls)
        self._fill(program, args, kwargs)
        return self

    def _fill(self, program, args, kwargs):
        name = type(self).__name__
        if len(args) > len(self._fields):
            raise TypeError(f"{name} has {len(self._fields)} fields, and {len(args)} were given")
        given = dict(zip(self._fields, args))
        for key, value in kwargs.items():
            if key not in self._fields or key in given:
                raise TypeError(f"{name}: there is no field {key!r}, or it is given twice")
            given[key] = value
        missing = [key for key in self._fields if key not in given]
        if missing:
            raise TypeError(f"{name}: missing {', '.join(missing)}")
        parts = tuple(given[key] for key in self._fields)
        self._handle = self._library.record(self._library.capsule_of(program), self._type, parts)

    def __repr__(self):
        parts = ", ".join(f"{key}={getattr(self, key)!r}" for key in self._fields)
        return f"{type(self).__name__}({parts})"


class Sum(Value):
    """A value of one of several variants, each of which is a class."""

    __slots__ = ()
    _variants = ()

    def __init__(self, *args):
        raise TypeError(f"a value of type {self._type} is made by one of its variants")

    @classmethod
    def _wrap(cls, handle):
        variant = cls._variants[cls._library.variant(handle)]
        self = object.__new__(variant)
        self._handle = handle
        return self


class Variant:
    """What classes of variants have: payloads are the attributes v0, v1 and so on."""

    __slots__ = ()
    _sum = None
    _number = 0

    def __init__(self, *args):
        self._fill(self._default(), args)

    @classmethod
    def of(cls, program, /, *args):
        """The same in the context of a program; without, it is made in that of the module."""
        self = object.__new__(cls)
        self._fill(program, args)
        return self

    def _fill(self, program, args):
        if len(args) != len(self.__match_args__):
            raise TypeError(
                f"{type(self).__name__} takes {len(self.__match_args__)} values, and {len(args)} were given"
            )
        capsule = self._library.capsule_of(program)
        self._handle = self._library.construct(capsule, self._type, self._number, args)

    def __repr__(self):
        parts = ", ".join(repr(getattr(self, key)) for key in self.__match_args__)
        return f"{self._sum.__name__}.{type(self).__name__}({parts})"


def _payload(number, doc):
    def get(self):
        return self._library.payload(self._handle, number)

    return property(get, doc=doc)


def variants(cls, cases):
    """Gives the class of a sum type those of its variants, as attributes."""
    made = []
    for number, (name, payloads) in enumerate(cases):
        names = tuple(f"v{i}" for i in range(len(payloads)))
        about = {
            "__slots__": (),
            "__match_args__": names,
            "__doc__": f"Values #{name} of the type {cls._type}.",
            "__module__": cls.__module__,
            "__qualname__": f"{cls.__qualname__}.{name}",
            "_sum": cls,
            "_number": number,
        }
        about.update((key, _payload(i, doc)) for i, (key, doc) in enumerate(zip(names, payloads)))
        made.append(type(name, (Variant, cls), about))
        setattr(cls, name, made[-1])
    cls._variants = tuple(made)


class Array(Value):
    """An array of values that are not numbers."""

    __slots__ = ()
    _rank = 1

    def __init__(self, elements):
        self._handle = self._gathered(self._default(), elements)

    @classmethod
    def of(cls, program, /, elements):
        """The same in the context of a program; without, it is made in that of the module."""
        return cls._wrap(cls._gathered(program, elements))

    @classmethod
    def _gathered(cls, program, elements):
        capsule = cls._library.capsule_of(program)
        return cls._library.gather_nested(capsule, cls._type, cls._rank, elements)

    @property
    def shape(self):
        """The sizes."""
        return self._library.shape(self._handle)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        shape = self.shape
        if len(index) != len(shape):
            raise IndexError(f"an array of {len(shape)} dimensions needs as many indexes")
        places = []
        for i, n in zip(index, shape):
            i = operator.index(i)
            if not -n <= i < n:
                raise IndexError(f"index {i} is out of bounds for a dimension of {n}")
            places.append(i % n)
        return self._library.index(self._handle, tuple(places))

    def __iter__(self):
        if self._rank != 1:
            raise TypeError("only arrays of one dimension are gone through")
        return (self[i] for i in range(len(self)))

    def __repr__(self):
        return f"<{self._type} of shape {self.shape}>"


class RecordArray(Array):
    """An array of records, which is also a record of arrays."""

    __slots__ = ()
    _parts = 0

    @classmethod
    def zip(cls, *arrays):
        """An array of records from arrays of their fields, in the module's context."""
        return cls.zip_of(cls._default(), *arrays)

    @classmethod
    def zip_of(cls, program, /, *arrays):
        """The same in the context of a program."""
        return cls._wrap(cls._library.record(cls._library.capsule_of(program), cls._type, arrays))

    def unzip(self):
        """The arrays of the fields; they cannot be written to."""
        return tuple(self._library.project(self._handle, i) for i in range(self._parts))


def declare(library, default, classes):
    """Tells classes of values where they belong."""
    for cls in classes:
        cls._library = library
        cls._default = staticmethod(default)


# ---- Programs. ----

_programs = weakref.WeakSet()
_lock = threading.Lock()


class Program:
    """A context: the program with memory and threads of its own. One call runs at a time in each."""

    _library = None
    _num_entries = 0

    def __init__(self, *, num_threads=0, device=None, debugging=False, profiling=False, logging=False):
        flags = (1 if debugging else 0) | (2 if profiling else 0) | (4 if logging else 0)
        if device is not None and not isinstance(device, str):
            raise TypeError(f"device: a name is wanted, not {_describe(device)}")
        self._options = (operator.index(num_threads), device, flags)
        self._capsule = self._library.start(self._options)
        for number in range(self._num_entries):
            setattr(self, f"_entry{number}", self._library.entry(self._capsule, number))
        with _lock:
            _programs.add(self)

    def report(self):
        """What the context has used and, with profiling, how long things took."""
        return self._library.report(self._capsule)

    def clear_caches(self):
        """Gives memory back that is kept for later, and forgets what was measured."""
        self._library.clear_caches(self._capsule)

    def pause_profiling(self):
        """Measures no more."""
        self._library.pause_profiling(self._capsule, 1)

    def unpause_profiling(self):
        """Measures again."""
        self._library.pause_profiling(self._capsule, 0)

    def __reduce__(self):
        return _open_again, (type(self), self._options)


def _open_again(cls, options):
    threads, device, flags = options
    return cls(
        num_threads=threads,
        device=device,
        debugging=flags & 1 != 0,
        profiling=flags & 2 != 0,
        logging=flags & 4 != 0,
    )


def _after_fork():
    """A child has neither the threads of its parent nor, perhaps, the locks: contexts are made anew."""
    global _lock
    _lock = threading.Lock()
    for program in list(_programs):
        program._library.reopen(program._capsule, *program._options)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Default:
    """The context of a module's own functions, made when it is first needed."""

    def __init__(self, cls, names):
        self._cls = cls
        self._names = names
        self._lock = threading.Lock()
        self._program = None

    def __call__(self):
        if self._program is None:
            with self._lock:
                if self._program is None:
                    self._program = self._cls()
                    for number in range(self._cls._num_entries):
                        self._names[f"_entry{number}"] = getattr(self._program, f"_entry{number}")
        return self._program

    def first(self, number):
        """What stands for an entry point until there is a context."""

        def call(*args):
            return getattr(self(), f"_entry{number}")(*args)

        return call
