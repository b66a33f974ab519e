"""What the server answers is what the tool prints with --json, case by case."""

import json
import os
import subprocess
import urllib.parse

from case import Shared, StudioTest
from studio import TOOL, larder

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


def untimed(step):
    """A step of a plan without how long it took."""
    return {name: [untimed(inner) for inner in one] if name == "from" else one for name, one in step.items() if name != "nanoseconds"}


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
                done = subprocess.run([TOOL, verb, "--json", Shared.stores.get(case["store"]), *rest], capture_output=True, text=True)
                status, answer = self.answer(studios[case["store"]], case)
                self.assertEqual(status, case.get("status", 200), answer)
                if "status" in case:
                    self.assertEqual(answer["error"], json.loads(done.stderr)["error"])
                elif case.get("rows"):
                    self.assertEqual([row["object"] for row in answer["rows"]], [json.loads(line) for line in done.stdout.splitlines()])
                    self.assertIn("version", answer)
                elif "lines" in case:
                    self.assertEqual(answer[case["lines"]], [json.loads(line) for line in done.stdout.splitlines()])
                    self.assertTrue(answer[case["lines"]])
                elif "groups" in case:
                    groups = [json.loads(line) for line in done.stdout.splitlines()]
                    self.assertEqual(answer["groups"], [{"value": group[case["groups"]], "count": group["count"]} for group in groups])
                elif case.get("incoming"):
                    origins = json.loads(done.stdout)["incomingLinks"]
                    self.assertEqual(answer["incomingLinks"], [{"class": one["class"], "property": one["property"], "count": len(one["objects"]), "objects": one["objects"][:100]} for one in origins])
                else:
                    found, printed = (answer[case["of"]] if "of" in case else answer), json.loads(done.stdout)
                    for value in (found, printed) if "without" in case else ():
                        for name in case["without"]:
                            value.pop(name, None)
                    if case.get("timed"):
                        found["steps"], printed["steps"] = untimed(found["steps"]), untimed(printed["steps"])
                    self.assertEqual(stripped(found), stripped(printed))
                    self.assertIn("version", answer)

    def test_a_preview_of_a_migration_is_that_of_the_verb(self):
        store = Shared.stores.get("world")
        studio = self.studio(store)
        schema = json.loads(larder("schema", store, "--json"))
        schema["classes"]["City"]["properties"].pop("population")
        schema["schemaVersion"] = schema.get("schemaVersion", 0) + 1
        file = Shared.stores.path("changed") + ".json"
        with open(file, "w") as target:
            json.dump(schema, target)
        status, answer = studio.post("migration-preview", schema)
        self.assertEqual(status, 200, answer)
        answer.pop("studioVersion")
        printed = json.loads(larder("migrate", store, file, "--json", accepted=(0, 4)))
        self.assertEqual(exact(answer), printed)
        self.assertTrue(printed["losses"])
