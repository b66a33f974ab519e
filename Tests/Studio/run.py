#!/usr/bin/env python3
"""Runs the tests of the web inspector in a browser.

    Tests/Studio/run.py                              all of them
    Tests/Studio/run.py test_grid                    one file
    Tests/Studio/run.py --screenshots docs/studio    makes the pictures of the documentation instead

The tool is .build/debug/larder, or what LARDER_TOOL names. With LARDER_TIMED=1 limits of time are checked, too. Where there is no
browser, tests that need one are left out, each with what is missing; the rest runs.
"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from browser import BrowserMissing, program  # noqa: E402
from case import Shared  # noqa: E402
from studio import TOOL  # noqa: E402


def missing_browser():
    try:
        program()
    except BrowserMissing as error:
        return str(error)
    return None


def main(arguments):
    if not os.access(TOOL, os.X_OK):
        print(f"studio tests: there is no tool at {TOOL}; `swift build --product larder` makes it", file=sys.stderr)
        return 1
    reason = missing_browser()
    if reason and "--screenshots" in arguments:
        print(f"studio tests: {reason}", file=sys.stderr)
        return 1
    try:
        if "--screenshots" in arguments:
            from screenshots import make
            make(arguments[arguments.index("--screenshots") + 1])
            return 0
        loader = unittest.TestLoader()
        names = [name for name in arguments if not name.startswith("-")]
        suite = loader.loadTestsFromNames(names) if names else loader.discover(HERE)
        result = unittest.TextTestRunner(verbosity=2).run(suite)
    finally:
        Shared.end()
    for figure in Shared.figures:
        print(f"  {figure}")
    if reason:
        print(f"studio tests: {len(result.skipped)} of {result.testsRun} tests were NOT run: {reason}", file=sys.stderr)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
