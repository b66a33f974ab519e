"""Limits of size: files, functions, and types with all their extensions, in lines of code without comments and blanks for the latter.

Larger ones are listed in sizes.toml and may only shrink.
"""

from collections import defaultdict

from house import declarations
from house.sources import breach

FILE_LINES = 400
FUNCTION_LINES = 40
TYPE_LINES = 600
STORED_PROPERTIES = 15


def _lines(text):
    return text.count("\n") + (not text.endswith("\n"))


class Measured:
    """Types of one target by name: lines with extensions, stored properties, and where they are declared.

    A type within another one counts by itself, as `Outer.Inner`, and not with the other.
    """

    def __init__(self, sources, target):
        self.lines = defaultdict(int)
        self.stored = defaultdict(int)
        self.places = {}
        for path in sources.swift(f"Sources/{target}"):
            lexed = sources.lexed(path)
            outer = []
            for type in declarations.types(lexed.code):
                if type.kind == "typealias":
                    continue
                while outer and outer[-1][1] <= type.start:
                    outer.pop()
                name = f"{outer[-1][0]}.{type.name}" if outer else type.name
                count = sum(1 for line in lexed.code[type.start:type.end].split("\n") if line.strip())
                self.lines[name] += count
                if outer:
                    self.lines[outer[-1][0]] -= count
                outer.append((name, type.end))
                if type.kind != "extension":
                    self.stored[name] += len(declarations.storedProperties(lexed.code, type))
                    self.places[name] = (path, lexed.line(type.start))


def _targets(sources):
    return {target: Measured(sources, target) for target in sources.folders() if sources.swift(f"Sources/{target}")}


def check(sources):
    known = sources.table("sizes.toml")
    breaches = _files(sources, known.get("functions", {}))
    for target, measured in _targets(sources).items():
        for name, (path, line) in measured.places.items():
            listed = known.get("types", {}).get(f"{target}.{name}", {})
            breaches += _limit(path, line, name, "lines", measured.lines[name], TYPE_LINES, listed.get("lines"))
            breaches += _limit(path, line, name, "stored properties", measured.stored[name], STORED_PROPERTIES, listed.get("stored"))
    return breaches


def _limit(path, line, name, what, measured, limit, listed):
    if listed is None:
        if measured <= limit:
            return []
        return [breach(path, line, f"{name} has {measured} {what} with its extensions; at most {limit}")]
    if measured <= limit:
        return [breach(".ci/house/sizes.toml", 1, f"{name} has {measured} {what} now: take it out of the list")]
    if measured > listed:
        return [breach(path, line, f"{name} has {measured} {what}, more than the {listed} of .ci/house/sizes.toml")]
    if measured < listed:
        return [breach(".ci/house/sizes.toml", 1, f"{name} has {measured} {what} now: lower it from {listed}")]
    return []


def _files(sources, listed):
    breaches = []
    seen = set()
    for path in sources.swift("Sources", "Adopt/Sources", "Server/Sources"):
        lexed = sources.lexed(path)
        count = _lines(lexed.source)
        if count > FILE_LINES and path not in listed:
            breaches.append(breach(path, 1, f"{count} lines; at most {FILE_LINES}"))
        for function in declarations.functions(lexed.code):
            length = lexed.code.count("\n", function.start, function.end) + 1
            key = f"{path}:{function.name}"
            if length > FUNCTION_LINES and key not in listed:
                breaches.append(
                    breach(path, lexed.line(function.start), f"{function.name} has {length} lines; at most {FUNCTION_LINES}"))
            elif length > FUNCTION_LINES and length > listed[key]:
                breaches.append(
                    breach(path, lexed.line(function.start), f"{function.name} has {length} lines, more than the {listed[key]} listed"))
            if length > FUNCTION_LINES:
                seen.add(key)
        if count > FILE_LINES:
            seen.add(path)
            if path in listed and count > listed[path]:
                breaches.append(breach(path, 1, f"{count} lines, more than the {listed[path]} listed"))
    for key in listed:
        if key not in seen:
            breaches.append(breach(".ci/house/sizes.toml", 1, f"{key} is within its limit now: take it out of the list"))
    return breaches


def table(sources):
    rows = []
    for target, measured in _targets(sources).items():
        for name in measured.places:
            rows.append((measured.lines[name], measured.stored[name], f"{target}.{name}"))
    lines = ["", "largest types, with their extensions: lines, stored properties"]
    lines += [f"{lines:6} {stored:4}  {name}" for lines, stored, name in sorted(rows, reverse=True)[:20]]
    lines += ["", "most stored properties"]
    lines += [f"{lines:6} {stored:4}  {name}" for lines, stored, name in sorted(rows, key=lambda r: -r[1])[:12]]
    return lines
