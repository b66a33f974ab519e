"""What docs/studio.md says of each part of the page, where no other test looks at it."""

import csv
import io
import json
import os
import shlex
import subprocess

from case import CELL, Shared, StudioTest, fragment
from studio import TOOL, larder

BUTTON = "[...document.querySelectorAll(\"button, [role=menuitem]\")].find((one) => one.checkVisibility() && one.innerText === {})"


class PageTest(StudioTest):
    def opened(self, screen, store="world", write=False, width=1024, **params):
        """A page on a copy of a store."""
        self.store = Shared.stores.copy(store)
        self.server = self.studio(self.store, write)
        return self.page(self.server, fragment(screen, **params), width=width)

    def click(self, page, text):
        page.wait(BUTTON.format(json.dumps(text)), f"the button {text}")
        page.run(BUTTON.format(json.dumps(text)) + ".click()")

    def edit(self, key, *values):
        larder("edit", self.store, "Country", key, *[word for value in values for word in ("--set", value)], "--write")
        return self.server.get("store")["version"]

    def press(self, page, x, y, kind="mousePressed", **more):
        page.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, **more})

    def drag(self, page, selector, across, down):
        """Moves what a selector finds with the pointer."""
        place = page.run(f"(({{left, top, width, height}}) => [left + width / 2, top + Math.min(height / 2, 10)])({selector}.getBoundingClientRect())")
        self.press(page, *place)
        self.press(page, place[0] + across, place[1] + down, "mouseMoved")
        self.press(page, place[0] + across, place[1] + down, "mouseReleased")

    # The head

    def test_what_may_be_written_is_said(self):
        for write, text in ((False, "read only"), (True, "WRITE")):
            page = self.opened("grid", write=write, **{"class": "Country"})
            page.wait(CELL)
            self.assertEqual(page.text("#top .badge"), text)

    def test_back_is_the_browsers(self):
        page = self.opened("grid", **{"class": "Country"})
        page.wait(f'{CELL} === "AD"')
        page.go(fragment("space"))
        page.wait('document.querySelector(".treemap rect")')
        page.run("history.back()")
        page.wait(f'{CELL} === "AD" && location.hash.includes("grid?class=Country")')

    def test_the_theme_is_the_systems_until_it_is_switched(self):
        page = self.opened("grid", **{"class": "Country"})
        page.wait(CELL)
        colour = "getComputedStyle(document.body).backgroundColor"
        light = page.run(colour)
        page.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        dark = page.wait(f'{colour} !== {json.dumps(light)} && {colour}')
        self.click(page, "Theme")
        page.wait(f'{colour} === {json.dumps(light)} && location.hash.includes("theme=light")')
        self.click(page, "Theme")
        page.wait(f'{colour} === {json.dumps(dark)}')

    def test_the_classes_of_a_narrow_window(self):
        page = self.opened("grid", width=400, **{"class": "Country"})
        page.wait(CELL)
        self.assertFalse(page.run('document.querySelector("#rail a").checkVisibility() && document.querySelector("#rail").getBoundingClientRect().right > 0'))
        self.click(page, "Classes")
        page.wait('document.querySelector("#rail a").checkVisibility() && document.querySelector("#rail").getBoundingClientRect().right > 0')

    # Data

    def test_the_list_counts_objects(self):
        page = self.opened("grid", **{"class": "Continent"})
        entry = '[...document.querySelectorAll("#rail a")].find((one) => one.querySelector(".name").innerText === "Country").querySelector(".n").innerText'
        count = len(larder("query", Shared.stores.get("world"), "Country", "--json").splitlines())
        page.wait(f'{entry} === "{count}"')
        larder("edit", self.store, "Country", "AQ", "--delete", "--write")
        page.wait(f'{entry} === "{count - 1}"', "the new number")

    def test_embedded_classes_are_under_their_owners(self):
        page = self.opened("grid", store="format1", **{"class": "Everything"})
        page.wait(CELL)
        embedded = [one["name"] for one in self.server.get("classes")["classes"] if one.get("embedded")]
        self.assertTrue(embedded)
        shown = page.run('[...document.querySelectorAll("#rail li li a.embedded .name")].map((one) => one.innerText)')
        self.assertEqual(set(shown), set(embedded))

    def heads(self, page):
        return page.run('[...document.querySelectorAll("[role=columnheader]")].map((one) => one.querySelector("button").innerText.split(" ")[0])')

    def head(self, name):
        return f'[...document.querySelectorAll("[role=columnheader]")].find((one) => one.innerText.startsWith("{name}"))'

    def test_the_menu_of_a_column(self):
        page = self.opened("grid", **{"class": "Country"})
        page.wait(CELL)
        for entry, there in (
            ("Sort descending", '!document.querySelector(".count").innerText.startsWith("…") && document.querySelector("[aria-sort=descending]")'),
            ("Group by this", 'document.querySelector(".group")'),
        ):
            page.run(f'{self.head("name")}.querySelector("button").click()')
            self.click(page, entry)
            page.wait(there, entry)
        page.go(fragment("grid", **{"class": "Country"}))
        page.wait(CELL)
        width = f'{self.head("name")}.getBoundingClientRect().width'
        before = page.run(width)
        page.run(f'{self.head("name")}.querySelector("button").click()')
        self.click(page, "Wider")
        page.wait(f"{width} > {before} * 1.4")
        self.drag(page, f'{self.head("name")}.querySelector(".grip")', -60, 0)
        page.wait(f"Math.abs({width} - {before} * 1.5 + 60) < 3", "the column's edge")
        page.run(f'{self.head("name")}.querySelector("button").click()')
        self.click(page, "Hide")
        page.wait(f'!{self.head("name")}')
        self.click(page, "Columns")
        self.click(page, "Show all")
        page.wait(self.head("name"))

    def test_dates_are_UTC_and_the_pointer_shows_them_here(self):
        source = os.path.join(Shared.stores.folder, "dates.jsonl")
        with open(source, "w") as file:
            file.write('{"id": 1, "at": "2024-02-03T23:30:00Z"}\n')
        store = Shared.stores.path("dates")
        larder("import", source, "--into", store, "--class", "Day", "--primary-key", "id", "--type", "id=int", "--type", "at=date")
        page = self.page(self.studio(store))
        page.call("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
        page.go(fragment("grid", **{"class": "Day"}))
        page.wait('document.querySelector("#grid time")')
        self.assertTrue(page.text("#grid time").startswith("2024-02-03T23:30:00"))
        # The day is another one there; its form is that of the browser's language.
        self.assertRegex(page.run('document.querySelector("#grid time").title'), "4 Feb 2024|Feb 4, 2024")

    def test_a_link_opens_its_object(self):
        page = self.opened("grid", **{"class": "City"})
        page.wait('document.querySelector("[role=gridcell] a.chip")')
        page.run('document.querySelector("[role=gridcell] a.chip").click()')
        page.wait('location.hash.includes("object?class=Country") && document.querySelector("#fields")')

    def test_rows_as_CSV_and_Swift(self):
        rows = [{"id": 1, "text": 'a "b",\r\nc', "number": 9007199254740993}, {"id": 2, "text": "", "number": None}]
        source = os.path.join(Shared.stores.folder, "copies.jsonl")
        with open(source, "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        store = Shared.stores.path("copies")
        larder("import", source, "--into", store, "--class", "Copy", "--primary-key", "id", "--type", "id=int", "--type", "text=string", "--type", "number=int?")
        page = self.page(self.studio(store), fragment("grid", **{"class": "Copy"}, sort="id"))
        page.wait(CELL)
        self.assertEqual(list(csv.reader(io.StringIO(self.copied(page, "The 2 rows from here as CSV"), newline=""))),
                         [["id", "text", "number"], ["1", rows[0]["text"], "9007199254740993"], ["2", "", ""]])
        text = self.copied(page, "This row as Swift")
        self.assertIn('"text": "a \\"b\\",\\u{d}\\u{a}c"', text)
        self.assertIn('"number": 9007199254740993', text)
        self.assertTrue(text.startswith("Copy(value: ["))

    def copied(self, page, entry):
        page.run("""window.copied = new Promise((done) => {
          Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText: async (text) => done(text)}});
        }); 0""")
        self.click(page, "Copy")
        self.click(page, entry)
        return page.run("window.copied")

    def test_rows_stay_under_the_pointer_and_while_a_cell_is_edited(self):
        page = self.opened("grid", write=True, **{"class": "Country"}, sort="population:desc")
        first = page.wait(CELL)
        self.press(page, 500, 400, "mouseMoved", button="none")
        self.edit("AD", "population=9000000000")
        page.wait('document.querySelector(".fresh").innerText === "1 new"', "the number of commits")
        self.edit("AD", "population=9000000001")
        page.wait('document.querySelector(".fresh").innerText === "2 new"', "the number of commits")
        self.assertEqual(page.run(CELL), first)
        self.press(page, 5, 5, "mouseMoved", button="none")
        page.wait(f'{CELL} === "AD"', "the new order")
        page.run('document.querySelector("#grid").focus()')
        page.key("ArrowRight")
        page.key("e")
        page.wait('document.activeElement.classList.contains("edit")')
        self.edit("AE", "population=9000000002")
        page.wait('!document.querySelector(".fresh").hidden', "the mark of new versions")
        self.assertEqual(page.run(CELL), "AD")
        self.assertTrue(page.run('document.activeElement.classList.contains("edit")'))

    # Queries

    def test_more_of_a_query(self):
        predicate = 'name BEGINSWITH "P"'
        page = self.opened("grid", **{"class": "Country"}, q=predicate, sort="name:desc")
        page.wait(CELL)
        self.click(page, "More")
        self.click(page, "As a command line")
        line = shlex.split(page.wait('document.querySelector(".other code")?.innerText'))
        self.assertEqual(line[0], "larder")
        done = subprocess.run([TOOL, *line[1:], "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [json.loads(row)["name"] for row in done.stdout.splitlines()]
        self.assertEqual(names, [row["object"]["name"] for row in self.server.get("rows", **{"class": "Country", "q": predicate, "sort": "name:desc"})["rows"]])
        self.click(page, "More")
        self.click(page, "As Swift")
        page.wait('document.querySelector(".other code").innerText.startsWith("realm.objects")')
        self.assertEqual(page.text(".other code"), 'realm.objects(Country.self).filter("name BEGINSWITH \\"P\\"").sorted(byKeyPath: "name", ascending: false)')
        self.click(page, "More")
        self.click(page, "As JSON")
        page.wait('document.querySelector(".json-text")?.innerText.includes("Portugal")')
        self.click(page, "More")
        self.click(page, "Groups")
        page.wait('document.querySelector(".group")')
        self.click(page, "More")
        self.click(page, "Follow it in the feed")
        page.wait(f'document.querySelector(".pins .n")?.innerText === "{len(names)}"')

    def test_earlier_queries(self):
        page = self.opened("grid", **{"class": "Country"})
        page.wait(CELL)
        page.key("/")
        page.type("iso == 'PT'")
        page.key("Enter", ctrl=True)
        page.wait(f'{CELL} === "PT"')
        page.go(fragment("grid", **{"class": "City"}))
        page.wait('document.querySelector("form.query select").value === "City"')
        self.click(page, "History")
        self.click(page, "Country: iso == 'PT'")
        page.wait(f'{CELL} === "PT"')
        store = self.server.get("store")["storeID"]
        self.assertEqual([name for name in page.run("Object.keys(localStorage)") if store not in name], [])

    def test_an_object_has_its_history(self):
        page = self.opened("object", **{"class": "Country"}, key="PT")
        page.wait('document.querySelector(".history li")')
        version = self.edit("PT", "population=5")
        page.wait(f'document.querySelector(".history li").innerText === "version {version} modified: population"')

    # Feed

    def test_pause_counts_cards_and_keeps_them_back(self):
        page = self.opened("feed", pins=[{"class": "Country", "q": "iso == 'PT'", "sort": []}])
        page.wait('document.querySelector(".pins .n")?.innerText')
        self.click(page, "Pause")
        for number in (1, 2):
            self.edit("PT", f"population={number}")
            page.wait(f'document.querySelector("main .count").innerText === "Paused · {number} new"')
        self.assertEqual(page.run('document.querySelectorAll(".card").length'), 0)
        self.click(page, "Resume")
        page.wait('document.querySelectorAll(".card").length === 2')

    def test_eight_queries_are_followed(self):
        pins = [{"class": "Country", "q": f"population > {number}", "sort": []} for number in range(8)]
        page = self.opened("feed", pins=pins)
        page.wait('document.querySelectorAll(".pins li").length === 8')
        self.click(page, "Follow")
        page.wait('document.querySelector(".notice.error")?.innerText.includes("at most")')
        self.assertEqual(page.run('document.querySelectorAll(".pins li").length'), 8)

    # Plan, space, versions and schema

    def test_advice_and_what_an_estimate_was_off(self):
        predicate = 'population > 1000000 AND timezone == "Asia/Tokyo"'
        page = self.opened("plan", **{"class": "City"}, q=predicate)
        advice = self.server.get("advise", **{"class": "City", "q": predicate})["indexes"]
        self.assertTrue(advice)
        page.wait(f'document.querySelector(".advice code")?.innerText === {json.dumps(advice[0]["swift"])}')
        page.run("""window.fetch = ((real) => async (path, options) => {
          const answer = await real(path, options);
          if (!String(path).includes("explain")) return answer;
          const plan = JSON.parse(await answer.text());
          Object.assign(plan.steps, {estimated: 30, found: 3});
          return new Response(JSON.stringify(plan));
        })(window.fetch); 0""")
        page.run('document.querySelector("form.query .primary").click()')
        page.wait('document.querySelector("#plan tr.off")?.innerText.includes("10 times off")')
        self.assertNotEqual(page.run('getComputedStyle(document.querySelector("#plan tr.off td:nth-child(4)")).color'), page.run("getComputedStyle(document.body).color"))

    def test_boxes_open_classes_and_their_parts(self):
        page = self.opened("space")
        page.wait('document.querySelector(".treemap rect")')
        self.assertIn("free", page.text("main .count"))
        city = '[...document.querySelectorAll(".treemap g[role=link]")].find((one) => one.getAttribute("aria-label").startsWith("City,"))'
        page.run(f'{city}.dispatchEvent(new MouseEvent("click", {{bubbles: true, shiftKey: true}}))')
        page.wait('document.querySelector("h1").innerText === "Space of City"')
        page.run("history.back()")
        page.wait(city)
        page.run(f'{city}.dispatchEvent(new MouseEvent("click", {{bubbles: true}}))')
        page.wait(f'location.hash.includes("grid?class=City") && {CELL}')

    def test_two_versions_are_compared(self):
        page = self.opened("grid", **{"class": "Country"})
        version = self.edit("PT", "name=Lusitania")
        page.go(fragment("versions"))
        page.wait(f'document.querySelector("#commits tbody tr th")?.innerText === "{version}"')
        self.assertIn("Country ~1", page.text("#commits tbody tr"))
        for name, number in (("from", version - 1), ("to", version)):
            page.run(f'document.querySelector("input[name={name}][value=\\"{number}\\"]").click()')
        page.wait('document.querySelector("#diff")?.innerText.includes("Lusitania")', "the difference")
        page.wait('document.querySelector("#readers-title")')

    def test_the_schema_is_saved(self):
        page = self.opened("schema")
        page.wait('document.querySelector(".graph .box")')
        page.run("""window.saved = new Promise((done) => {
          const real = URL.createObjectURL;
          URL.createObjectURL = (blob) => { blob.text().then(done); return real.call(URL, blob); };
        }); 0""")
        self.click(page, "SVG")
        self.assertIn("Country", page.run("window.saved"))
        for name, text in (("Swift", "class Country"), ("Mermaid", "Country"), ("JSON", '"classes"')):
            self.click(page, name)
            page.wait(f'document.querySelector(".migration-place pre")?.innerText.includes({json.dumps(text)})', name)

    # Changes

    def test_a_text_of_several_lines(self):
        page = self.opened("object", write=True, **{"class": "Country"}, key="PT")
        self.edit("PT", "name=one\ntwo")
        page.wait('document.querySelector("tr[data-property=name] td").innerText.includes("two")')
        page.run('document.querySelector("tr[data-property=name]").focus()')
        page.key("e")
        page.wait('document.activeElement.tagName === "TEXTAREA"')
        page.run("document.activeElement.setSelectionRange(99, 99)")
        for kind in ("keyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", {"type": kind, "key": "Enter", "windowsVirtualKeyCode": 13, "modifiers": 8, **({"text": "\r"} if kind == "keyDown" else {})})
        page.type("three")
        self.assertEqual(page.run("document.activeElement.value"), "one\ntwo\nthree")
        page.key("Enter")
        page.wait('document.querySelector("tr[data-property=name] td.staged")')

    def test_theirs_are_taken(self):
        page = self.opened("object", write=True, **{"class": "Country"}, key="PT")
        page.wait('document.querySelector("#fields tr")')
        page.run('document.querySelector("tr[data-property=name]").focus()')
        page.key("e")
        page.wait('document.activeElement.classList.contains("edit")')
        page.type("Mine")
        page.key("Enter")
        page.wait('document.querySelector("tr[data-property=name] td.staged")')
        self.edit("PT", "name=Theirs")
        page.key("Enter", ctrl=True)
        self.click(page, "Take theirs")
        page.wait('document.querySelector("#top .primary").hidden')
        self.assertEqual(json.loads(larder("query", self.store, "Country", "iso == 'PT'", "--json"))["name"], "Theirs")

    # Keys

    def test_keys_lead_to_every_screen(self):
        page = self.opened("grid", **{"class": "Country"})
        page.wait(CELL)
        for key, screen in zip("fpsvmd", ("feed", "plan", "space", "versions", "schema", "grid")):
            page.key("g")
            page.key(key)
            page.wait(f'location.hash.startsWith("#/{screen}")', screen)
        page.wait(f'{CELL} && document.activeElement.id === "grid"')
        row = 'Number(document.querySelector("[aria-selected=true]")?.dataset.row)'
        page.key("PageDown")
        page.wait(f"{row} > 5")
        page.key("PageUp")
        page.wait(f"{row} === 0")
