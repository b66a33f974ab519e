"""Words that plain technical English has better ones for: words.toml. In comments, literals and documentation."""

import re

from house.sources import breach


def check(sources):
    table = sources.table("words.toml")
    patterns = {word: re.compile(entry.get("pattern", rf"\b{word}\b"), re.I) for word, entry in table.items()}
    breaches, counts = [], {word: [] for word in table}
    for path, line, text in _texts(sources):
        for word, pattern in patterns.items():
            for _ in pattern.finditer(text):
                counts[word].append(breach(path, line, f"'{word}': say {table[word]['say']}"))
    for word, found in counts.items():
        permitted = table[word].get("left", 0)
        if len(found) > permitted:
            breaches += found
        if len(found) != permitted:
            verb = "more than" if len(found) > permitted else "fewer than; lower it from"
            breaches.append(breach(".ci/house/words.toml", 1, f"'{word}' is there {len(found)} times, {verb} {permitted}"))
    return breaches


def _texts(sources):
    """(path, line, text) of each comment, literal and line of documentation."""
    for path in sources.swift("Sources", "Tests", "Benchmarks/Sources", "Adopt/Sources", "Adopt/Tests", "Server/Sources", "Server/Tests"):
        lexed = sources.lexed(path)
        for offset, text in lexed.comments:
            first = lexed.line(offset)
            for number, line in enumerate(text.split("\n")):
                yield path, first + number, _withoutCode(line)
        if path.startswith(("Sources", "Adopt/Sources", "Server/Sources")):
            for offset, text in lexed.strings:
                yield path, lexed.line(offset), text
    for path in sources.tracked():
        if path.endswith(".md") and not path.startswith(("docs/glossary", "Fixtures/", "docs/rules", "docs/promises")):
            inCode = False
            for number, line in enumerate(sources.text(path).split("\n"), 1):
                inCode = inCode != line.lstrip().startswith("```")
                if not inCode:
                    yield path, number, _withoutCode(line)


def _withoutCode(line):
    return re.sub(r"`[^`]*`", "", line)
