"""The package `futc`: compiling from Python, the cache, processes."""

import concurrent.futures
import inspect
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile
from unittest import mock

import numpy as np

import futc

TEXT = """
-- | A program.

-- | Adds up.
entry total [n] (xs: [n]f64) : f64 = f64.sum xs
entry move (p: {x: f64, y: f64}) (d: f64) : {x: f64, y: f64} = p with x = p.x + d
entry fail (i: i64) : i64 = (iota 3)[i]
"""


@futc.function
def norm(xs):
    """
    entry norm [n] (xs: [n]f64) : f64 = f64.sqrt (f64.sum (map (\\x -> x * x) xs))
    """


@futc.function(target="seq", options=["-O1"])
def wrong(x):
    """
    entry wrong (x: i32) : i64 = x
    """


def compile_and_call(number):
    """In a process of its own, with others beside it."""
    program = futc.compile(f"entry f (x: i64) : i64 = x + {number // 4}", target="seq")
    return program.f(1), program.source_hash


class OwnCache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        patch = mock.patch.dict(os.environ, {"FUTC_PYTHON_CACHE": folder.name})
        patch.start()
        self.addCleanup(patch.stop)


class Compiling(OwnCache):
    def test_texts(self):
        program = futc.compile(TEXT)
        self.assertEqual(program.total(np.arange(4.0)), 6)
        self.assertEqual(program.total.__doc__, "Adds up.\n\ntotal: []f64 -> f64")
        self.assertEqual(list(inspect.signature(program.total).parameters), ["xs"])
        self.assertEqual(program.module.__doc__, "A program.")
        self.assertIn("total", dir(program))
        with self.assertRaises(program.Error) as caught:
            program.fail(7)
        self.assertIn("Index [7] out of bounds", caught.exception.message)
        with self.assertRaises(AttributeError):
            program.no_such_thing
        self.assertEqual(program.Program(num_threads=1).total(np.ones(3)), 3)

    def test_files_with_imports(self):
        source = self.folder / "source"
        (source / "lib").mkdir(parents=True)
        (source / "main.fut").write_text('import "lib/part"\nentry f (x: i32) : i32 = part x\n')
        (source / "lib" / "part.fut").write_text("def part (x: i32) : i32 = x + 1\n")
        for path in (source / "main.fut", str(source / "main.fut")):
            self.assertEqual(futc.compile(path, target="seq").f(1), 2)
        before = futc.compile(source / "main.fut", target="seq")
        (source / "lib" / "part.fut").write_text("def part (x: i32) : i32 = x + 2\n")
        after = futc.compile(source / "main.fut", target="seq")
        self.assertEqual((before.f(1), after.f(1)), (2, 3))
        with self.assertRaises(FileNotFoundError):
            futc.compile("no/such/file.fut")

    def test_programs_that_are_refused(self):
        with self.assertRaisesRegex(futc.CompileError, "size-mismatch|mismatch"):
            futc.compile("entry f (x: i32) : i64 = x")
        with self.assertRaises(futc.CompileError):
            wrong(1)
        with self.assertRaisesRegex(futc.CompileError, "no-such-target"):
            futc.compile(TEXT, target="no-such-target")
        left = [p for p in self.folder.glob("*/*") if p.name != "lock"]
        self.assertEqual(left, [])

    def test_the_cache(self):
        program = futc.compile(TEXT, target="seq")
        with mock.patch("futc._cache._make", side_effect=AssertionError("compiled again")):
            self.assertEqual(futc.compile(TEXT, target="seq").total(np.ones(3)), 3)
            with self.assertRaisesRegex(AssertionError, "compiled again"):
                futc.compile(TEXT, target="seq", options=["-O1"])
        made = list(self.folder.glob("*/*/program"))
        self.assertEqual(len(made), 1)
        futc.clear_cache()
        self.assertFalse(self.folder.exists())
        self.assertEqual(program.total(np.ones(3)), 3)

    def test_without_a_compiler(self):
        futc.compile(TEXT, target="seq")
        with mock.patch("futc._compiler.find_compiler", return_value=None):
            self.assertEqual(futc.compile(TEXT, target="seq").total(np.ones(3)), 3)
            with self.assertRaisesRegex(futc.CompileError, "FUTC"):
                futc.compile(TEXT + "\n", target="seq")

    def test_docstrings(self):
        self.assertEqual(norm(np.array([3.0, 4.0])), 5)
        self.assertEqual((norm.__name__, norm.__module__), ("norm", __name__))
        with self.assertRaises(ValueError):

            @futc.function
            def nothing():
                pass


class Processes(OwnCache):
    def test_several_compile_the_same_at_once(self):
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(8, mp_context=context) as pool:
            results = list(pool.map(compile_and_call, range(8)))
        self.assertEqual([r for r, _ in results], [1, 1, 1, 1, 2, 2, 2, 2])
        self.assertEqual(len(list(self.folder.glob("*/*/program"))), 2)

    def test_what_is_pickled_is_compiled_where_it_comes_to(self):
        program = futc.compile(TEXT, target="seq")
        point = program.move({"x": 1, "y": 2}, 3)
        data = pickle.dumps((program.total, norm, program, point))
        script = textwrap.dedent("""
            import pickle, sys, numpy
            total, norm, program, point = pickle.loads(sys.stdin.buffer.read())
            print(total(numpy.ones(3)), norm(numpy.array([3.0, 4.0])), program.total(numpy.ones(4)), point.x, point.y)
        """)
        done = subprocess.run([sys.executable, "-B", "-c", script], input=data, stdout=subprocess.PIPE, check=True)
        self.assertEqual(done.stdout, b"3.0 5.0 4.0 4.0 2.0\n")
        futc.clear_cache()
        data = pickle.dumps((program.total, norm, program))
        script = script.replace(", point)", ")").replace(", point =", " =").replace(", point.x, point.y", "")
        done = subprocess.run([sys.executable, "-B", "-c", script], input=data, stdout=subprocess.PIPE, check=True)
        self.assertEqual(done.stdout, b"3.0 5.0 4.0\n")


class Wheels(OwnCache):
    def test_a_wheel_brings_its_compiler(self):
        package = pathlib.Path(futc.__file__).parent.parent
        made = subprocess.run(
            [sys.executable, "-B", package / "wheel.py", os.environ["FUTC"], self.folder], stdout=subprocess.PIPE, check=True
        )
        [wheel] = self.folder.glob("*.whl")
        self.assertEqual(made.stdout.decode().strip(), str(wheel))
        version = subprocess.run([os.environ["FUTC"], "--version"], stdout=subprocess.PIPE, check=True, text=True)
        self.assertIn(f"futc-{version.stdout.split()[1]}-", wheel.name)
        installed = self.folder / "installed"
        # As installers do; zipfile forgets modes.
        with zipfile.ZipFile(wheel) as archive:
            self.assertIsNone(archive.testzip())
            for entry in archive.infolist():
                path = archive.extract(entry, installed)
                os.chmod(path, entry.external_attr >> 16 & 0o777)
        script = "import futc; print(futc.find_compiler()); print(futc.compile('entry f (x: i32) : i32 = x + 1').f(1))"
        environment = {k: v for k, v in os.environ.items() if k not in ("FUTC", "PYTHONPATH")}
        environment.update(PYTHONPATH=str(installed), PATH="/usr/bin:/bin")
        done = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(done.stdout.splitlines(), [str(installed / "futc" / "bin" / "futc"), "2"])


if __name__ == "__main__":
    unittest.main()
