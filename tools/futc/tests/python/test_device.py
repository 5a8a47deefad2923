"""Arrays on a device: what goes there and comes back. The driver is one for tests, without kernels."""

import ctypes
import json
import pickle
import unittest

import numpy as np

import device


class Copies(unittest.TestCase):
    def test_arrays_go_there_and_back(self):
        for n in (0, 1, 10, 10_000):
            x = np.arange(n, dtype="f4")
            for result in (device.same(x), device.taken(x), *device.both(x)):
                np.testing.assert_array_equal(result, x)
                self.assertFalse(np.shares_memory(result, x))
                self.assertTrue(result.flags.writeable)
            a, b = device.both(x)
            a[:] = -1
            np.testing.assert_array_equal(b, x)

    def test_arguments_are_released(self):
        program = device.Program()
        x = np.arange(100_000, dtype="f4")
        for _ in range(20):
            y = program.taken(program.same(x))
        del y
        program.divide(1, 1)
        # Of twenty arguments and results, each of the same size, some live at a time.
        self.assertLess(json.loads(program.report())["memory"]["device"], 5 * x.nbytes)

    def test_values(self):
        self.assertEqual(device.divide(7, 3), 2)
        self.assertEqual(device.norm(device.point(3, 4)), 5)
        count, xs = device.counted(device.state(4, np.arange(3, dtype="i4")))
        self.assertEqual(count, 4)
        np.testing.assert_array_equal(xs, [0, 1, 2])
        with self.assertRaisesRegex(device.Error, "division by zero"):
            device.divide(1, 0)


class Foreign:
    """An array of another library's on the device: whoever but the driver reads it is ended by a signal."""

    driver = ctypes.CDLL("libcuda.so.1")
    driver.fake_cuda_device_memory.restype = ctypes.c_void_p
    driver.fake_cuda_device_memory.argtypes = [ctypes.c_size_t]
    driver.cuMemcpyAsync.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]

    def __init__(self, values, **more):
        self.address = self.driver.fake_cuda_device_memory(max(values.nbytes, 1))
        if self.driver.cuMemcpyAsync(self.address, values.ctypes.data, values.nbytes, 1) != 0:
            raise RuntimeError("no context")
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (self.address, False),
            **more,
        }

    @classmethod
    def waits(cls, stream):
        return (ctypes.c_int * 8).in_dll(cls.driver, "fake_cuda_waits")[stream]


class ArraysOfOthers(unittest.TestCase):
    def setUp(self):
        device.divide(1, 1)
        self.x = np.arange(1000, dtype="f4")

    def test_they_are_copied_by_the_driver(self):
        for entry in device.same, device.taken:
            np.testing.assert_array_equal(entry(Foreign(self.x, stream=None)), self.x)
        ones = np.ones(3, "i4")
        _, xs = device.counted(device.state(4, Foreign(ones, stream=None)))
        np.testing.assert_array_equal(xs, ones)
        x = self.x[:0]
        np.testing.assert_array_equal(device.same(Foreign(x)), x)
        np.testing.assert_array_equal(device.same(Foreign(self.x, strides=(4,), stream=None)), self.x)

    def test_it_is_waited_for_what_makes_them(self):
        everything, stream = Foreign.waits(0), Foreign.waits(7)
        device.same(Foreign(self.x, stream=7))
        self.assertEqual((Foreign.waits(0), Foreign.waits(7)), (everything, stream + 1))
        device.same(Foreign(self.x))
        self.assertEqual((Foreign.waits(0), Foreign.waits(7)), (everything + 1, stream + 1))
        device.same(Foreign(self.x, stream=None))
        self.assertEqual((Foreign.waits(0), Foreign.waits(7)), (everything + 1, stream + 1))

    def test_what_cannot_be_taken_is_said(self):
        with self.assertRaisesRegex(ValueError, "one behind the other"):
            device.same(Foreign(self.x, strides=(8,)))
        with self.assertRaisesRegex(TypeError, "an array of float32 .* is wanted, not an array of float64"):
            device.same(Foreign(self.x.astype("f8")))
        with self.assertRaisesRegex(ValueError, "swapped or not aligned"):
            device.same(Foreign(self.x.astype(">f4")))
        with self.assertRaisesRegex(ValueError, "1 dimensions are wanted"):
            device.same(Foreign(self.x.reshape(10, 100)))
        with self.assertRaisesRegex(TypeError, "mask"):
            device.same(Foreign(self.x, mask=Foreign(self.x > 3)))


class ResultsForOthers(unittest.TestCase):
    def test_they_say_where_they_are(self):
        for n in 1, 1000:
            x = np.arange(n, dtype="f4")
            y = device.same(x)
            self.assertEqual(
                y.__cuda_array_interface__,
                {
                    "version": 3,
                    "shape": (n,),
                    "typestr": "<f4",
                    "data": (y.ctypes.data, False),
                    "strides": None,
                    "stream": None,
                },
            )
            self.assertEqual(y[::2].__cuda_array_interface__["strides"], None if n == 1 else (8,))
        self.assertEqual(device.same(x[:0]).__cuda_array_interface__["data"], (0, False))
        state = device.kept(4, np.ones(3, "i4"))
        self.assertTrue(state.xs.__cuda_array_interface__["data"][1])

    def test_what_numpy_makes_of_them_is_the_hosts(self):
        y = device.same(np.arange(10, dtype="f4"))
        for made in y + 1, np.sin(y), y.copy(), y[[1, 2]], pickle.loads(pickle.dumps(y)):
            self.assertFalse(hasattr(made, "__cuda_array_interface__"))
            np.testing.assert_array_equal(device.same(made), made)
        self.assertIsInstance(y.sum(), np.float32)
        np.testing.assert_array_equal(device.same(y[2:5]), [2, 3, 4])


if __name__ == "__main__":
    unittest.main()
