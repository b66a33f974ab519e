"""Folders of a target are layers, bottom first: no file names a type of a later folder.

Names are told by their text: a type that a folder declares at any depth, and a generic parameter, mean the folder's own. What an extension
adds to a type of a lower folder is not seen. `circle` is the size of the largest set of files that lead to each other.
"""

import os
import re
from collections import defaultdict

from house import declarations
from house.sources import breach

_NAME = re.compile(r"(?<![\w.`])(_?[A-Z]\w*)")
_OWN = re.compile(r"\b(?:associatedtype|case) +(_?[A-Z]\w*)")
_GENERIC = re.compile(r"<([^<>()]*)>")


class Graph:
    """Which file of a target names a type of which other one."""

    def __init__(self, sources, base):
        self.base = base
        self.files = sources.swift(self.base)
        self.lexed = {path: sources.lexed(path) for path in self.files}
        self._declared = defaultdict(set)
        self._own = {path: set() for path in self.files}
        for path in self.files:
            self._declare(path)
        self.edges = {path: self._references(path) for path in self.files}

    def folder(self, path):
        parts = os.path.relpath(path, self.base).split(os.sep)
        return parts[0] if len(parts) > 1 else "."

    def folders(self):
        return sorted({self.folder(path) for path in self.files})

    def _declare(self, path):
        code = self.lexed[path].code
        for type in declarations.types(code):
            if type.kind == "extension":
                continue
            if type.isNested or type.isPrivate:
                self._own[path].add(type.name)
            else:
                self._declared[type.name].add(path)
        self._own[path] |= {found[1] for found in _OWN.finditer(code)}
        for found in _GENERIC.finditer(code):
            if ":" in found[1]:
                self._own[path] |= {part.split(":")[0].strip() for part in found[1].split(",")}

    def _references(self, path):
        """The files whose types are named, each with the first place and the names."""
        result = {}
        for found in _NAME.finditer(self.lexed[path].code):
            name = found[1]
            owners = self._declared.get(name, set())
            if path in owners or name in self._own[path]:
                continue
            for owner in owners:
                result.setdefault(owner, (found.start(), name))
        return result

    def upward(self, order):
        place = {folder: number for number, folder in enumerate(order)}
        result = []
        for path in self.files:
            for other, (offset, name) in sorted(self.edges[path].items()):
                mine, theirs = place.get(self.folder(path)), place.get(self.folder(other))
                if mine is not None and theirs is not None and mine < theirs:
                    line = self.lexed[path].line(offset)
                    result.append(breach(path, line, f"{self.folder(path)} is below {self.folder(other)} and names {name}"))
        return result

    def circles(self):
        """Sets of files that lead to each other, the largest first."""
        return sorted((c for c in components(self.files, self.edges) if len(c) > 1), key=len, reverse=True)


def components(nodes, edges):
    """Strongly connected components, by Tarjan's way without recursion."""
    index, low, stack, onStack, result = {}, {}, [], set(), []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        onStack.add(root)
        while work:
            node, following = work[-1]
            step = next(following, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        onStack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    result.append(component)
            elif step not in index:
                index[step] = low[step] = len(index)
                stack.append(step)
                onStack.add(step)
                work.append((step, iter(sorted(edges[step]))))
            elif step in onStack:
                low[node] = min(low[node], index[step])
    return result


def _measured(sources):
    for target, entry in sources.table("layers.toml").items():
        order = ["."] + entry.get("folders", [])
        graph = Graph(sources, entry.get("path", f"Sources/{target}"))
        yield target, entry, graph, graph.upward(order), max((len(c) for c in graph.circles()), default=0), order


def check(sources):
    breaches = []
    for target, entry, graph, upward, circle, order in _measured(sources):
        for folder in graph.folders():
            if folder not in order:
                breaches.append(breach(f"{graph.base}/{folder}", 1, "a new folder; give it a place in .ci/house/layers.toml"))
        permitted = entry.get("upward", 0)
        if len(upward) > permitted:
            breaches += upward
        breaches += _ratchet(target, "upward", len(upward), permitted)
        breaches += _ratchet(target, "circle", circle, entry.get("circle", 0))
    return breaches


def _ratchet(target, what, measured, permitted):
    if measured == permitted:
        return []
    verb = "is more than" if measured > permitted else "is better than; lower it from"
    return [breach(".ci/house/layers.toml", 1, f"{target}: {what} is {measured}, which {verb} {permitted}")]


def table(sources):
    lines = ["target                files  references between folders  upward  largest circle"]
    for target, _, graph, upward, circle, _ in _measured(sources):
        between = sum(graph.folder(a) != graph.folder(b) for a in graph.files for b in graph.edges[a])
        lines.append(f"{target:20} {len(graph.files):6} {between:27} {len(upward):7} {circle:15}")
    return lines
