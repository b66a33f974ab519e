"""docs/changes: every file that a page names is there, and every declaration that follows a file is in it.

A page is a walk through the places that one change touches, in numbered steps. A step says first how its place shows itself (KINDS, which
README.md explains), then names a file and its declarations, as `Sources/T/A.swift`: `first`, `second`. A declaration is the name of a function,
a property, a type or a case; in files of other languages, and in documents, it is a text that is there. A path anywhere else on a page names a
file or a folder, from the root of the repository.
"""

import os
import re

from house.sources import breach

FOLDER = "docs/changes"
KINDS = ("new", "compiler", "silent", "text")
LINES, COLUMNS = 130, 100
_ROOTS = ("Sources/", "Tests/", "Server/", "Adopt/", "Benchmarks/", "Fixtures/", "docs/", ".ci/", "CHANGELOG.md", "Package.swift", "Makefile")
_STEP = re.compile(r"^(?P<number>\d+)\. (?P<text>.*)$")
_KIND = re.compile(r"^\*\*(?P<kind>\w+)\*\* (?P<text>.*)$")
_CODE = re.compile(r"`([^`]+)`")
_NAMED = re.compile(r"`(?P<file>[^`]+)`:\s+(?P<names>`[^`]+`(?:,\s+`[^`]+`)*)")


def check(sources):
    breaches = []
    for page in sources.tracked():
        if os.path.dirname(page) == FOLDER and page.endswith(".md"):
            lines = sources.text(page).rstrip("\n").split("\n")
            breaches += _form(page, lines)
            steps = 0
            for number, text in _paragraphs(lines):
                found = _STEP.match(text)
                if found:
                    steps += 1
                    breaches += [breach(page, number, fault) for fault in _step(found, steps)]
                breaches += [breach(page, number, fault) for fault in _places(sources, text)]
    return breaches


def _form(page, lines):
    breaches = [breach(page, LINES + 1, f"{len(lines)} lines; at most {LINES}")] if len(lines) > LINES else []
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            breaches.append(breach(page, number, f"{len(line)} columns; at most {COLUMNS}"))
    return breaches


def _paragraphs(lines):
    """(number of the first line, text) of each paragraph, item of a list, and row of a table."""
    first, parts = 0, []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if parts and (not text or re.match(r"(?:\d+\.|[-*|#]) ?", text) and not text.startswith("**")):
            yield first, " ".join(parts)
            parts = []
        if text:
            first = first if parts else number
            parts.append(text)
    if parts:
        yield first, " ".join(parts)


def _step(found, steps):
    if int(found["number"]) != steps:
        yield f"step {found['number']} is the {steps}. of its page"
    kind = _KIND.match(found["text"])
    if not kind or kind["kind"] not in KINDS:
        yield f"a step says how its place shows itself: **{'**, **'.join(KINDS)}**"
    elif not _NAMED.match(kind["text"]):
        yield "a step names a file and a declaration of it: `Sources/T/A.swift`: `name`"


def _places(sources, text):
    faults = []
    for name in _CODE.findall(text):
        if name.startswith(_ROOTS) and not os.path.exists(sources.path(name)):
            faults.append(f"there is no {name}")
    for found in _NAMED.finditer(text):
        path = found["file"]
        if not path.startswith(_ROOTS):
            faults.append(f"{path} is no path from the root of the repository")
        elif os.path.isfile(sources.path(path)):
            faults += [f"{path} has no `{name}`" for name in _CODE.findall(found["names"]) if not _has(sources, path, name)]
        elif os.path.exists(sources.path(path)):
            faults.append(f"{path} is a folder, which declares nothing")
    return faults


def _has(sources, path, name):
    """Looks for a declaration in Swift, and for the text elsewhere."""
    if not path.endswith(".swift"):
        return name in sources.text(path)
    if name in ("init", "subscript"):
        return re.search(rf"(?<![\w.]){name}(?=[?!]?[(<])", sources.lexed(path).code) is not None
    word = rf"(?<![\w.]){re.escape(name)}(?!\w)"
    kinds = r"func|var|let|struct|class|enum|actor|protocol|extension|typealias|associatedtype"
    pattern = rf"\b(?:{kinds}) +`?{word}|^[ \t]*(?:indirect )?case +(?:[^.:={{\n]*, *)?`?{word}"
    return re.search(pattern, sources.lexed(path).code, re.M) is not None
