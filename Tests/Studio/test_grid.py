"""A grid of 336,776 rows: few elements, any place at once, and the order of the tool."""

import time

from case import CELL, Shared, StudioTest, fragment
from studio import lines

ROWS = 336_776


class GridTest(StudioTest):
    def row(self, page, index):
        return page.wait(f'document.querySelector("[data-row=\\"{index}\\"] [role=gridcell]")?.innerText', f"row {index}")

    def test_first_window_end_and_home(self):
        store = Shared.stores.get("many")
        page = self.page(self.studio(store))
        begun = time.monotonic()
        page.go(fragment("grid", **{"class": "Flight"}, sort="delay"))
        self.row(page, 0)
        self.figure(f"first window of {ROWS} rows", (time.monotonic() - begun) * 1000, 200, "ms")
        page.wait('document.activeElement.id === "grid"')
        for key, index in (("End", ROWS - 1), ("Home", 0), ("End", ROWS - 1)):
            begun = time.monotonic()
            page.key(key)
            self.row(page, index)
            self.figure(f"{key} of {ROWS} rows", (time.monotonic() - begun) * 1000, 200, "ms")
            self.assertLessEqual(page.run('document.querySelectorAll("*").length'), 2000)

    def test_the_order_is_that_of_the_tool(self):
        store = Shared.stores.get("many")
        page = self.page(self.studio(store), fragment("grid", **{"class": "Flight"}, sort="delay"))
        self.row(page, 0)
        box = 'document.getElementById("grid")'
        for part in (0, 0.25, 0.5, 0.9, 1):
            page.run(f"{box}.scrollTop = {part} * ({box}.scrollHeight - {box}.clientHeight)")
            time.sleep(0.1)
            shown = page.wait('(() => { const rows = [...document.querySelectorAll(".row")].map((row) => [Number(row.dataset.row), row.firstChild.innerText]); '
                              "return rows.length && rows.every((row) => row[1]) ? rows : null; })()")
            first = shown[0][0]
            expected = lines("query", store, "Flight", "--sort", "delay", "--offset", first, "--limit", len(shown), "--json")
            self.assertEqual([int(text) for _, text in shown], [row["id"] for row in expected], f"from row {first}")

    def test_windows_follow_each_other_without_a_gap(self):
        store = Shared.stores.get("world")
        studio = self.studio(store)
        keys, after = [], None
        while True:
            answer = studio.get("rows", **{"class": "Country", "sort": "name", "limit": 50}, **({"after": after} if after else {}))
            keys += [row["primaryKey"] for row in answer["rows"]]
            after = answer["next"]
            if not after:
                break
        self.assertEqual(keys, [row["iso"] for row in lines("query", store, "Country", "--sort", "name", "--json")])

    def test_roles_say_what_is_shown(self):
        page = self.page(self.studio(Shared.stores.get("world")), fragment("grid", **{"class": "City"}, sort="name"))
        page.wait(CELL)
        self.assertEqual(page.run('document.querySelector("[role=grid]").getAttribute("aria-rowcount")'), "34007")
        self.assertEqual(page.run('document.querySelector("[aria-sort=ascending]").innerText.split(" ")[0]'), "name")
        self.assertTrue(page.run('document.getElementById(document.querySelector("[role=grid]").getAttribute("aria-activedescendant")) !== null'))
