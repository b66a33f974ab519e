"""Draws the pictures of the documentation.

    python3 docs/pictures/make.py           writes the SVG files beside this one
    python3 docs/pictures/make.py --check   says which are not as they would be written; status 1 when there is one
"""

import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

from drawing import Drawing  # noqa: E402


# MARK: Layers


def layer_table():
    """Targets of the main package, each with the targets that it imports."""
    with open(os.path.join(ROOT, ".ci/house/layers.toml"), "rb") as file:
        table = {name: entry for name, entry in tomllib.load(file).items() if "path" not in entry}
    return {name: [other for other in entry["imports"] if other in table] for name, entry in table.items()}


def levels(table):
    """How many layers are below each target at most."""
    known = {}

    def level(name):
        if name not in known:
            known[name] = 1 + max((level(other) for other in table[name]), default=-1)
        return known[name]

    for name in table:
        level(name)
    return known


def direct(table):
    """The imports that are not imports of imports."""

    def reach(name):
        found = set(table[name])
        for other in table[name]:
            found |= reach(other)
        return found

    return {name: [o for o in uses if not any(o in reach(p) for p in uses if p != o)] for name, uses in table.items()}


# Where the middle of a target is, so that no line passes under a box; others are in even distances.
MIDDLES = {
    "SyncDemo": 100, "LarderSync": 100, "LarderSyncQuery": 100, "LarderSyncProtocol": 100, "RealmSwift": 300,
    "GeoNamesDemo": 500, "LarderTool": 740, "Larder": 330, "LarderInspection": 740, "LarderObservation": 520,
    "LarderExchange": 780, "LarderRealmImport": 290, "LarderQuery": 580, "LarderRealmFile": 290, "LarderStorage": 580,
    "LarderCrypto": 400, "LarderLMDB": 640, "LarderLocks": 520,
}


def layers():
    table = layer_table()
    known = levels(table)
    rows = [[name for name in table if known[name] == level] for level in range(max(known.values()) + 1)]
    width, box, step = 900, 160, 84
    height = 20 + step * len(rows)
    drawing = Drawing(width, height, "The targets of Larder; each uses those that its lines lead to")
    place = {}
    for number, row in enumerate(rows):
        for column, name in enumerate(row):
            x = MIDDLES.get(name, width * (column + 1) // (len(row) + 1)) - box // 2
            place[name] = (x, height - 60 - step * number)
    for name, uses in direct(table).items():
        for other in uses:
            (x1, y1), (x2, y2) = place[name], place[other]
            drawing.line((x1 + box // 2, y1 + 36), (x2 + box // 2, y2))
    kinds = {"Larder": "a", "LarderSync": "a", "RealmSwift": "a", "LarderTool": "b", "LarderStorage": "c", "LarderLMDB": "c"}
    for name, (x, y) in place.items():
        drawing.box(x, y, box, 36, ["larder (the tool)" if name == "LarderTool" else name], kinds.get(name, ""))
    return drawing


# MARK: The life of a commit

COMMIT = [
    ("Changes are collected", "decoded columns, pairs of indexes and backlinks, edits of lists", "a"),
    ("They are written out", "each touched leaf and block once, in the order of keys", "b"),
    ("The log's record", "which objects came, went and changed in which columns", "b"),
    ("Catalog", "version + 1, counters, the schema if it changed", "b"),
    ("LMDB commits", "data to the disk, then the meta page: one write decides", "c"),
    ("Other Realms are woken", "in this process and in others", ""),
    ("Change sets", "computed from the log, for each observed query", ""),
    ("Callbacks", "on the queue, run loop or actor of each observer", "a"),
]


def commit():
    drawing = Drawing(820, 40 + 62 * len(COMMIT), "The life of a commit, from the changes of a write to the callbacks of observers")
    for number, (name, what, kind) in enumerate(COMMIT):
        y = 20 + 62 * number
        drawing.box(170, y, 420, 44, [name, what], kind)
        if number:
            drawing.line((380, y - 18), (380, y))
    first, last = 20, 20 + 62 * 4 + 44
    drawing.line((150, first), (140, first), (140, last), (150, last), tip=False)
    drawing.text(130, (first + last) / 2, "one transaction:", "small", "end")
    drawing.text(130, (first + last) / 2 + 14, "all or nothing", "small", "end")
    crash = 20 + 62 * 4 + 22
    drawing.text(604, crash - 4, "a crash before: the old version", "small")
    drawing.text(604, crash + 12, "a crash after: the new one", "small")
    return drawing


# MARK: The file


def file():
    drawing = Drawing(900, 480, "The file: pages, the trees of the tables, clusters of objects, and leaves")
    drawing.text(20, 30, "Pages of 4,096 bytes", "title")
    pages = [("meta", "c"), ("meta", "c")] + [("", "b")] * 3 + [("free", "")] + [("", "b")] * 4
    for number, (name, kind) in enumerate(pages):
        drawing.box(20 + 86 * number, 42, 80, 34, [name or "tree"], kind)
    drawing.text(20, 94, "the meta page with the higher transaction leads to the newest trees; pages of older versions are used again when no one reads them", "small")
    drawing.text(20, 130, "Trees, one for each table", "title")
    tables = ["catalog", "clusters", "large", "collections", "indexes", "backlinks", "log", "…"]
    for number, name in enumerate(tables):
        drawing.box(20 + 108 * number, 142, 100, 34, [name], "a" if name == "clusters" else "b")
    drawing.line((178, 176), (178, 220))
    drawing.text(20, 212, "Clusters of one class", "title")
    for number in range(4):
        label = f"cluster {number}" if number < 3 else "…"
        keys = f"objects {992 * number} to {992 * number + 991}" if number < 3 else "K = 992 objects each"
        drawing.box(20 + 218 * number, 222, 206, 44, [label, keys], "a" if number == 0 else "")
    drawing.line((123, 266), (123, 302))
    drawing.text(140, 292, "a cluster has a leaf for each column: entries (class, cluster, column) of the table", "small")
    leaves = [("presence", "which slots are objects"), ("id: integers", "base + small numbers"), ("name: bytes", "offsets, texts"), ("kind: dictionary", "codes, different values")]
    for number, lines in enumerate(leaves):
        drawing.box(20 + 218 * number, 304, 206, 44, list(lines), "a" if number == 1 else "")
    drawing.line((341, 348), (341, 392))
    drawing.text(360, 376, "a leaf", "title")
    parts = [("checksum", "8 bytes", 130), ("codec, width, flags", "24 bytes", 170), ("null bitmap", "if any are null", 150), ("large bitmap", "if any are large", 150), ("values of the slots", "packed", 260)]
    x = 20
    for name, what, width in parts:
        drawing.box(x, 394, width, 44, [name, what], "c" if name == "checksum" else "")
        x += width
    drawing.text(20, 462, "slot = key % 992; the value of an object is at its slot in the leaf of each column", "small")
    return drawing


PICTURES = {"layers.svg": layers, "commit.svg": commit, "file.svg": file}


def outdated():
    """The names of the pictures whose files are not what would be drawn."""
    names = []
    for name, draw in PICTURES.items():
        path = os.path.join(HERE, name)
        text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        if text != draw().svg():
            names.append(name)
    return names


def main(arguments):
    if arguments == ["--check"]:
        names = outdated()
        for name in names:
            print(f"docs/pictures/{name}: outdated; python3 docs/pictures/make.py draws it again", file=sys.stderr)
        return 1 if names else 0
    for name, draw in PICTURES.items():
        with open(os.path.join(HERE, name), "w", encoding="utf-8") as file_:
            file_.write(draw().svg())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
