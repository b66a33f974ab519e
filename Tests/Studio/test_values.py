"""Values that would do harm, or change, in a page of less care: they are text, and copies have every bit."""

import json
import os

from case import CELL, Shared, StudioTest, fragment
from studio import larder

LONG = "Zß東\U0001f980" * 262_144

VALUES = [
    {"id": 0, "text": "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"},
    {"id": 1, "text": "abc\u202edef\u2066ghi\u200f"},
    {"id": 2, "text": "\u001b[31mred\u0007\u0000\u007f\r\n\tend"},
    {"id": 3, "text": LONG},
    {"id": 4, "text": "", "number": 9223372036854775807, "real": -0.0},
    {"id": 5, "text": "null", "number": -9223372036854775808, "real": 1e308, "date": "9999-12-31T23:59:59.999Z"},
    {"id": 6, "text": "nil", "number": 9007199254740993, "real": 5e-324, "any": {"a": [1, {"b": ["x", None, True, {"c": -1}]}], "<b>": "<i>"}},
    {"id": 7, "text": None, "number": None, "real": None, "any": "<a href=javascript:alert(1)>x</a>"},
]


class ValuesTest(StudioTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = Shared.stores.path("values")
        if os.path.exists(cls.store):
            return
        source = os.path.join(Shared.stores.folder, "values.jsonl")
        with open(source, "w") as file:
            for value in VALUES:
                file.write(json.dumps(value) + "\n")
        larder("import", source, "--into", cls.store, "--class", "Value", "--primary-key", "id", "--type", "id=int", "--type", "text=string?",
               "--type", "number=int?", "--type", "real=double?", "--type", "date=date?")
        larder("edit", cls.store, "Value", "7", "--set", "real=nan", "--write")

    def opened(self, where=None):
        studio = self.studio(self.store)
        page = self.page(studio, where or fragment("grid", **{"class": "Value"}, widths="text:500"))
        page.wait(CELL)
        return studio, page

    def cell(self, page, row, column):
        return page.run(f'document.querySelector("[data-row=\\"{row}\\"] [data-column=\\"{column}\\"]").innerText')

    def test_markup_is_text(self):
        studio, page = self.opened()
        self.assertIn("<img src=x onerror=", self.cell(page, 0, 1))
        self.assertEqual(page.run('document.querySelectorAll("main img, main script").length'), 0)
        self.assertNotEqual(page.run("document.title"), "taken")
        self.assert_quiet(page, studio)

    def test_hidden_characters_are_marks(self):
        _, page = self.opened()
        self.assertEqual(self.cell(page, 1, 1), "abc\\u{202e}def\\u{2066}ghi\\u{200f}")
        self.assertEqual(self.cell(page, 2, 1), "␛[31mred␇␀␡␍␊␉end")
        self.assertNotIn("\u202e", page.run("document.body.textContent"))

    def test_nil_empty_and_their_names_differ(self):
        _, page = self.opened()
        looks = [page.run(f'document.querySelector("[data-row=\\"{row}\\"] [data-column=\\"1\\"]").firstChild.className + ":" + '
                          f'document.querySelector("[data-row=\\"{row}\\"] [data-column=\\"1\\"]").innerText') for row in (4, 5, 6, 7)]
        self.assertEqual(looks, ["nil:empty text", "text:null", "text:nil", "nil:nil"])

    def test_numbers_are_exact(self):
        _, page = self.opened()
        names = [one["name"] for one in json.loads(larder("classes", self.store, "Value", "--json"))[0]["properties"]]
        number, real = names.index("number"), names.index("real")
        self.assertEqual([self.cell(page, row, number) for row in (4, 5, 6)], ["9223372036854775807", "-9223372036854775808", "9007199254740993"])
        self.assertEqual([self.cell(page, row, real) for row in (4, 7)], ["-0", "nan"])

    def copied(self, page, row):
        """What the grid's copy of a row as JSON gives to the clipboard."""
        page.run("""window.copied = new Promise((done) => {
          Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText: async (text) => done(text)}});
        }); 0""")
        page.run('document.getElementById("grid").focus()')
        page.key("Home", ctrl=True)
        for _ in range(row):
            page.key("j")
        page.run('[...document.querySelectorAll("button")].find((one) => one.innerText === "Copy").click()')
        page.run('[...document.querySelectorAll("[role=menuitem]")].find((one) => one.innerText === "This row as JSON").click()')
        return page.run("window.copied")

    def test_copies_have_every_bit(self):
        _, page = self.opened()
        rows = larder("query", self.store, "Value", "--json").splitlines()
        for row, expected in enumerate(rows):
            self.assertEqual(json.loads(self.copied(page, row)), json.loads(expected), f"row {row}")

    def test_a_long_text_is_not_all_in_the_grid(self):
        _, page = self.opened()
        self.assertLess(len(page.text("#grid")), 20_000)
        page.go(fragment("object", **{"class": "Value"}, key="3"))
        page.wait('document.querySelector("#fields")')
        self.assertLess(page.run("document.body.textContent.length"), 60_000)
