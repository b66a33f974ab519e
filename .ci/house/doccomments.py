"""Every public declaration of the library has a doc comment.

Those may go without that only fulfil what a protocol demands: of ours, where the demand has the comment, or of the standard library's (told
by name and first label). Names that begin with an underscore are not for users.
"""

import re

from house.sources import breach

# What Equatable, Hashable, Comparable, Codable, Collection, IteratorProtocol, RawRepresentable, Publisher and their like demand.
STANDARD = set(
    "operator hash(into description debugDescription encode(to rawValue startIndex endIndex index(after index(before makeIterator next "
    "next(isolation makeAsyncIterator Element Index Indices SubSequence Iterator AsyncIterator Failure RawValue Stride distance(to "
    "advanced(by id PersistedType ElementType Output receive(subscriber".split())

_ATTRIBUTES = r"^(?:@[^ ]+ )*"
_PUBLIC = re.compile(_ATTRIBUTES + r"(?:(?:nonisolated|static|final|indirect|mutating|convenience|required|class) )*(?:public|open) ")
_DEMAND = re.compile(_ATTRIBUTES + r"(?:static |mutating )*(?:var|func|init|subscript|associatedtype)")
_MEMBER = re.compile(r"(?:public|open|func|var|init|subscript|case) ")
_FUNCTION = re.compile(r"func +`?([A-Za-z0-9_]+)`?")
_NAMED = re.compile(r"(?:var|let|class|struct|enum|protocol|typealias|associatedtype|case) +`?([A-Za-z0-9_]+)`?")
# Demands of Collection and Decodable, and the initialiser without arguments, speak for themselves.
_PLAIN = re.compile(r"init\(\)|init\((?:from|[a-z]+Literal)[: ]|subscript\((?:position|bounds|index): (?:Int|Range<Int>)\)|(?:^| )override ")


def name(text):
    """The name that a declaration introduces, of a function with the label of its first parameter."""
    found = _FUNCTION.search(text)
    if found:
        rest = re.sub(r"^<[^(]*>", "", text[found.end():])
        label = re.match(r"\([A-Za-z_]+", rest)
        return found[1] + (label.group() if label else "")
    found = _NAMED.search(text)
    if found:
        return found[1]
    if re.search(r"func +[^ (A-Za-z]+", text):
        return "operator"
    if re.search(r"(?:^| )init[?(<]", text):
        return "init"
    return "subscript" if re.search(r"(?:^| )subscript[(<]", text) else ""


class Declaration:
    def __init__(self, line, text, name, isDemand, isDocumented, scope):
        self.line, self.text, self.name, self.isDemand, self.isDocumented = line, text, name, isDemand, isDocumented
        self.scope = scope


def declarations(source):
    """What users see in a file, line by line: declarations, cases of public enums, demands of public protocols."""
    documented, kind, kindDepth, scope, result = False, "", 0, "", []
    for number, line in enumerate(source.split("\n"), 1):
        text = line.lstrip(" ")
        depth = len(line) - len(text)
        if text.startswith("///"):
            documented = True
            continue
        if text.startswith("// swift-format"):
            continue
        if text.startswith("@") and not _MEMBER.search(text):
            documented = documented or "unavailable" in text
            continue
        if kind and depth == kindDepth and text.startswith("}"):
            kind = scope = ""
        isMember = kind and depth == kindDepth + 2
        isCase = isMember and kind == "enum" and re.match(r"(?:indirect )?case ", text)
        isDemand = bool(isMember and kind == "protocol" and _DEMAND.match(text))
        isPublic = _PUBLIC.match(text) and not text.startswith("public extension")
        if isPublic or isCase or isDemand:
            result.append(Declaration(number, text, name(text), isDemand, documented, scope))
        if isPublic and re.search(r"(?:enum|protocol) ", text) and not text.rstrip().endswith("}"):
            kind, kindDepth, scope = ("enum" if "enum " in text else "protocol"), depth, name(text)
        if text:
            documented = False
    return result


def undocumented(files):
    """(path, line, text) of each declaration without a comment, of files by path."""
    found = {path: declarations(source) for path, source in files.items()}
    demanded = STANDARD | {
        d.name for all in found.values() for d in all if d.isDemand and d.isDocumented and d.name not in ("init", "subscript")
    }
    return [
        (path, d.line, d.text) for path, all in found.items() for d in all
        if not (d.isDocumented or d.scope.startswith("_") or d.name.startswith("_") or _PLAIN.search(d.text)
                or (d.name in demanded and not d.isDemand))
    ]


def check(sources):
    files = {path: sources.text(path) for path in sources.swift("Sources/Larder")}
    return [breach(path, line, f"no doc comment: {text}") for path, line, text in undocumented(files)]
