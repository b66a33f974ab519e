"""What docs/studio-http.md says of answers, their parts and their limits, and what the command does."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import urllib.parse

from case import Shared, StudioTest
from studio import TOOL, larder


class HttpTest(StudioTest):
    def setUp(self):
        self.store = Shared.stores.copy("world")
        self.server = self.studio(self.store, write=True)

    def imported(self, name, rows, *flags):
        """A store of objects of the class Row, by their `id`."""
        source = os.path.join(Shared.stores.folder, f"{name}.jsonl")
        with open(source, "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        store = Shared.stores.path(name)
        larder("import", source, "--into", store, "--class", "Row", "--primary-key", "id", "--type", "id=int", *flags)
        return store

    def test_rows_have_their_parts(self):
        answer = self.server.get("rows", **{"class": "Country", "columns": "iso,name", "sort": "iso", "limit": 3, "offset": 2})
        self.assertEqual(set(answer), {"version", "class", "count", "offset", "rows", "next"})
        self.assertEqual([set(row) for row in answer["rows"]], [{"key", "primaryKey", "object"}] * 3)
        self.assertEqual([set(row["object"]) for row in answer["rows"]], [{"iso", "name"}] * 3)
        following = self.server.get("rows", **{"class": "Country", "sort": "iso", "limit": 3, "after": answer["next"]})
        skipping = self.server.get("rows", **{"class": "Country", "sort": "iso", "limit": 3, "offset": 5})
        self.assertEqual(following["rows"], skipping["rows"])

    def test_large_numbers_and_long_texts(self):
        rows = [{"id": 1, "number": 2 ** 53, "text": "x" * 1000}, {"id": 2, "number": 2 ** 53 + 1, "text": "x" * 1001}]
        studio = self.studio(self.imported("limits", rows, "--type", "number=int"))
        first, second = [row["object"] for row in studio.get("rows", **{"class": "Row", "sort": "id"})["rows"]]
        self.assertEqual(first, {"id": 1, "number": 2 ** 53, "text": "x" * 1000})
        self.assertEqual(second, {"id": 2, "number": {"int": "9007199254740993"}, "text": {"cut": "x" * 1000, "length": 1001}})
        self.assertEqual(studio.get("object/Row/2")["object"]["text"], "x" * 1001)

    def test_objects_by_either_key(self):
        by_primary = self.server.get("object/Country/PT")
        self.assertEqual(set(by_primary), {"version", "class", "key", "primaryKey", "object"})
        self.assertEqual(self.server.get(f"object/Country/%23{by_primary['key']}"), by_primary)

    def test_incoming_links_are_a_hundred_at_most(self):
        [cities] = [one for one in self.server.get("incoming/Country/IN")["incomingLinks"] if one["class"] == "City"]
        self.assertGreater(cities["count"], 100)
        self.assertEqual(len(cities["objects"]), 100)

    def test_history_and_versions(self):
        larder("edit", self.store, "Country", "PT", "--set", "name=Lusitania", "--write")
        newest = self.server.get("store")["version"]
        history = self.server.get("history/Country/PT")
        self.assertEqual(history["entries"][0], {"version": newest, "change": "modified", "properties": ["name"]})
        self.assertEqual(history["entries"][-1]["change"], "inserted")
        versions = self.server.get("versions")
        self.assertEqual(versions["commits"][0], {"version": newest, "classes": [{"class": "Country", "inserted": 0, "deleted": 0, "modified": 1}]})
        numbers = [commit["version"] for commit in versions["commits"]]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(versions["oldestVersion"], numbers[-1] - 1)
        self.assertEqual([commit["version"] for commit in self.server.get("versions", limit=1)["commits"]], [newest])

    def test_readers(self):
        next(self.events(self.server, topics="[]"))
        readers = self.server.get("readers")["readers"]
        self.assertTrue(readers)
        for reader in readers:
            self.assertEqual(set(reader), {"process", "name", "version", "commitsBehind", "heldBytes", "heldSeconds"})
            self.assertTrue(reader["commitsBehind"] or reader["heldBytes"] is None)

    def test_groups_are_a_hundred_without_a_limit(self):
        answer = self.server.get("groups", **{"class": "City", "by": "country.iso"})
        counts = [group["count"] for group in answer["groups"]]
        self.assertEqual(counts, sorted(counts, reverse=True))
        self.assertGreater(answer["total"], 100)
        self.assertEqual(len(counts), 100)

    def test_completion(self):
        answer = self.server.get("complete", **{"class": "City", "q": "country.na", "position": 10})
        self.assertEqual(answer["from"], 8)
        self.assertIn({"text": "name", "kind": "string"}, answer["items"])

    def test_schemas_as_text(self):
        for form, flag in (("swift", "--swift"), ("mermaid", "--mermaid")):
            self.assertEqual(self.server.get("schema", format=form)["text"].strip(), larder("schema", self.store, flag).strip())
        self.assertEqual(self.server.request("/api/schema?format=x")[0], 400)

    def test_methods(self):
        self.assertEqual(self.server.request("/api/store", method="DELETE")[0], 405)
        self.assertEqual(self.server.request("/api/nothing")[0], 404)
        self.assertEqual(self.server.request("/", method="DELETE")[0], 405)
        self.assertEqual(self.server.request("/", method="HEAD")[0], 200)
        self.assertEqual(self.server.request("/nothing", method="HEAD")[0], 404)

    def test_names_of_questions(self):
        for length, status in [(64, 200), (65, 400)]:
            self.assertEqual(self.server.request("/api/store", X_Larder_Question="a" * length)[0], status)

    def events(self, studio, **query):
        """The events of a stream, each with its id and its data."""
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request("POST", "/api/events", urllib.parse.urlencode(query), {"X-Larder-Token": studio.token})
        stream = connection.getresponse()
        self.assertEqual(stream.headers["Content-Type"].split(";")[0], "text/event-stream")
        event = {}
        for line in stream:
            name, _, value = line.decode().strip().partition(": ")
            if name == "data":
                yield event.get("event"), event.get("id"), json.loads(value)
                event = {}
            elif name:
                event[name] = value

    def test_events_of_many_objects_are_cut(self):
        store = self.imported("many-changes", [{"id": number, "number": 0} for number in range(1500)], "--type", "number=int")
        studio = self.studio(store)
        events = self.events(studio, topics='[{"id":"all","class":"Row","q":"","sort":["id"]}]')
        kind, number, data = next(events)
        self.assertEqual((kind, data["classes"]), ("store", {"Row": 1500}))
        self.assertEqual(number, str(data["version"]))
        kind, _, data = next(event for event in events if event[0] == "change")
        self.assertEqual((data["topic"], data["count"], set(data)), ("all", 1500, {"topic", "version", "count"}))
        source = os.path.join(Shared.stores.folder, "many-changes.jsonl")
        with open(source, "w") as file:
            file.writelines(json.dumps({"id": row, "number": 1}) + "\n" for row in range(1500))
        larder("import", source, "--into", store, "--class", "Row", "--primary-key", "id", "--update", "--write")
        kind, number, data = next(event for event in events if event[0] == "change")
        self.assertEqual((len(data["modified"]), data["total"]), (1000, {"deleted": 0, "inserted": 0, "modified": 1500}))
        self.assertEqual(number, str(data["version"]))

    def started(self, *flags, **environment):
        process = subprocess.Popen([TOOL, "studio", self.store, *flags], stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, process.stdout.readline()

    def test_tokens_are_new_with_each_start(self):
        os.environ.pop("LARDER_STUDIO_TOKEN", None)
        lines = [self.started()[1] for _ in range(2)]
        tokens = [re.fullmatch(r"http://127\.0\.0\.1:\d+/#token=([0-9a-f]{32})\n", line)[1] for line in lines]
        self.assertNotEqual(*tokens)
        self.assertIn("#token=" + "ab" * 16, self.started(LARDER_STUDIO_TOKEN="ab" * 16)[1])

    def test_it_listens_on_this_computer_only_and_ends_with_control_c(self):
        with open("/proc/net/tcp") as file:
            rows = [line.split() for line in file]
        here = [row[1] for row in rows if row[1].endswith(f":{self.server.port:04X}") and row[3] == "0A"]
        self.assertEqual(here, [f"0100007F:{self.server.port:04X}"])
        self.server.process.send_signal(signal.SIGINT)
        self.server.process.wait(10)

    def test_a_socket_in_a_folder(self):
        path = os.path.join(Shared.stores.folder, "s")
        process, line = self.started("--socket", path)
        token = re.fullmatch(rf"socket {re.escape(path)}, token ([0-9a-f]{{32}})\n", line)[1]
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            # As through ssh -L 8700:PATH.
            client.sendall(f"GET /api/store HTTP/1.1\r\nHost: 127.0.0.1:8700\r\nX-Larder-Token: {token}\r\nConnection: close\r\n\r\n".encode())
            with client.makefile("rb") as answer:
                self.assertIn(b"200 OK", answer.readline())
