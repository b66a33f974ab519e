"""The server is killed and started again: the page goes on within a second, and no card is lost or doubled."""

import time

from case import Shared, StudioTest, fragment
from studio import larder
from test_live import Writer


class RestartTest(StudioTest):
    def edit(self, number):
        larder("edit", self.store, "Country", "PT", "--set", f"population={number}", "--write")

    def cards(self, page):
        return page.run('[...document.querySelectorAll(".card:not(.reset)")].map((card) => Number(card.dataset.version))')

    def test_cards_are_neither_lost_nor_doubled(self):
        self.store = Shared.stores.copy("world")
        studio = self.studio(self.store)
        page = self.page(studio, fragment("feed", pins=[{"class": "Country", "q": "iso == 'PT'", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        self.edit(1)
        page.wait('document.querySelectorAll(".card").length === 1')
        studio.kill()
        page.wait('document.querySelector(".offline").innerText')
        self.edit(2)
        studio.start()
        begun = time.monotonic()
        page.wait('!document.querySelector(".offline").innerText', "the connection")
        self.figure("live after a restart", (time.monotonic() - begun) * 1000, 1000, "ms")
        self.edit(3)
        newest = studio.get("store")["version"]
        page.wait(f'document.querySelector(".card:not(.reset)")?.dataset.version === "{newest}"', "the card of the newest commit")
        versions = self.cards(page)
        self.assertEqual(len(versions), len(set(versions)), "a card is doubled")
        self.assertEqual(versions[0], newest)
        # The commit that was missed is in a card of its own, which the log gave, or in one with the newest.
        self.assertTrue(newest - 1 in versions or f"Versions {newest - 1} to {newest}" in page.text("#cards"), versions)
        self.assertFalse(page.run('document.querySelector(".card.reset") !== null'))

    def test_a_log_that_is_too_short_says_so(self):
        self.store = Shared.stores.copy("world")
        studio = self.studio(self.store)
        page = self.page(studio, fragment("feed", pins=[{"class": "Country", "q": "iso == 'PT'", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        studio.kill()
        page.wait('document.querySelector(".offline").innerText')
        writer = Writer(self.store)
        for number in range(300):
            writer.write(f"edit Country PT --set population={number} --write")
        writer.close()
        studio.start()
        page.wait('document.querySelector(".card.reset")', "the card that says what is missing")
        self.edit(3)
        page.wait(f'document.querySelector(".card:not(.reset)")?.dataset.version === "{studio.get("store")["version"]}"', "the card of the newest commit")

    def test_the_grid_has_what_was_missed(self):
        self.store = Shared.stores.copy("world")
        studio = self.studio(self.store)
        page = self.page(studio, fragment("grid", **{"class": "Country"}, sort="population:desc"))
        page.wait('document.querySelector("[role=gridcell]")?.innerText')
        studio.kill()
        self.edit(9_000_000_000)
        studio.start()
        page.wait('document.querySelector("[role=gridcell]")?.innerText === "PT"', "the first row")
