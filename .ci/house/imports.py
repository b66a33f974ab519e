"""Which target may import which: `imports` in layers.toml."""

import re

from house.sources import breach

_SYSTEM = {
    "Swift", "CoreFoundation", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
}
_IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|fileprivate|private) +)?import +"
    r"(?:(?:struct|class|enum|protocol|typealias|func|var|let) +)?(\w+)", re.M)


def check(sources):
    allowed = sources.table("layers.toml")
    breaches = []
    for target in sources.folders():
        files = sources.swift(f"Sources/{target}")
        if target not in allowed:
            if files:
                breaches.append(breach(f"Sources/{target}", 1, "a new target; say in .ci/house/layers.toml what it may import"))
            continue
        permitted = _SYSTEM | set(allowed[target]["imports"])
        for path in files:
            lexed = sources.lexed(path)
            for found in _IMPORT.finditer(lexed.code):
                if found[1] not in permitted:
                    breaches.append(
                        breach(path, lexed.line(found.start()), f"{target} may not import {found[1]} (.ci/house/layers.toml)"))
    return breaches
