"""The Swift files of the repository, read and lexed once."""

import os
import subprocess
import tomllib

from house.lexer import Lexed


class Sources:
    def __init__(self, root):
        self.root = root
        self._lexed = {}

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def folders(self):
        """The targets under Sources."""
        folder = self.path("Sources")
        return sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))

    def swift(self, *folders):
        """Paths of the Swift files below some folders, from the root."""
        result = []
        for folder in folders:
            if folder.endswith(".swift"):
                result.append(folder)
                continue
            for parent, _, names in os.walk(self.path(folder)):
                if os.sep + ".build" in parent:
                    continue
                result += [os.path.relpath(os.path.join(parent, n), self.root) for n in names if n.endswith(".swift")]
        return sorted(result)

    def text(self, path):
        with open(self.path(path), encoding="utf-8") as file:
            return file.read()

    def lexed(self, path):
        if path not in self._lexed:
            self._lexed[path] = Lexed(self.text(path))
        return self._lexed[path]

    def table(self, name):
        """One of the tables beside this file."""
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "rb") as file:
            return tomllib.load(file)

    def tracked(self):
        """Every file of the repository, those that are yet to be added included."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root, capture_output=True, check=True).stdout
        paths = [path for path in listed.decode().split("\0") if path]
        return [path for path in paths if os.path.isfile(self.path(path))]


def breach(path, line, text):
    return f"{path}:{line}: {text}"
