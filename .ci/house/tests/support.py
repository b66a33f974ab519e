"""A repository of a few files, for checks to be tried on."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import weakref

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from house.sources import Sources  # noqa: E402


class Sample(Sources):
    """Sources of given files, with tables of the test's own."""

    def __init__(self, files, **tables):
        super().__init__(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, self.root)
        self._tables = tables
        for path, text in files.items():
            os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
            with open(self.path(path), "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        subprocess.run(["git", "add", "-A", "-f"], cwd=self.root, check=True)

    def table(self, name):
        return self._tables.get(name.removesuffix(".toml"), {})


class CheckCase(unittest.TestCase):
    def assertBreaches(self, breaches, *expected):
        """Each breach contains the text that is expected of it, in order."""
        self.assertEqual(len(breaches), len(expected), breaches)
        for breach, text in zip(breaches, expected):
            self.assertIn(text, breach)
