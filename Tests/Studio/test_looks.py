"""How things look: places, widths and colours, and what of it is kept."""

import os

from case import CELL, Shared, StudioTest, fragment
from studio import LONG, larder
from test_live import Committer, make_readings


class LooksTest(StudioTest):
    def test_F172_groups_say_how_many_there_are(self):
        """F-172"""
        page = self.page(self.studio(Shared.stores.get("odd")), fragment("grid", **{"class": LONG, "as": "groups"}, by="kind"))
        page.wait('document.querySelector(".group")')
        self.assertEqual(page.text(".result .count"), "first 200 of 301 values")
        page.go(fragment("grid", **{"class": LONG, "as": "groups"}, by="kind", q="id < 7"))
        page.wait('document.querySelector(".result .count")?.innerText === "7 values"')
        page.go(fragment("grid", **{"class": LONG, "as": "groups"}, by="kind", q="id < 1"))
        page.wait('document.querySelector(".result .count")?.innerText === "1 value"')

    def kept(self, page):
        return page.run("JSON.stringify(localStorage)")

    def use(self, page):
        """Runs a query, saves it, and moves a box of the schema."""
        page.go(fragment("grid", **{"class": "Country"}, q='name == "Portugal"'))
        page.wait(f'{CELL} === "PT"')
        page.run('document.querySelector("form.query .primary").click()')
        page.run('[...document.querySelectorAll("form.query button")].find((one) => one.innerText === "More").click()')
        page.run('[...document.querySelectorAll("[role=menu] button")].find((one) => one.innerText === "Save this query").click()')
        page.wait('document.querySelector("#rail .saved")')
        page.go(fragment("schema"))
        page.wait('document.querySelector(".graph .box")')
        page.run('document.querySelector(".graph .box").focus()')
        page.key("ArrowRight")

    def test_F173_nothing_is_kept_of_an_encrypted_store(self):
        """F-173"""
        plain = self.page(self.studio(Shared.stores.copy("world")))
        self.use(plain)
        for text in ("Portugal", "larder-queries", "larder-saved", "larder-boxes"):
            self.assertIn(text, self.kept(plain))
        store, key = Shared.stores.copy("world"), Shared.stores.path("key")
        with open(key, "wb") as file:
            file.write(os.urandom(64))
        os.chmod(key, 0o600)
        larder("rekey", store, "--new-key-file", key, "--write")
        page = self.page(self.studio(store, flags=["--key-file", key]))
        self.use(page)
        self.assertEqual(self.kept(page), "{}")
        # Both are there while the page is open.
        page.go(fragment("grid", **{"class": "Country"}))
        page.wait('document.querySelector("#rail .saved")?.innerText.includes("Portugal")')

    def test_F174_numbers_are_at_the_right_and_columns_fit(self):
        """F-174"""
        page = self.page(self.studio(Shared.stores.get("flights")), fragment("grid", **{"class": "Flight"}), width=1280)
        page.wait(CELL)
        style = "[...document.querySelectorAll('[role=row] > *')].map((one) => [one.getAttribute('role'), getComputedStyle(one.querySelector('button') ?? one).textAlign, one.innerText])"
        cells = page.run(style)
        for role, align, text in cells:
            if role == "gridcell" and text.lstrip("-").isdigit():
                self.assertEqual(align, "right", text)
        self.assertIn(["columnheader", "right", "year"], cells)
        shown = page.run("[...document.querySelectorAll('[role=columnheader]')].filter((one) => one.getBoundingClientRect().right <= innerWidth).length")
        self.assertGreaterEqual(shown, 12)
        page.go(fragment("grid", **{"class": LONG}))
        cut = page.run("[...document.querySelectorAll('[role=gridcell]')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)")
        self.assertEqual([text for text in cut if len(text) < 30], [])

    def test_F174_spaces_stay(self):
        """F-174"""
        studio = self.studio(Shared.stores.get("odd"))
        page = self.page(studio, fragment("grid", **{"class": LONG}))
        page.wait(CELL)
        self.assertIn("a  b   0", page.text("[role=row] .text"))
        page.go(fragment("object", **{"class": LONG}, key="0"))
        page.wait('document.querySelector("#fields .text")')
        self.assertEqual(page.text("#fields .text"), "a  b   0")

    def test_F174_long_names_fit(self):
        """F-174"""
        for width in (1280, 400):
            page = self.page(self.studio(Shared.stores.get("odd")), fragment("grid", **{"class": LONG}), width=width)
            page.wait(CELL)
            self.assertLessEqual(page.run('document.querySelector("form.query select").getBoundingClientRect().width'), 260)
            self.assertGreaterEqual(page.run('document.querySelector("#query").getBoundingClientRect().width'), 180)
            page.go(fragment("schema"))
            page.wait('document.querySelector(".graph .box")')
            wide = page.run("[...document.querySelectorAll('.graph .box')].flatMap((box) => [...box.querySelectorAll('text')].filter((text) => text.getBBox().x + text.getBBox().width > box.querySelector('rect').getBBox().width)).map((one) => one.textContent)")
            self.assertEqual(wide, [])
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)

    def test_F174_tabs_go_back_to_the_query(self):
        """F-174"""
        page = self.page(self.studio(Shared.stores.get("world")), fragment("grid", **{"class": "Country"}, q="population > 90000000", sort="population:desc"))
        page.wait(CELL)
        first = page.text("#grid")
        for screen, there in (("Space", ".treemap rect"), ("Schema", ".graph .box"), ("Feed", ".cards"), ("Versions", "#commits")):
            page.run(f'[...document.querySelectorAll(".tabs a")].find((one) => one.innerText === "{screen}").click()')
            page.wait(f'document.querySelector("{there}")')
            page.run('[...document.querySelectorAll(".tabs a")].find((one) => one.innerText === "Plan").click()')
            page.wait('document.querySelector("#query")?.value === "population > 90000000"')
            page.run('[...document.querySelectorAll(".tabs a")].find((one) => one.innerText === "Data").click()')
            page.wait(CELL)
            self.assertEqual(page.text("#grid"), first, screen)

    def test_F174_words_and_colours(self):
        """F-174"""
        studio = self.studio(Shared.stores.copy("world"), write=True)
        page = self.page(studio, fragment("plan", **{"class": "City"}, q="population > 5000000", sort="name"))
        page.wait('document.querySelector("#plan tbody tr")')
        words = page.text("#plan").lower().replace("\t", " ").split()
        self.assertEqual([one for one, other in zip(words, words[1:]) if one == other and one.isalpha()], [])
        page.go(fragment("object", **{"class": "Country"}, key="PT"))
        page.wait('document.querySelector(".danger")')
        page.run('document.querySelector(".danger").click()')
        page.wait('document.querySelector(".review td.old + td")')
        colour = "getComputedStyle([...document.querySelectorAll('.review td')].find((one) => one.innerText === 'deleted')).color"
        self.assertEqual(page.run(colour), page.run("getComputedStyle(document.querySelector('.review .old')).color"))

    def test_F174_cards_of_many_commits_are_there_at_once(self):
        """F-174: at a hundred commits a second no card is still on its way."""
        store = make_readings(100)
        page = self.page(self.studio(store), fragment("feed", pins=[{"class": "Reading", "q": "id < 10", "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText')
        writer = Committer(store, 300, 10)
        page.wait('document.querySelectorAll(".card").length > 5')
        for _ in range(20):
            self.assertEqual(page.run("[...document.querySelectorAll('.card')].filter((one) => getComputedStyle(one).opacity !== '1').length"), 0)
        writer.times()

    def test_F174_rows_begin_high_on_a_narrow_screen(self):
        """F-174"""
        page = self.page(self.studio(Shared.stores.get("world")), fragment("grid", **{"class": "Country"}), width=400)
        page.wait(CELL)
        self.assertLessEqual(page.run("document.querySelector('[role=gridcell]').getBoundingClientRect().top"), 175)
