"""What another process writes is in the page at once, and a flood of commits takes neither time nor memory."""

import subprocess
import threading
import time

from case import CELL, Shared, StudioTest, fragment
from studio import TOOL, larder, until


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


class LiveTest(StudioTest):
    def test_a_write_of_another_process_is_in_the_page(self):
        store = Shared.stores.copy("world")
        page = self.page(self.studio(store), fragment("feed", pins=[{"class": "Country", "q": "iso == 'PT'", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        larder("edit", store, "Country", "PT", "--set", "population=1", "--write")
        page.wait('document.querySelector(".card")', "the card of the commit")
        writer = Writer(store)
        self.addCleanup(writer.close)
        worst = 0
        for number in range(2, 12):
            page.run("""window.seen = new Promise((done) => new MutationObserver((_, observer) => { observer.disconnect(); done(Date.now()); })
              .observe(document.querySelector("#cards"), {childList: true})); 0""")
            begun = time.time()
            writer.write(f"edit Country PT --set population={number} --write")
            worst = max(worst, page.run("window.seen") / 1000 - begun)
        page.wait('document.querySelectorAll(".card").length === 11')
        self.figure("from a write of another process to its card, worst of 10", worst * 1000, 150, "ms")

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
        store = Shared.stores.copy("format1")
        studio = self.studio(store)
        page = self.page(studio, fragment("feed", pins=[{"class": "Everything", "q": "id < 10", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        studio.get("rows", **{"class": "Everything"})
        before = studio.memory()
        first = studio.get("store")["version"]
        writer = Writer(store)
        commits, slowest, begun = 0, 0, time.monotonic()
        while time.monotonic() - begun < 10:
            for _ in range(20):
                writer.write(f"edit Everything 3 --set double={commits} --write")
                commits += 1
            asked = time.monotonic()
            studio.get("rows", **{"class": "Everything", "limit": 200})
            slowest = max(slowest, time.monotonic() - asked)
        writer.close()
        last = until(lambda: (lambda version: version if version >= first + commits else 0)(studio.get("store")["version"]), "the last commit", 60)
        page.wait(f'document.querySelector(".version").innerText.replace(/\\D/g, "") === "{last}"', "the newest version in the page")
        self.figure("slowest answer during 10 s of commits", slowest * 1000, 100, "ms")
        self.figure(f"growth of memory with {commits} commits", (studio.memory() - before) / 1e6, 20, "MB")
        self.assertLessEqual(page.run('document.querySelectorAll("*").length'), 4000)
