"""Opaque values: records, sums, tuples, arrays of them."""

import copy
import unittest

import numpy as np

import arrays
import values


class Records(unittest.TestCase):
    def test_fields(self):
        p = values.make(3, 4)
        self.assertIsInstance(p, values.point)
        self.assertEqual((p.x, p.y, values.norm(p)), (3, 4, 5))
        self.assertEqual(repr(p), "point(x=3.0, y=4.0)")
        for q in (values.point(3, 4), values.point(x=3, y=4), values.point(3, y=4), {"x": 3, "y": 4}):
            self.assertEqual(values.norm(q), 5)
        self.assertEqual(copy.deepcopy(p).x, 3)
        for wrong in (lambda: values.point(1), lambda: values.point(1, 2, 3), lambda: values.point(1, z=2)):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaisesRegex(TypeError, "f64 is wanted"):
            values.point(1, "2")

    def test_arrays_in_records(self):
        s = values.start(5)
        self.assertEqual(s.count, 0)
        np.testing.assert_array_equal(s.xs, np.ones(5))
        with self.assertRaises(ValueError):
            s.xs[0] = 3
        t = values.state(4, np.arange(3, dtype="i4"))
        count, xs = values.counted(t)
        self.assertEqual(count, 4)
        xs[0] = 9
        np.testing.assert_array_equal(t.xs, [0, 1, 2])

    def test_consumption(self):
        s = values.start(3)
        before = s.xs
        t = values.step(s)
        np.testing.assert_array_equal(t.xs, [7, 1, 1])
        np.testing.assert_array_equal(before, [1, 1, 1])
        with self.assertRaisesRegex(values.Error, "consumed"):
            s.count
        with self.assertRaisesRegex(values.Error, "consumed"):
            values.step(s)
        self.assertEqual(values.step(t).count, 2)

    def test_tuples_are_tuples(self):
        self.assertEqual(values.divmod(7, 3), (2, 1))
        self.assertEqual(values.nothing(1), ())
        count, xs = values.first((np.arange(3, dtype="i4"), (7, 1.5)))
        self.assertEqual(count, 7)
        np.testing.assert_array_equal(xs, [0, 1, 2])
        with self.assertRaises(TypeError):
            values.first((np.arange(3, dtype="i4"), (7, 1.5, 2)))


class Sums(unittest.TestCase):
    def test_variants(self):
        for x, variant, area in ((-1, "nothing", 0), (2, "square", 4), (11, "circle", 121)):
            s = values.shape_of(x)
            self.assertIsInstance(s, values.shape)
            self.assertIsInstance(s, getattr(values.shape, variant))
            self.assertEqual(values.area(s), area)
        self.assertEqual(values.shape_of(11).v0, 11)
        self.assertEqual(values.shape_of(2).v0.side, 2)
        self.assertEqual(values.area(values.shape.circle(3)), 9)
        self.assertEqual(values.area(values.shape.square({"side": 5})), 25)
        self.assertEqual(values.area(values.shape.nothing()), 0)
        self.assertEqual(repr(values.shape.circle(3)), "shape.circle(3.0)")
        self.assertEqual(values.shape.circle.__match_args__, ("v0",))
        with self.assertRaises(TypeError):
            values.shape.circle()
        with self.assertRaises(TypeError):
            values.shape(1)


class Arrays(unittest.TestCase):
    def test_arrays_of_records(self):
        ps = values.points(3)
        self.assertEqual((len(ps), ps.shape), (3, (3,)))
        self.assertEqual([p.x for p in ps], [0, 1, 2])
        self.assertEqual(ps[-1].x, 2)
        np.testing.assert_array_equal(ps.x, [0, 1, 2])
        x, y = ps.unzip()
        np.testing.assert_array_equal(y, np.ones(3))
        kind = type(ps)
        for other in (kind.zip(x, y), kind(list(ps)), list(ps), [{"x": i, "y": 1} for i in range(3)]):
            np.testing.assert_array_equal(values.norms(other), [1, 2, 3])
        self.assertEqual(len(values.norms([])), 0)
        for index in (3, -4, (0, 0)):
            with self.assertRaises(IndexError):
                ps[index]
        for index in ("x", None, 1.0, slice(1, 2)):
            with self.assertRaises(TypeError):
                ps[index]
        with self.assertRaises(values.Error):
            kind.zip(x, np.zeros(4))
        with self.assertRaises(TypeError):
            values.norms([1])

    def test_arrays_of_tuples(self):
        swapped = values.swap([(1, 2.5), (3, 4.5)])
        self.assertEqual(list(swapped), [(2.5, 1), (4.5, 3)])
        a, b = swapped.unzip()
        np.testing.assert_array_equal(b, [1, 3])

    def test_arrays_of_sums(self):
        ss = values.shapes(np.arange(3.0))
        self.assertEqual([s.v0 for s in ss], [0, 1, 2])
        np.testing.assert_array_equal(values.areas(ss), [0, 1, 4])
        np.testing.assert_array_equal(values.areas([values.shape.circle(2), values.shape.circle(3)]), [4, 9])


    def test_parentheses_make_no_other_type(self):
        self.assertEqual(values.corner(values.pairs(2)[1]), 3)


class Programs(unittest.TestCase):
    def test_programs_of_other_modules_are_refused(self):
        other = arrays.Program()
        kind = type(values.points(1))
        wrong = [
            lambda: values.point.of(other, 1, 2),
            lambda: values.shape.circle.of(other, 1),
            lambda: kind.of(other, []),
            lambda: kind.zip_of(other, np.zeros(1), np.zeros(1)),
            lambda: values.point.of(5, 1, 2),
        ]
        for make in wrong:
            with self.assertRaisesRegex(TypeError, "Program of the same module"):
                make()
        for options in ({"num_threads": "a"}, {"device": 1}):
            with self.assertRaises(TypeError):
                values.Program(**options)

    def test_blocks_in_tasks(self):
        n = 3000
        x = np.full((n, 20), 1, "f4")
        which = np.arange(n) % 2 == 0
        want = np.repeat(np.where(which, 1, 2), 20).reshape(n, 20)
        for _ in range(3):
            np.testing.assert_array_equal(values.pick(x, which), want)
            self.assertEqual(values.powers(np.full(n, 1, "f4"), 7).shape, (n, 7))
        np.testing.assert_array_equal(x, 1)


if __name__ == "__main__":
    unittest.main()
