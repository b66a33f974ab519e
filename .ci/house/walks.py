"""docs/walks.md: every hop names a file and a function that are there, and no walk is longer than its limit."""

import os
import re

from house.sources import breach

PAGE = "docs/walks.md"
_HEADING = re.compile(r"^## (?P<title>.*?) \(at most (?P<limit>\d+) hops\)$")
_HOP = re.compile(r"^\| (?P<number>\d+) \| `(?P<file>[^`]+)` \| `(?P<function>[^`]+)` \| (?P<what>.+) \|$")


def check(sources):
    breaches, title, limit, hops = [], None, 0, 0
    for number, line in enumerate(sources.text(PAGE).split("\n"), 1):
        if line.startswith("## "):
            found = _HEADING.match(line)
            if not found:
                breaches.append(breach(PAGE, number, "a walk says how many hops it has at most: ## Name (at most 15 hops)"))
                continue
            title, limit, hops = found["title"], int(found["limit"]), 0
        elif re.match(r"\| \d", line):
            found = _HOP.match(line)
            if not found or title is None:
                breaches.append(breach(PAGE, number, "a hop has a number, a file, a function and what happens"))
                continue
            hops += 1
            if int(found["number"]) != hops:
                breaches.append(breach(PAGE, number, f"hop {found['number']} is the {hops}. of its walk"))
            if hops == limit + 1:
                breaches.append(breach(PAGE, number, f"{title} has more than {limit} hops"))
            breaches += _missing(sources, number, found["file"], found["function"])
    return breaches


def _missing(sources, number, file, function):
    path = os.path.join("Sources", file)
    if not os.path.isfile(sources.path(path)):
        return [breach(PAGE, number, f"there is no file {path}")]
    pattern = rf"\b(?:func|var) +{re.escape(function)}\b|(?<![\w.])(?:{re.escape(function)})(?=[?(<\[])"
    if function not in ("init", "subscript"):
        pattern = rf"\b(?:func|var) +{re.escape(function)}\b"
    if not re.search(pattern, sources.lexed(path).code):
        return [breach(PAGE, number, f"{path} declares no {function}")]
    return []
