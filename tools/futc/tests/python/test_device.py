"""Arrays on a device: what goes there and comes back. The driver is one for tests, without kernels."""

import json
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


if __name__ == "__main__":
    unittest.main()
