"""The most used calls (calls.toml): the doc comment of each has an example, and says what is thrown, on which thread, at what cost."""

import re

from house.sources import breach

DEMANDED = {
    "an example in a block marked swift": re.compile(r"```swift\n.+?```", re.S),
    "what it throws or what is misuse": re.compile(r"\b(?:throw|misuse|ends the process)", re.I),
    "the thread it may be used on": re.compile(r"\b(?:thread|queue|actor)\b", re.I),
    "what it costs": re.compile(r"\bcosts?\b|\bO\(|\bTakes as long\b", re.I),
}


def check(sources):
    calls = sources.table("calls.toml").get("call", [])
    breaches = [] if len(calls) >= 60 else [breach(".ci/house/calls.toml", 1, f"{len(calls)} calls; at least 60")]
    for call in calls:
        found = _find(sources.text(call["file"]), call["declaration"])
        if found is None:
            breaches.append(breach(".ci/house/calls.toml", 1, f"{call['file']} declares no '{call['declaration']}'"))
            continue
        line, comment = found
        breaches += [
            breach(call["file"], line, f"'{call['declaration']}': its doc comment lacks {what}")
            for what, pattern in DEMANDED.items() if not pattern.search(comment)
        ]
    return breaches


def _find(source, declaration):
    """The line of a declaration and the text of its doc comment."""
    words = r"[ \n]+".join(re.escape(word) for word in declaration.split())
    found = re.search(r"^ *(?:@\w+(?:\([^)]*\))? )*" + words, source, re.M)
    if not found:
        return None
    before = source[:found.start()].split("\n")[:-1]
    comment = []
    while before and before[-1].lstrip().startswith(("///", "@")):
        line = before.pop().lstrip()
        if line.startswith("///"):
            comment.append(line[3:].removeprefix(" "))
    return source.count("\n", 0, found.start()) + 1, "\n".join(reversed(comment))
