"""What another process writes is in the page at once, and a flood of commits takes neither time nor memory."""

import os
import subprocess
import tempfile
import threading
import time

from case import CELL, Shared, StudioTest, fragment
from studio import COMMITTER, TOOL, larder, until

# Commits as fast as a program makes them: a thousand a second and more, for ten seconds at most.
FLOOD = 10_000


class Writer:
    """A shell of the tool in a process of its own: a line is a transaction."""

    def __init__(self, store):
        self.process = subprocess.Popen([TOOL, "shell", store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # What the shell prints is read, or it would wait for that.
        self.said = threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True)
        self.said.start()

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def close(self):
        """Waits for all that was written."""
        if self.process.stdin.closed:
            return
        self.process.stdin.close()
        self.process.wait()
        self.said.join()
        self.process.stdout.close()


class Committer:
    """A program that follows nothing and commits: object 0 of the class Reading has the number of the commit."""

    def __init__(self, store, commits, pause):
        # A file, and no pipe that fills while nothing reads it.
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([COMMITTER, "write", store, str(commits), str(pause)], stdout=self.said)

    def times(self):
        """Waits for its end; by commit, when it began and when it was done, in seconds of the clock that pages have."""
        if self.process.wait(300) != 0:
            raise AssertionError(f"the program that commits ended with {self.process.returncode}")
        offset = time.time() - time.monotonic()
        with self.said:
            self.said.seek(0)
            rows = [[int(word) for word in line.split()] for line in self.said]
        return {number: (before / 1e9 + offset, after / 1e9 + offset) for number, before, after in rows}


def make_readings(count, folder=None):
    """A store with objects of Reading."""
    source = os.path.join(Shared.stores.folder, "readings.jsonl")
    with open(source, "w") as file:
        file.writelines(f'{{"id": {number}, "number": 0}}\n' for number in range(count))
    store = os.path.join(folder or Shared.stores.folder, f"readings-{time.monotonic_ns()}.larder")
    larder("import", source, "--into", store, "--class", "Reading", "--primary-key", "id", "--type", "id=int", "--type", "number=int")
    return store


class LiveTest(StudioTest):
    def test_a_write_of_another_process_is_in_the_page(self):
        store = make_readings(100)
        page = self.page(self.studio(store), fragment("feed", pins=[{"class": "Reading", "q": "id == 0", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        page.run("""window.seen = {}; new MutationObserver(() => {
          const found = /number\\s*(\\d+)/.exec(document.querySelector(".card")?.innerText ?? "");
          if (found) window.seen[found[1]] ??= Date.now();
        }).observe(document.querySelector("#cards"), {childList: true, subtree: true}); 0""")
        times = Committer(store, 12, 250).times()
        page.wait('window.seen[12]', "the card of the last commit")
        seen = {int(number): at / 1000 for number, at in page.run("window.seen").items()}
        self.assertEqual(set(seen), set(times), "cards of commits are missing")
        # The first one loads what the page and the server need.
        worst = max(seen[number] - done for number, (_, done) in times.items() if number > 1)
        self.figure("from a commit of another process to its card, worst of 11", worst * 1000, 150, "ms")

    def test_a_write_of_the_tool_is_in_the_page(self):
        store = Shared.stores.copy("world")
        page = self.page(self.studio(store), fragment("feed", pins=[{"class": "Country", "q": "iso == 'PT'", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        writer = Writer(store)
        self.addCleanup(writer.close)
        for number in range(1, 4):
            writer.write(f"edit Country PT --set population={number} --write")
            page.wait(f'document.querySelectorAll(".card").length === {number}', "the card of the commit")

    def test_the_grid_does_not_move_under_the_pointer(self):
        store = Shared.stores.copy("world")
        page = self.page(self.studio(store), fragment("grid", **{"class": "Country"}, sort="population:desc"))
        page.wait(CELL)
        page.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 500, "y": 400})
        larder("edit", store, "Country", "AD", "--set", "population=9000000000", "--write")
        page.wait('!document.querySelector(".fresh").hidden', "the mark of new versions")
        self.assertNotEqual(page.run(CELL), "AD")
        page.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 5, "y": 5})
        page.wait(f'{CELL} === "AD"', "the new order")

    def test_a_flood_of_commits(self):
        # In memory where there is a folder for that: a disk makes some hundred commits durable in a second.
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.addCleanup(folder.cleanup)
        store = make_readings(5000, folder.name)
        studio = self.studio(store)
        page = self.page(studio, fragment("feed", pins=[{"class": "Reading", "q": "id < 10", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        studio.get("rows", **{"class": "Reading"})
        before, first = studio.memory(), studio.get("store")["version"]
        begun = time.monotonic()
        writer = Committer(store, FLOOD, 0)
        slowest = 0
        while writer.process.poll() is None:
            asked = time.monotonic()
            studio.get("rows", **{"class": "Reading", "limit": 200})
            slowest = max(slowest, time.monotonic() - asked)
            time.sleep(0.02)
        rate = FLOOD / (time.monotonic() - begun)
        writer.times()
        last = until(lambda: (lambda version: version if version >= first + FLOOD else 0)(studio.get("store")["version"]), "the last commit", 60)
        page.wait(f'document.querySelector(".version").innerText.replace(/\\D/g, "") === "{last}"', "the newest version in the page")
        page.wait(f'document.querySelector(".card").innerText.includes("{FLOOD}")', "the last value in its card")
        self.figure_of_least("commits in a second", rate, 1000)
        self.figure("slowest answer meanwhile", slowest * 1000, 100, "ms")
        self.figure(f"growth of memory with {FLOOD} commits", (studio.memory() - before) / 1e6, 20, "MB")
        self.assertLessEqual(page.run('document.querySelectorAll("*").length'), 4000)
