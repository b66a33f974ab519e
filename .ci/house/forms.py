"""Doc comments begin with a noun or a verb, not with a clause: how many do not is in forms.toml, by folder, and may only fall."""

import os
import re

from house.sources import breach

TABLE = ".ci/house/forms.toml"
CLAUSE = re.compile(
    r"(?:What|Who|Whose|Whom|Where|When|Whether|How|Why|Which|Whatever|Whoever|Whichever|As|That|Since|While|Until|If|Because)\b")
_LINE = re.compile(r"\s*///\s?(.*)")


def check(sources):
    permitted = sources.table("forms.toml")
    found = {name: [] for name in permitted}
    for path in sources.tracked():
        if path.endswith(".swift") and not path.startswith("Fixtures/") and not os.path.islink(sources.path(path)):
            for line, text in clauses(sources.text(path)):
                found.setdefault(folder(path), []).append(breach(path, line, f"a doc comment begins with a clause: {text}"))
    breaches = []
    for name, places in sorted(found.items()):
        limit = permitted.get(name, 0)
        if len(places) > limit:
            breaches += places
            breaches.append(breach(TABLE, 1, f"{name} has {len(places)} clauses, more than {limit}: begin with a noun or a verb"))
        elif len(places) < limit:
            write = f'write "{name}" = {len(places)}' if places else "take it out of the list"
            breaches.append(breach(TABLE, 1, f"{name} has {len(places)} clauses, fewer than {limit}: {write}"))
        elif limit == 0 and name in permitted:
            breaches.append(breach(TABLE, 1, f"{name} has no clauses: take it out of the list"))
    return breaches


def folder(path):
    """The target of a path in Sources or Tests, else its top folder."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in ("Sources", "Tests") else parts[0]


def clauses(source):
    """(line, text) of the first line of each doc block that begins with a clause."""
    result, isWithin = [], False
    for number, line in enumerate(source.split("\n"), 1):
        found = _LINE.match(line)
        if found and not isWithin and CLAUSE.match(found[1]):
            result.append((number, found[1]))
        isWithin = bool(found)
    return result
