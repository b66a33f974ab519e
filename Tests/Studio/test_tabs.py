"""Three tabs during 1,000 commits, then none: no version is held, and no listener is left."""

import os

from case import CELL, Shared, StudioTest, fragment
from studio import larder, lines, until
from test_live import Writer

COMMITS = 1000


class TabsTest(StudioTest):
    def own_readers(self, studio):
        return [reader for reader in studio.get("readers")["readers"] if reader["process"] == studio.process.pid]

    def connections(self, studio):
        return len(os.listdir(f"/proc/{studio.process.pid}/fd"))

    def test_no_version_is_held(self):
        store = Shared.stores.copy("format1")
        studio = self.studio(store)
        studio.get("store")
        before = self.connections(studio)
        pages = [Shared.page() for _ in range(3)]
        for page in pages:
            page.open(studio.url)
            page.wait(CELL)
            page.go(fragment("feed", pins=[{"class": "Everything", "q": "id < 100", "sort": ["text"]}]))
            page.wait('document.querySelector(".pins .n")?.innerText')
        first = studio.get("store")["version"]
        ids = [row["id"] for row in lines("query", store, "Everything", "id < 100", "--json")]
        writer = Writer(store)
        behind = 0
        for number in range(COMMITS):
            writer.write(f"edit Everything {ids[number % len(ids)]} --set double={number} --write")
            if number % 50 == 0:
                behind = max([behind] + [reader["commitsBehind"] for reader in self.own_readers(studio)])
        writer.close()
        self.assertLessEqual(behind, 1, "a reader of the inspector is more than one commit behind")
        for page in pages:
            page.wait(f'Number(document.querySelector(".version").innerText.replace(/\\D/g, "")) >= {first + COMMITS}', "the last commit", 60)
            page.close()
        until(lambda: self.connections(studio) <= before + 1, "the end of the streams of tabs that are closed", 25)
        self.assertLessEqual(max([0] + [reader["commitsBehind"] for reader in self.own_readers(studio)]), 1)
        self.assertIn("sound", larder("check", store, "--json"))
