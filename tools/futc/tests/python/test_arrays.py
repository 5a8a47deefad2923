"""Arrays of all element types and ranks."""

import unittest

import numpy as np

import arrays

TYPES = {
    "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
    "f16": "f2", "f32": "f4", "f64": "f8", "bool": "?",
}


def extremes(name, dtype):
    if name == "bool":
        return [False, True]
    if name[0] == "f":
        return [0, -1.5, np.finfo(dtype).max, np.finfo(dtype).tiny, np.inf]
    return [0, 1, np.iinfo(dtype).min, np.iinfo(dtype).max]


class All(unittest.TestCase):
    def test_scalars(self):
        for name, code in TYPES.items():
            entry = getattr(arrays, f"{name}_0")
            for x in extremes(name, np.dtype(code)):
                with self.subTest(name=name, x=x):
                    self.assertEqual(entry(np.dtype(code).type(x)), x)
                    self.assertEqual(entry(np.dtype(code).type(x).item()), x)

    def test_arrays(self):
        for name, code in TYPES.items():
            values = extremes(name, np.dtype(code))
            for rank in range(1, 6):
                for shape in ((3, 2, 4, 1, 2), (2, 0, 3, 1, 2), (0, 0, 0, 0, 0), (5, 6, 7, 5, 4)):
                    shape = shape[:rank]
                    with self.subTest(name=name, shape=shape):
                        x = np.resize(np.array(values, code), shape)
                        y = getattr(arrays, f"{name}_{rank}")(x)
                        self.assertEqual((y.dtype, y.shape), (x.dtype, x.shape))
                        np.testing.assert_array_equal(x, y)
                        self.assertFalse(np.shares_memory(x, y))
                        z = getattr(arrays, f"{name}_{rank}")(x[..., ::-1])
                        np.testing.assert_array_equal(x[..., ::-1], z)


if __name__ == "__main__":
    unittest.main()
