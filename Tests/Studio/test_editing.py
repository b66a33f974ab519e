"""An edit, a conflict, undo, and undo of a delete; afterwards the store is sound and differs in nothing."""

import json

from case import CELL, Shared, StudioTest, fragment
from studio import larder, lines


class EditingTest(StudioTest):
    def setUp(self):
        self.store = Shared.stores.copy("world")
        self.original = Shared.stores.get("world")
        self.server = self.studio(self.store, write=True)

    def page_of(self, key):
        page = self.page(self.server, fragment("object", **{"class": "Country"}, key=key))
        page.wait('document.querySelector("#incoming p, #incoming details") && document.querySelector("#fields tr")')
        return page

    def stage(self, page, property, text):
        page.run(f'document.querySelector("tr[data-property={property}]").focus()')
        page.key("e")
        page.wait('document.activeElement.classList.contains("edit")')
        page.type(text)
        page.key("Enter")
        page.wait('!document.querySelector("#top .primary").hidden')
        page.wait(f'document.querySelector("tr[data-property={property}] td.staged")', "the staged value")

    def review(self, page):
        page.key("Enter", ctrl=True)
        page.wait('document.querySelector("dialog .primary:not([disabled])")', "the review")

    def write(self, page):
        page.key("Enter")
        page.wait('!document.querySelector("dialog")', "the end of the review")

    def name(self, key):
        return lines("query", self.store, "Country", f"iso == '{key}'", "--json")[0]["name"]

    def assert_as_before(self):
        self.assertTrue(json.loads(larder("check", self.store, "--json"))["sound"])
        self.assertEqual(larder("diff", self.original, self.store, "--json"), "")

    def test_an_edit_and_its_undo(self):
        page = self.page_of("PT")
        self.stage(page, "name", "Lusitania")
        self.assertEqual(self.name("PT"), "Portugal")
        self.review(page)
        self.assertIn("Portugal", page.text("dialog"))
        self.assertEqual(self.name("PT"), "Portugal")
        self.write(page)
        self.assertEqual(self.name("PT"), "Lusitania")
        page.key("u")
        page.wait('document.querySelector("tr[data-property=name] td").innerText === "Portugal"', "the old name")
        self.assert_as_before()

    def test_escape_stages_nothing(self):
        page = self.page_of("PT")
        page.run('document.querySelector("tr[data-property=name]").focus()')
        page.key("e")
        page.wait('document.activeElement.classList.contains("edit")')
        page.type("x")
        page.key("Escape")
        self.assertTrue(page.run('document.querySelector("#top .primary").hidden'))
        self.assert_as_before()

    def test_a_conflict_shows_mine_theirs_and_base(self):
        page = self.page_of("PT")
        self.stage(page, "name", "Mine")
        larder("edit", self.store, "Country", "PT", "--set", "name=Theirs", "--write")
        page.key("Enter", ctrl=True)
        page.wait('document.querySelector("dialog")?.innerText.includes("Theirs") && document.querySelector("dialog").innerText.includes("Mine")')
        self.assertIn("Portugal", page.text("dialog"))
        self.assertEqual(self.name("PT"), "Theirs")
        page.run('[...document.querySelectorAll("dialog button")].find((one) => one.innerText === "Keep mine").click()')
        page.run('[...document.querySelectorAll("dialog button")].find((one) => one.innerText === "Write").click()')
        page.wait('!document.querySelector("dialog")')
        self.assertEqual(self.name("PT"), "Mine")

    def test_what_is_in_no_conflict_is_written_with_the_rest(self):
        page = self.page_of("PT")
        self.stage(page, "population", "5")
        self.stage(page, "name", "Mine")
        larder("edit", self.store, "Country", "PT", "--set", "name=Theirs", "--write")
        page.key("Enter", ctrl=True)
        page.wait('document.querySelector("dialog")?.innerText.includes("Theirs")')
        self.assertTrue(page.run('document.querySelector("dialog .primary").disabled'), "before the conflict is decided")
        page.run('[...document.querySelectorAll("dialog button")].find((one) => one.innerText === "Keep mine").click()')
        page.run('[...document.querySelectorAll("dialog button")].find((one) => one.innerText === "Write").click()')
        page.wait('!document.querySelector("dialog")')
        self.assertEqual(self.name("PT"), "Mine")
        self.assertEqual(lines("query", self.store, "Country", "iso == 'PT'", "--json")[0]["population"], 5)

    def test_the_focus_stays_on_a_field_that_was_edited_and_an_edit_outlives_what_is_loaded(self):
        page = self.page_of("PT")
        self.stage(page, "population", "5")
        field = 'document.activeElement.dataset.property'
        self.assertEqual(page.run(field), "population")
        page.run('document.querySelector("tr[data-property=name]").focus()')
        page.key("e")
        page.wait('document.activeElement.classList.contains("edit")')
        larder("edit", self.store, "Country", "PT", "--set", "capital=Porto", "--write")
        page.wait(f'document.querySelector(".version").innerText.includes("{self.server.get("store")["version"]}")')
        self.assertTrue(page.run('document.activeElement.classList.contains("edit")'), "the edit goes on")
        page.type("Mine")
        page.key("Enter")
        page.wait('document.querySelector("tr[data-property=name] td.staged")')
        page.wait(f'{field} === "name"')

    def test_an_edit_is_on_the_version_that_is_shown(self):
        page = self.page(self.server, fragment("grid", **{"class": "Country"}, q="iso == 'PT'"))
        page.wait(f'{CELL} === "PT"')
        page.run('document.querySelector("#top .live").click()')
        larder("edit", self.store, "Country", "PT", "--set", "name=Theirs", "--write")
        newest = self.server.get("store")["version"]
        page.wait(f'document.querySelector(".version").innerText.includes("{newest}")', "the new version")
        self.edit_cell(page, "name")
        page.type("Mine")
        page.key("Enter")
        page.key("Enter", ctrl=True)
        page.wait('document.querySelector("dialog")?.innerText.includes("Theirs")', "the conflict")
        self.assertEqual(self.name("PT"), "Theirs")

    def edit_cell(self, page, property):
        """Begins to edit a cell of the first row."""
        page.run('document.querySelector("#grid").focus()')
        country = next(one for one in self.server.get("classes")["classes"] if one["name"] == "Country")
        names = [one["name"] for one in country["properties"]]
        for key in ["ArrowLeft"] * len(names) + ["ArrowRight"] * names.index(property):
            page.key(key)
        page.key("e")
        page.wait('document.activeElement.classList.contains("edit")')

    def test_a_long_text_is_edited_whole(self):
        text = "a line\r\n" + "long " * 400
        larder("edit", self.store, "Country", "PT", "--set", f"name={text}", "--write")
        page = self.page(self.server, fragment("grid", **{"class": "Country"}, q="iso == 'PT'"))
        page.wait(f'{CELL} === "PT"')
        self.edit_cell(page, "name")
        page.key("Enter")
        self.assertTrue(page.run('document.querySelector("#top .primary").hidden'), "nothing was changed")
        self.edit_cell(page, "name")
        self.assertEqual(page.run("document.activeElement.tagName"), "TEXTAREA")
        page.run("document.activeElement.setSelectionRange(document.activeElement.value.length, document.activeElement.value.length)")
        page.type("end")
        page.key("Enter")
        self.review(page)
        self.write(page)
        self.assertEqual(self.name("PT"), text + "end")

    def test_undo_is_refused_after_a_foreign_change(self):
        page = self.page_of("PT")
        self.stage(page, "name", "Lusitania")
        self.review(page)
        self.write(page)
        larder("edit", self.store, "Country", "PT", "--set", "name=Theirs", "--write")
        page.key("u")
        page.wait('document.querySelector(".notice.error")', "the refusal")
        self.assertEqual(self.name("PT"), "Theirs")

    def test_undo_of_a_delete_makes_the_object_again_with_its_links(self):
        page = self.page_of("PT")
        page.run('[...document.querySelectorAll("button")].find((one) => one.innerText === "Delete").click()')
        page.wait('document.querySelector("dialog .primary:not([disabled])")')
        self.write(page)
        self.assertEqual(lines("query", self.store, "Country", "iso == 'PT'", "--json"), [])
        page.key("u")
        page.wait('document.querySelector("#notices").innerText.includes("key")', "the word that its object key is new")
        self.assertEqual(self.name("PT"), "Portugal")
        self.assert_as_before()
