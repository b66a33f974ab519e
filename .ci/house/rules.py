"""Rules for what may be used where: pointers, the C library, printing, forced tries, unchecked Sendable, and nothing of one machine."""

import re

from house.sources import breach

LIBRARIES = [
    "Sources/LarderLMDB", "Sources/LarderCrypto", "Sources/LarderStorage", "Sources/LarderQuery", "Sources/LarderObservation",
    "Sources/Larder", "Sources/LarderExchange", "Sources/LarderInspection", "Sources/LarderRealmFile", "Sources/LarderRealmImport",
    "Sources/LarderSyncProtocol", "Sources/LarderSyncQuery", "Sources/LarderSync",
    "Server/Sources/LarderSyncServer",
]
POINTER_FREE = LIBRARIES[2:] + ["Sources/LarderTool", "Sources/GeoNamesDemo", "Sources/SyncDemo"]


def check(sources):
    return (
        _code(sources, POINTER_FREE, r"Unsafe\w*Pointer|unsafeBitCast|Unmanaged",
              "unsafe pointers belong in LarderLMDB and in the files named in .ci/unsafe-files", _listed(sources, ".ci/unsafe-files"))
        + _code(sources, ["Sources", "Server/Sources"], r"^import (?:Glibc|Musl|Darwin)\b",
                "the C library may be imported only by the files named in .ci/system-files", _listed(sources, ".ci/system-files"))
        + _code(sources, ["Sources"], r"OSSL_PARAM_construct",
                "parameters of libcrypto hold pointers to their names; CryptoParameters keeps those alive",
                ["Sources/LarderCrypto/CryptoParameters.swift"])
        + _code(sources, LIBRARIES, r"(?<![\w.])(?:print|debugPrint|dump)\(", "libraries do not print")
        + _code(sources, ["Sources", "Server/Sources"], r"try!", "errors are thrown, not forced away")
        + _code(sources, ["Sources", "Tests"], r"(?<!\w)Mutex(?!\w)",
                "the thread sanitizer does not see Mutex; Lock of LarderLocks is one that it sees in builds for it",
                ["Sources/LarderLocks/", "Tests/DocumentationTests/Snippets/", "Tests/Workers/SoakWorker/"])
        + _unchecked(sources) + _machine(sources))


def _listed(sources, path):
    lines = (line.split(" #")[0].strip() for line in sources.text(path).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _code(sources, folders, pattern, message, permitted=()):
    pattern = re.compile(pattern, re.M)
    breaches = []
    for path in sources.swift(*folders):
        if any(path.startswith(prefix) for prefix in permitted):
            continue
        lexed = sources.lexed(path)
        lines = sorted({lexed.line(found.start()) for found in pattern.finditer(lexed.code)})
        breaches += [breach(path, line, message) for line in lines]
    return breaches


def _unchecked(sources):
    """`@unchecked Sendable` has its reason in a comment on its line, the one before or the one after."""
    breaches = []
    for path in sources.swift("Sources", "Server/Sources"):
        lexed = sources.lexed(path)
        if "@unchecked Sendable" not in lexed.code:
            continue
        commented = set()
        for offset, text in lexed.comments:
            if not text.startswith("///"):
                first = lexed.line(offset)
                commented |= set(range(first, first + text.count("\n") + 1))
        lines = lexed.code.split("\n")
        for number, text in enumerate(lines, 1):
            if "@unchecked Sendable" in text and not commented & {number - 1, number, number + 1}:
                breaches.append(breach(path, number, "@unchecked Sendable needs its reason in a comment beside it"))
    return breaches


def _machine(sources):
    pattern = re.compile(r"(?<![\w.-])/(?:work|home|root)/")
    breaches = []
    for path in sources.tracked():
        if path.startswith(("Fixtures/", ".ci/house/rules.py", ".ci/house/tests/")) or path == "LICENSE":
            continue
        with open(sources.path(path), "rb") as file:
            content = file.read()
        if b"\0" in content[:8000]:
            continue
        for number, line in enumerate(content.decode(errors="replace").split("\n"), 1):
            if pattern.search(line):
                breaches.append(breach(path, number, "a path of one machine"))
    return breaches
