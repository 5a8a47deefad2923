"""docs/python.md: its programs are compiled, its commands run, and its examples compared with what they print."""

import doctest
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

DOCS = pathlib.Path(__file__).resolve().parents[4] / "docs" / "python.md"


class Manual(unittest.TestCase):
    def test_it_says_what_happens(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            sys.path.insert(0, folder)
            try:
                self.run_blocks(DOCS.read_text())
            finally:
                os.chdir(before)
                sys.path.remove(folder)

    def run_blocks(self, text):
        names = {}
        counts = {"futhark": 0, "console": 0, "python": 0}
        for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            language, body = block.groups()
            counts[language] += 1
            line = text.count("\n", 0, block.start()) + 1
            if language == "futhark":
                name = body.partition("\n")[0]
                pathlib.Path(name.removeprefix("-- ")).write_text(body)
            elif language == "console":
                for command in body.splitlines():
                    words = shlex.split(command.removeprefix("$ "))
                    self.assertEqual(words[0], "futc")
                    subprocess.run([os.environ["FUTC"], *words[1:]], check=True)
            else:
                self.run_examples(names, body, line)
        self.assertTrue(all(counts.values()), counts)

    def run_examples(self, names, body, line):
        test = doctest.DocTestParser().get_doctest(body, names, "python.md", str(DOCS), line)
        self.assertTrue(test.examples)
        said = []
        runner = doctest.DocTestRunner(verbose=False)
        failed = runner.run(test, out=said.append, clear_globs=False).failed
        names.update(test.globs)
        self.assertEqual(failed, 0, "".join(said))


if __name__ == "__main__":
    unittest.main()
