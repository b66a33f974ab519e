"""What the server answers is what the tool prints with --json, case by case."""

import json
import os
import subprocess
import urllib.parse

from case import Shared, StudioTest
from studio import TOOL

# Added by the server, or different with each run.
OWN = {"version", "swift", "freeBytes", "file", "name"}


def exact(value):
    """Whole numbers that are text with a type, as numbers."""
    if isinstance(value, dict):
        if set(value) == {"int"} and isinstance(value["int"], str):
            return int(value["int"])
        return {name: exact(one) for name, one in value.items()}
    return [exact(one) for one in value] if isinstance(value, list) else value


def stripped(value):
    return {name: one for name, one in value.items() if name not in OWN} if isinstance(value, dict) else value


class EndpointsTest(StudioTest):
    def answer(self, studio, case):
        path, _, query = case["path"].partition("?")
        pairs = [pair.partition("=") for pair in query.split("&") if pair]
        query = urllib.parse.urlencode([(name, value) for name, _, value in pairs])
        status, _, data = studio.request(f"/api/{path}" + (f"?{query}" if query else ""))
        return status, exact(json.loads(data))

    def test_answers_are_those_of_the_tool(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.json")) as file:
            cases = json.load(file)
        studios = {name: self.studio(Shared.stores.get(name)) for name in {case["store"] for case in cases}}
        for case in cases:
            with self.subTest(case["path"]):
                verb, *rest = case["tool"]
                done = subprocess.run([TOOL, verb, Shared.stores.get(case["store"]), *rest, "--json"], capture_output=True, text=True)
                status, answer = self.answer(studios[case["store"]], case)
                self.assertEqual(status, case.get("status", 200), answer)
                if "status" in case:
                    self.assertEqual(answer["error"], json.loads(done.stderr)["error"])
                elif case.get("rows"):
                    self.assertEqual([row["object"] for row in answer["rows"]], [json.loads(line) for line in done.stdout.splitlines()])
                    self.assertIn("version", answer)
                else:
                    found = answer[case["of"]] if "of" in case else answer
                    self.assertEqual(stripped(found), stripped(json.loads(done.stdout)))
                    self.assertIn("version", answer)
