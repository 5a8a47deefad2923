"""Calls: who owns memory, errors, threads, processes."""

import gc
import inspect
import json
import multiprocessing
import pickle
import threading
import unittest

import numpy as np

import values

LARGE = 10_000


def address(array):
    return array.__array_interface__["data"][0]


def resident():
    """The process's memory, in bytes."""
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096


def peak(program):
    """The most memory that a program's arrays have taken."""
    return json.loads(program.report())["memory"]["host"]


def counted(program):
    """How often entry points ran that were profiled."""
    return {e["name"]: e["details"]["count"] for e in json.loads(program.report())["events"] if not e["provenance"]}


def in_child(queue):
    queue.put((values.total(np.arange(LARGE) + 0.0), values.norm(values.point(3, 4))))


class Arguments(unittest.TestCase):
    def test_contiguous_arrays_are_not_copied_and_not_written_to(self):
        x = np.ones(1 << 20)
        x.flags.writeable = False
        program = values.Program()
        self.assertEqual(program.total(x), 1 << 20)
        # All that the program has allocated: partial sums.
        self.assertLess(peak(program), x.nbytes // 16)
        y = program.add(x, x)
        self.assertLess(peak(program), y.nbytes * 17 // 16)
        self.assertEqual(x[0], 1)
        # An argument that is consumed is copied once.
        program = values.Program()
        z = program.put(np.arange(1 << 20), 0, 1)
        self.assertLess(peak(program), z.nbytes * 17 // 16)

    def test_results_do_not_share_memory_with_arguments(self):
        for n in (1, 10, LARGE):
            x = np.arange(n, dtype="f4")
            for result in (values.same(x), *values.both(x), values.loop_of(x, 0), values.loop_of(x, 9)):
                self.assertFalse(np.shares_memory(x, result))
            y = values.same(x)
            y[0] = 77
            self.assertEqual(x[0], 0)
            a, b = values.both(x)
            a[0] = 5
            self.assertEqual(b[0], 0)

    def test_arguments_kept_in_a_result_are_copied(self):
        x = np.arange(float(LARGE))
        kept = values.kept(x)
        x[:] = -1
        np.testing.assert_array_equal(kept.all, np.arange(float(LARGE)))

    def test_results_of_one_call_are_arguments_of_the_next(self):
        x = values.add(np.arange(float(LARGE)), np.ones(LARGE))
        for _ in range(100):
            x = values.add(x, x[::-1].copy()[::-1] * 0)
        np.testing.assert_array_equal(x, np.arange(float(LARGE)) + 1)
        np.testing.assert_array_equal(values.add(x, x), 2 * x)

    def test_any_address_will_do(self):
        memory = np.zeros(8 * LARGE + 64, "u1")
        for offset in range(0, 64, 8):
            x = memory[offset : offset + 8 * LARGE].view("f8")
            x[:] = np.arange(LARGE)
            np.testing.assert_array_equal(values.add(x, x), 2 * np.arange(LARGE))
            self.assertEqual(values.total(x), LARGE * (LARGE - 1) / 2)

    def test_consumed_arrays_stay_as_they_are(self):
        for n in (3, LARGE):
            x = np.arange(n)
            y = values.put(x, 1, 99)
            self.assertEqual((x[1], y[1]), (1, 99))
            z = values.put(y, 1, 98)
            self.assertEqual((y[1], z[1]), (99, 98))

    def test_constants_cannot_be_changed(self):
        values.constant()[0] = 9
        np.testing.assert_array_equal(values.constant(), [1, 2, 3])
        a, b, c = values.constants(LARGE)
        a[0] = 9
        c[0] = 9
        self.assertEqual(b[0], 1)

    def test_forms_of_arrays(self):
        want = np.arange(6.0) * 2
        x = np.arange(6.0)
        strided = np.repeat(x, 2)[::2]
        swapped = x.astype(">f8")
        read_only = x.copy()
        read_only.flags.writeable = False
        misaligned = np.zeros(49, "u1")[1:].view("f8")
        misaligned[:] = x
        forms = [x, strided, swapped, read_only, misaligned, x[::-1][::-1], list(x), tuple(x), range(6)]
        forms += [memoryview(x), bytearray_of(x), Interface(x), DLPack(x), Matrixlike(x)]
        for form in forms:
            with self.subTest(form=type(form)):
                np.testing.assert_array_equal(values.add(form, x), want)
        table = np.arange(6, dtype="f4").reshape(2, 3)
        np.testing.assert_array_equal(values.rows(table), table.T)
        np.testing.assert_array_equal(values.rows(np.asfortranarray(table)), table.T)
        np.testing.assert_array_equal(values.rows(table.T), table)

    def test_wrong_arguments(self):
        x = np.arange(3)
        wrong = [
            (TypeError, "array of int64 .* not an array of float64.*astype", values.at, x + 0.5, 1),
            (ValueError, "1 dimensions are wanted", values.at, np.zeros((3, 3), "i8"), 1),
            (TypeError, "does not hold values of int64", values.at, ["a"], 1),
            (TypeError, "does not hold values of int64", values.at, [1.5], 1),
            (TypeError, "is wanted", values.at, object(), 1),
            (TypeError, "lose its mask", values.at, np.ma.array(x, mask=[True, False, False]), 1),
            (ValueError, "xs: ", values.at, [[1], [2, 3]], 1),
            (TypeError, "a: a i32 is wanted, not an array", values.divide, np.array([5], "i4"), 1),
            (TypeError, "is wanted", values.at, None, 1),
            (OverflowError, "a: .* does not fit into i32", values.divide, 2**31, 1),
            (OverflowError, "does not fit into i64", values.at, x, 2**70),
            (TypeError, "b: a i32 is wanted", values.divide, 1, 1.5),
            (TypeError, "a f32 is wanted", values.scale, "1", np.zeros(1, "f4")),
            (TypeError, "lambda: a bool is wanted", values.from_, 1, 1),
            (TypeError, "argument", values.divide, 1),
            (TypeError, "type point is wanted", values.norm, 1),
            (TypeError, "type point is wanted, not one of type", values.norm, values.start(1)),
            (values.Error, "do not match|size|shape", values.add, np.zeros(2), np.zeros(3)),
        ]
        for kind, text, entry, *args in wrong:
            with self.subTest(entry=entry.__name__, args=args):
                with self.assertRaisesRegex(kind, text):
                    entry(*args)
        self.assertEqual(values.at(x, 2), 2)

    def test_numbers_of_numpy_are_numbers(self):
        self.assertEqual(values.divide(np.int64(7), np.array(2)), 3)
        np.testing.assert_array_equal(values.scale(np.float32(2), np.ones(2, "f4")), [2, 2])
        self.assertIs(values.from_(np.int8(1), np.bool_(True)), True)


def bytearray_of(x):
    """Something with the buffer protocol only."""
    return memoryview(bytearray(x.tobytes())).cast("d")


class Interface:
    """Something with NumPy's interface only."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class DLPack:
    """Something with DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Matrixlike(np.ndarray):
    """A class of arrays of its own."""

    def __new__(cls, array):
        return array.view(cls)


class Results(unittest.TestCase):
    def test_they_own_their_memory(self):
        for n in (10, LARGE):
            y = values.add(np.arange(float(n)), np.ones(n))
            self.assertTrue(y.flags.writeable)
            gc.collect()
            for _ in range(10):
                values.add(np.zeros(n), np.zeros(n))
            np.testing.assert_array_equal(y, np.arange(n) + 1.0)
            part = y[::2]
            del y
            gc.collect()
            values.add(np.zeros(n), np.zeros(n))
            np.testing.assert_array_equal(part, (np.arange(n) + 1.0)[::2])

    def test_other_libraries_can_have_them(self):
        for n in (10, LARGE):
            y = values.add(np.arange(float(n)), np.ones(n))
            z = np.from_dlpack(y)
            self.assertEqual(address(y), address(z))
            self.assertEqual(y.__dlpack_device__(), (1, 0))
            self.assertEqual(memoryview(y).nbytes, 8 * n)
            del y
            gc.collect()
            values.add(np.zeros(n), np.zeros(n))
            self.assertEqual(z[0], 1)

    def test_large_results_are_there_once(self):
        n = 32 << 20
        x = np.ones(n, "f8")
        before = resident()
        y = values.Program(num_threads=2).add(x, x)
        rise = resident() - before
        self.assertGreaterEqual(rise, 8 * n)
        self.assertLess(rise, 8 * n + (8 << 20))
        self.assertEqual(y[-1], 2)

    def test_many_calls_take_no_more_memory(self):
        x = np.arange(10, dtype="f4")
        large = np.arange(float(LARGE))

        def work(n):
            for _ in range(n):
                values.scale(2.0, x)
                values.norm(values.make(1, 2))
                values.area(values.shape_of(2.0))
            for _ in range(n // 100):
                values.add(large, large)
                values.put(np.arange(10), 1, 2)
                values.kept(large).all
                try:
                    values.divide(1, 0)
                except values.Error:
                    pass
                try:
                    values.scale("x", x)
                except TypeError:
                    pass

        work(2000)
        before = resident()
        work(100_000)
        self.assertLess(resident() - before, 4 << 20)


class Errors(unittest.TestCase):
    def test_they_say_what_and_where(self):
        with self.assertRaises(values.Error) as caught:
            values.at(np.arange(3), 5)
        self.assertEqual(caught.exception.message, "Index [5] out of bounds for array of shape [3].")
        self.assertRegex(caught.exception.backtrace, r"#0 .*values\.fut:\d+:")
        self.assertIsInstance(caught.exception, RuntimeError)

    def test_programs_stay_usable(self):
        for _ in range(100):
            with self.assertRaisesRegex(values.Error, "division by zero"):
                values.divide(1, 0)
            self.assertEqual(values.divide(7, 2), 3)

    def test_memory_that_is_not_there(self):
        with self.assertRaises(values.OutOfMemory) as caught:
            values.huge(1 << 60)
        self.assertIsInstance(caught.exception, MemoryError)
        self.assertEqual(values.huge(10), 45)


class Modules(unittest.TestCase):
    def test_documentation(self):
        self.assertEqual(values.__doc__, "Values of all kinds.\nThis is the module's documentation.")
        self.assertEqual(values.scale.__doc__, "Multiplies.\n\nscale: f32 -> []f32 -> []f32")
        self.assertEqual(values.put.__doc__, "put: *[]i64 -> i64 -> i64 -> []i64")
        signature = inspect.signature(values.scale)
        self.assertEqual(str(signature), "(a: 'float', xs: 'numpy.ndarray') -> 'numpy.ndarray'")
        self.assertEqual(str(inspect.signature(values.Program.from_)), "(self, x_prime: 'int', lambda_: 'bool') -> 'bool'")
        self.assertEqual((values.primed_prime(1), values.report_(2), values.hidden_(3)), (1, 2, 3))

    def test_stubs_are_python(self):
        stub = values.__file__ + "i"
        with open(stub) as f:
            text = f.read()
        compile(text, stub, "exec")
        self.assertIn("def scale(a: float, xs: numpy.typing.NDArray[numpy.float32] | Sequence[float])", text)

    def test_programs_are_contexts_of_their_own(self):
        one, two = values.Program(profiling=True), values.Program(num_threads=1)
        self.assertEqual(one.divide(7, 2), 3)
        self.assertEqual((counted(one), counted(two)), ({"divide": 1}, {}))
        p = one.make(3, 4)
        self.assertEqual((two.norm(p), values.norm(p), one.norm(p)), (5, 5, 5))
        self.assertEqual(two.norm(values.point.of(two, 3, 4)), 5)
        one.pause_profiling()
        one.divide(1, 1)
        one.unpause_profiling()
        self.assertEqual(counted(one)["divide"], 1)
        one.clear_caches()

    def test_pickling(self):
        def again(x):
            return pickle.loads(pickle.dumps(x))

        self.assertEqual(again(values.divide)(7, 2), 3)
        program = again(values.Program(num_threads=2))
        self.assertEqual(program.divide(7, 2), 3)
        self.assertEqual(again(program.divide)(7, 2), 3)
        self.assertEqual(again(values.make(1, 2)).y, 2)
        self.assertEqual(again(values.shape.circle(3)).v0, 3)
        self.assertEqual([p.x for p in again(values.points(3))], [0, 1, 2])
        large = again(values.add(np.ones(LARGE), np.ones(LARGE)))
        self.assertEqual(large[5], 2)

    def test_threads_share_a_module(self):
        wrong = []

        def work(k):
            x = np.full(LARGE, float(k))
            for i in range(200):
                y = values.add(x, x)
                s = values.step(values.start(3))
                if y[i] != 2 * k or values.divide(7 * k, k) != 7 or s.count != 1:
                    wrong.append((k, i))
                try:
                    values.divide(1, 0)
                    wrong.append(k)
                except values.Error as e:
                    if e.message != "division by zero":
                        wrong.append(e)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 9)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_other_threads_run_during_calls(self):
        seen = []
        done = threading.Event()

        def call():
            values.huge(20_000_000)
            done.set()

        thread = threading.Thread(target=call)
        thread.start()
        while not done.is_set():
            # Freeing a result must not wait for the call.
            seen.append(values_made.pop() if values_made else None)
        thread.join()
        self.assertGreater(len(seen), 3)

    def test_processes(self):
        values.divide(1, 1)
        for method in ("fork", "spawn"):
            with self.subTest(method=method):
                context = multiprocessing.get_context(method)
                queue = context.Queue()
                child = context.Process(target=in_child, args=(queue,))
                child.start()
                self.assertEqual(queue.get(timeout=60), (LARGE * (LARGE - 1) / 2, 5))
                child.join()
                self.assertEqual(child.exitcode, 0)


values_made = [values.add(np.zeros(LARGE), np.zeros(LARGE)) for _ in range(50)]

if __name__ == "__main__":
    unittest.main()
