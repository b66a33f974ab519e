"""Every screen on three stores, light and dark, wide and narrow: it comes up without an error, and asks no other host."""

import glob
import os

from case import CELL, Shared, StudioTest, fragment
from studio import ROOT

PAGE = os.path.join(ROOT, "Sources", "LarderStudio", "Page")
LIMIT = 150_000

STORES = {
    "world": ("City", 'population > 1000000 AND timezone == "Asia/Tokyo"', "1850147", "timezone"),
    "flights": ("Plane", "seats > 300", "N10156", "manufacturer"),
    "format1": ("Everything", "id < 50", "5", "flag"),
}

# Name of the picture: the fragment of the URL, and what is there when the screen is.
def screens(name, query, key, by):
    return {
        "grid": (fragment("grid", **{"class": name}), CELL),
        "groups": (fragment("grid", **{"class": name}, **{"as": "groups"}, by=by), 'document.querySelector(".group")'),
        "json": (fragment("grid", **{"class": name}, **{"as": "json"}), 'document.querySelector(".json-text")?.innerText'),
        "object": (fragment("object", **{"class": name}, key=key), 'document.querySelector("#incoming") && !document.querySelector("#main").innerText.includes("…")'),
        "plan": (fragment("plan", **{"class": name}, q=query), 'document.querySelector("#plan tbody tr")'),
        "feed": (fragment("feed", pins=[{"class": name, "q": query, "sort": []}]), 'document.querySelector(".pins .n")?.innerText'),
        "space": (fragment("space"), 'document.querySelector(".treemap rect")'),
        "versions": (fragment("versions"), 'document.querySelector("#commits")'),
        "schema": (fragment("schema"), 'document.querySelector(".graph .box")'),
    }


class ScreensTest(StudioTest):
    def look(self, store, width, dark):
        studio = self.studio(Shared.stores.get(store))
        page = self.page(studio, width=width, dark=dark)
        for name, (where, there) in screens(*STORES[store]).items():
            with self.subTest(store=store, screen=name, width=width):
                page.go(where)
                page.wait(there, f"{name} of {store}")
                self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width, "the page is wider than the window")
                self.assertLessEqual(page.run('document.querySelectorAll("*").length'), 2000)
        self.assert_quiet(page, studio)

    def test_world_wide_and_light(self):
        self.look("world", 1024, False)

    def test_world_narrow_and_dark(self):
        self.look("world", 400, True)

    def test_flights(self):
        self.look("flights", 1024, True)

    def test_a_store_of_format_1(self):
        self.look("format1", 400, False)

    def test_the_state_is_in_the_URL(self):
        studio = self.studio(Shared.stores.get("world"))
        page = self.page(studio, fragment("grid", **{"class": "City"}, q="population > 5000000", sort="name:desc", hide="id", row="3"))
        page.wait(CELL)
        shown = page.text("#grid")
        again = self.page(studio, page.run("location.hash"))
        again.wait(CELL)
        self.assertEqual(again.text("#grid"), shown)
        self.assertIn('class="row here', again.run('document.querySelector("[data-row=\\"3\\"]").outerHTML'))

    def test_parts_of_properties_are_boxes(self):
        page = self.page(self.studio(Shared.stores.get("world")), fragment("space"))
        page.wait('document.querySelector(".treemap rect")')
        page.run('document.querySelector("[aria-label=\'Parts of City\']").click()')
        page.wait('document.querySelector("h1").innerText === "Space of City"')
        titles = page.run('[...document.querySelectorAll(".treemap title")].map((one) => one.textContent)')
        self.assertTrue(any(title.startswith("alternateNames.") for title in titles), titles)
        self.assertTrue(any(text.startswith("elements ") for text in page.run('[...document.querySelectorAll(".treemap text")].map((one) => one.textContent)')))

    def test_a_faulty_predicate_is_underlined_and_repaired(self):
        studio = self.studio(Shared.stores.get("world"))
        page = self.page(studio, fragment("grid", **{"class": "City"}, q="population > 5 AND nam == 'x'"))
        self.assertEqual(page.wait('document.querySelector(".under mark")?.textContent'), "nam")
        page.run('document.querySelector(".suggestion").click()')
        page.wait('document.querySelector("#query").value === "population > 5 AND name == \'x\'" && document.querySelector(".count").innerText.startsWith("0")')

    def test_a_migration_is_previewed_and_nothing_written(self):
        store = Shared.stores.get("world")
        with open(store, "rb") as file:
            before = file.read()
        page = self.page(self.studio(store), fragment("schema"))
        page.wait('document.querySelector(".graph .box")')
        page.run("""(() => {
          const data = new DataTransfer();
          data.items.add(new File([JSON.stringify({schemaVersion: 9, classes: {Country: {properties: {iso: "string primary"}}}})], "schema.json"));
          document.querySelector("main").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        })()""")
        page.wait('document.querySelector(".losses li")')
        with open(store, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_the_files_of_the_page_are_small(self):
        size = sum(os.path.getsize(path) for path in glob.glob(os.path.join(PAGE, "*")))
        self.assertLessEqual(size, LIMIT)

    def test_the_page_makes_no_markup_of_texts(self):
        for path in glob.glob(os.path.join(PAGE, "*.js")):
            with open(path) as file:
                text = file.read()
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser"):
                self.assertNotIn(word, text, os.path.basename(path))
