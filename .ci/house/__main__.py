"""Runs every check and prints each breach as `file:line: text`; status 1 when there is one.

    python3 .ci/house           all checks
    python3 .ci/house sizes     the checks of these names
    python3 .ci/house --table   what the targets and the largest types measure
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from house import (  # noqa: E402
    calls, changes, doccomments, forms, imports, layers, pictures, promises, rules, sizes, walks, words)
from house.sources import Sources  # noqa: E402

CHECKS = {
    "imports": imports.check,
    "layers": layers.check,
    "sizes": sizes.check,
    "rules": rules.check,
    "doc-comments": doccomments.check,
    "forms": forms.check,
    "calls": calls.check,
    "words": words.check,
    "walks": walks.check,
    "changes": changes.check,
    "pictures": pictures.check,
    "promises": promises.check,
}


def main(arguments):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sources = Sources(root)
    if arguments == ["--table"]:
        print("\n".join(layers.table(sources) + sizes.table(sources)))
        return 0
    unknown = [name for name in arguments if name not in CHECKS]
    if unknown:
        print(f"house: no check is called {unknown[0]}; there are: {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    failed = False
    for name in arguments or CHECKS:
        breaches = CHECKS[name](sources)
        for breach in breaches:
            print(breach, file=sys.stderr)
        print(f"house {name}: {f'{len(breaches)} breach(es)' if breaches else 'passed'}", flush=True)
        failed = failed or bool(breaches)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
