"""Finds types, their extensions, members and functions in the code of a Swift file, by words and braces."""

import re
from collections import namedtuple

_MODIFIERS = r"(?:(?:public|package|internal|final|indirect|fileprivate|private|open|nonisolated|static|class|override|" \
    r"required|convenience|mutating|nonmutating|lazy|weak|unowned|dynamic|prefix|postfix|isolated|consuming|borrowing|" \
    r"@\w+|private\(set\)|fileprivate\(set\)|package\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))(?:\([^()]*\))? +)*"
_TYPE = re.compile(
    r"^(?P<indent> *)(?P<modifiers>" + _MODIFIERS + r")(?P<kind>struct|class|enum|protocol|actor|extension|typealias) +"
    r"(?P<name>`?[A-Za-z_][\w.]*`?)", re.M)
_FUNCTION = re.compile(r"^(?P<indent> *)" + _MODIFIERS + r"(?:func +(?P<name>[^\s(<]+)|(?P<init>init)[?!]?)(?=[ (<])", re.M)
_PROPERTY = re.compile(r"^(?P<modifiers>" + _MODIFIERS + r")(?:var|let) +(?P<names>\([^)]*\)|[^:={\n]+)")

Type = namedtuple("Type", "kind name isPrivate isNested start end")
Function = namedtuple("Function", "name start end")


def close(code, start):
    """The place after the brace that closes the first one from `start` on; the end of the code without one."""
    depth = 0
    for found in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return found.end()
    return len(code)


def types(code):
    """All types and extensions, with the range of each."""
    result = []
    for found in _TYPE.finditer(code):
        kind = found["kind"]
        # `class func` and `class var` are members.
        if kind == "class" and found["name"] in ("func", "var", "let", "subscript", "override"):
            continue
        end = found.end() if kind == "typealias" else close(code, found.end())
        isPrivate = re.search(r"\b(private|fileprivate)\b(?!\()", found["modifiers"]) is not None
        result.append(Type(kind, found["name"].strip("`"), isPrivate, found["indent"] != "", found.start(), end))
    return result


def functions(code):
    """Functions and initialisers with a body, with the range of each."""
    result = []
    for found in _FUNCTION.finditer(code):
        body = _bodyStart(code, found.end(), len(found["indent"]))
        if body is not None:
            result.append(Function(found["name"] or "init", found.start(), close(code, body)))
    return result


def _bodyStart(code, start, indent):
    """Where a function's body opens: after its parameters and what it returns; nil for a demand of a protocol."""
    depth, place = 0, start
    while place < len(code):
        letter = code[place]
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif letter == "{" and depth == 0:
            return place
        elif letter == "}" and depth == 0:
            return None
        elif letter == "\n" and depth == 0:
            following = re.compile(r"\n( *)(\S+)").match(code, place)
            # Another member, or the end of the protocol; a signature goes on with `->`, `where`, `throws` or its body.
            if not following or not re.match(r"->|where\b|throws\b|async\b|rethrows\b|\{|\)", following[2]):
                return None
        place += 1
    return None


def storedProperties(code, type):
    """Names of the stored properties that a type declares itself."""
    opening = code.find("{", type.start)
    if opening < 0 or type.kind not in ("struct", "class", "actor"):
        return []
    names, depth, place, end = [], 0, opening + 1, type.end - 1
    for line in _members(code, place, end):
        names += _stored(line)
    return names


def _members(code, start, end):
    """The text of each member of a body, inner braces included."""
    depth, begin, result = 0, start, []
    for place in range(start, end):
        letter = code[place]
        if letter in "{([":
            depth += 1
        elif letter in "})]":
            depth -= 1
        elif letter == "\n" and depth == 0:
            result.append(code[begin:place])
            begin = place + 1
    result.append(code[begin:end])
    return result


def _stored(member):
    text = re.sub(r"\s*\n\s*", " ", member).strip()
    text = re.sub(r"^#(if|else|endif|elseif)[^\n]*", "", text).strip()
    found = _PROPERTY.match(text)
    if not found or re.search(r"\b(static|class)\b", found["modifiers"]):
        return []
    rest = text[found.end():]
    brace, equals = rest.find("{"), rest.find("=")
    if brace >= 0 and (equals < 0 or brace < equals):
        body = rest[brace + 1:].strip()
        if not re.match(r"(didSet|willSet)\b", body):
            return []
    names = found["names"].strip("()").split(",")
    # `let a = 1, b = 2` goes on after the first value.
    names += re.findall(r", *(\w+)(?= *[:=])", _flat(rest))
    return [name.split(":")[0].strip() for name in names]


def _flat(text):
    """A text without what is in brackets and braces."""
    while True:
        shorter = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|<[^<>]*>", "", text)
        if shorter == text:
            return text
        text = shorter
