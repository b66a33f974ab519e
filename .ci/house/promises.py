"""docs/promises: every row names the tests of its promise, each in a file that is there once and that has the test.

The cell of a row has one or more entries, separated by `<br>`: a file and what it has of tests, titles in quotation marks and functions
in backticks (`GridTests.swift`: "a title", `aFunction`), or a step of .ci by itself (`.ci/check-adopt`). A file whose name is there twice is
named with its folder (`Session/LimitTests.swift`). `by construction:` names a file of the sources instead, where no test is needed, or
of the benchmarks, for a figure.
"""

import os
import re

from house.sources import breach

FOLDER = "docs/promises"
HEADER = "| Promise | Test |"
TESTS = ("Tests/", "Server/Tests/", "Adopt/Tests/", ".ci/")
SOURCES = ("Sources/", "Server/Sources/", "Adopt/Sources/", "Benchmarks/Sources/", "Package.swift")
_NAME = r'"(?:[^"\\]|\\.)+"|`[^`]+`'
_ENTRY = re.compile(rf"^(?P<construction>by construction: )?`(?P<file>[^`]+)`(?:: (?P<names>(?:{_NAME})(?:, (?:{_NAME}))*))?$")
_CELLS = re.compile(r"(?<!\\)\|")


def check(sources):
    tracked = sources.tracked()
    tests = [path for path in tracked if path.startswith(TESTS)]
    code = [path for path in tracked if path.startswith(SOURCES)]
    breaches = []
    for page in tracked:
        if os.path.dirname(page) == FOLDER and page.endswith(".md"):
            for number, line in enumerate(sources.text(page).split("\n"), 1):
                if line.startswith("|") and line != HEADER and not re.fullmatch(r"[|\s:-]+", line):
                    breaches += [breach(page, number, text) for text in _row(sources, line, tests, code)]
    return breaches


def _row(sources, line, tests, code):
    cells = [cell.strip() for cell in _CELLS.split(line)]
    if len(cells) != 4 or cells[0] or cells[3] or not cells[1]:
        return ["a row has two cells, a promise and its tests"]
    faults = []
    for entry in cells[2].replace("\\|", "|").split("<br>"):
        found = _ENTRY.match(entry.strip())
        if not found:
            faults.append(f"'{entry.strip()}' names no test: `File.swift`: \"title\", `function`")
            continue
        faults += _entry(sources, found, code if found["construction"] else tests)
    return faults


def _entry(sources, found, paths):
    file = found["file"]
    there = [path for path in paths if path == file or path.endswith("/" + file)]
    if len(there) != 1:
        return [f"{file} is the name of {len(there)} files; name its folder" if there else f"there is no file {file}"]
    names = re.findall(_NAME, found["names"] or "")
    if not names:
        isStep = found["construction"] or (there[0].startswith(".ci/") and not there[0].endswith(".py"))
        return [] if isStep else [f"which test of {file}?"]
    text = sources.text(there[0])
    return [f"{there[0]} has no {name}" for name in names if not _has(text, name)]


def _has(text, name):
    """Looks for a title as a literal, and for a function as a declaration."""
    if name.startswith('"'):
        return name in text
    function = re.escape(name.strip("`").removesuffix("()"))
    return re.search(rf"\b(?:func|def|class|struct|var) +`?{function}(?!\w)", text) is not None
