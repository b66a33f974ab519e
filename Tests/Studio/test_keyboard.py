"""Everything by the keyboard alone: from the classes to a query, an object, its links, and back."""

from case import CELL, Shared, StudioTest
from test_screens import STORES, screens

NAMELESS = """[...document.querySelectorAll("button, a, input, select, [role=link], [role=grid]")].filter((one) => one.checkVisibility()
  && !(one.innerText || one.getAttribute("aria-label") || one.closest("label"))).map((one) => one.outerHTML.slice(0, 100))"""

# Texts whose contrast with what is under them is less than 4.5.
FAINT = """(() => {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => color.slice(0, 3).map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const under = (node) => {
    for (; node; node = node.parentElement) {
      const color = parse(getComputedStyle(node).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const contrast = (node) => {
    const [high, low] = [light(parse(getComputedStyle(node).color)), light(under(node))].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  return [...document.querySelectorAll("header *, nav *, main *")]
    .filter((one) => !one.closest(".under, svg") && one.checkVisibility() && [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
    .map((one) => [`${one.className} ${one.innerText.slice(0, 20)}`, contrast(one)]).filter(([, value]) => value < 4.5);
})()"""


class KeyboardTest(StudioTest):
    def test_a_walk_by_keyboard(self):
        studio = self.studio(Shared.stores.get("world"))
        page = self.page(studio)
        page.wait(CELL)
        page.key("g")
        page.key("c")
        page.wait('document.activeElement.closest("#rail")', "the focus in the rail")
        while page.run("document.activeElement.innerText.split(/\\s/)[0]") != "City":
            page.key("Tab")
        page.key("Enter")
        page.wait('document.querySelector(".count").innerText.startsWith("34,006") && document.activeElement.id === "grid"')
        page.key("/")
        page.wait('document.activeElement.id === "query"')
        page.type("country.na")
        page.wait('!document.querySelector("#completions").hidden')
        page.key("Tab")
        self.assertEqual(page.run('document.querySelector("#query").value'), "country.name")
        page.type(' == "Japan"')
        page.key("Enter", ctrl=True)
        page.wait('document.querySelector(".count").innerText.startsWith("1,300 ")')
        page.key("Escape")
        page.wait('document.activeElement.id === "grid"')
        page.key("ArrowRight")
        page.key("s")
        # Not the rows of the order before, which are shown until the new ones are there.
        page.wait('location.hash.includes("sort=name") && document.activeElement.id === "grid"')
        page.wait('document.querySelector("[aria-sort=ascending]") && !document.querySelector(".count").innerText.startsWith("…")')
        page.wait(CELL)
        page.key("j")
        page.key("j")
        page.key("k")
        page.wait('document.querySelector("[aria-selected=true]").dataset.row === "1"')
        page.key("Enter")
        page.wait('document.querySelector("#incoming") && !document.querySelector("#incoming").innerText.includes("…")')
        page.key("b")
        page.wait('document.activeElement.id === "incoming"')
        page.key("Escape")
        page.wait(CELL)
        page.key("p")
        page.wait('document.querySelector("#plan tbody tr")')
        page.key("Escape")
        page.wait(f'{CELL} && document.activeElement.id === "grid"')
        page.key("f")
        page.wait('document.activeElement.classList.contains("group")')
        page.key("Enter")
        page.wait('location.hash.includes("AND")')
        page.wait(CELL)
        page.key("?")
        page.wait('document.querySelector("dialog[open]")')
        page.key("Escape")
        page.wait('!document.querySelector("dialog")')
        self.assertEqual(page.text(".live").strip("● "), "Live")
        page.key("l")
        page.wait('document.querySelector(".live").getAttribute("aria-pressed") === "false"')
        self.assert_quiet(page, studio)

    def test_a_link_is_followed(self):
        page = self.page(self.studio(Shared.stores.get("world")), "#/grid?class=Country")
        page.wait(f'{CELL} === "AD" && document.activeElement.id === "grid"')
        for _ in range(7):
            page.key("ArrowRight")
        page.key("o")
        page.wait('location.hash.includes("object?class=Continent")')

    def test_a_link_is_sorted_and_grouped_by_the_key_of_its_object(self):
        page = self.page(self.studio(Shared.stores.get("world")), "#/grid?class=City")
        page.wait(f'{CELL} && document.activeElement.id === "grid"')
        while page.run('document.querySelector("[role=gridcell].here").previousElementSibling === null || !document.querySelector("[role=gridcell].here a")'):
            page.key("ArrowRight")
        link = 'document.querySelector("[role=gridcell].here a")?.innerText'
        page.key("s")
        page.wait('location.hash.includes("sort=country.iso") && document.querySelector("[aria-sort=ascending]")')
        page.wait(f'{link} === "AD"')
        page.key("s")
        page.wait(f'{link} === "ZW"')
        page.key("f")
        page.wait('document.querySelector("#groups .group")?.innerText === "IN"')
        page.key("Enter")
        page.wait(f'location.hash.includes("country.iso+%3D%3D") && {link} === "IN"')

    def test_a_column_is_kept_at_the_left(self):
        page = self.page(self.studio(Shared.stores.get("world")), "#/grid?class=City")
        page.wait(f'{CELL} && document.activeElement.id === "grid"')
        page.key("ArrowRight")
        page.run('[...document.querySelectorAll(".bar button")].find((one) => one.innerText === "Columns").focus()')
        page.key("Enter")
        page.wait('document.activeElement.innerText === "Menu of name"')
        page.key("Enter")
        page.wait('document.activeElement.innerText === "Sort ascending"')
        while page.run("document.activeElement.innerText") != "Keep at the left":
            page.key("ArrowDown")
        page.key("Enter")
        page.wait('document.querySelector(".head-row .pinned")?.innerText.startsWith("name")')

    def test_everything_has_a_name(self):
        """Buttons, links and fields have a name that a screen reader says, and texts stand out from what is under them."""
        studio = self.studio(Shared.stores.get("world"))
        for dark in (False, True):
            page = self.page(studio, dark=dark)
            for name, (where, there) in screens(*STORES["world"]).items():
                page.go(where)
                page.wait(there, name)
                with self.subTest(screen=name, dark=dark):
                    self.assertEqual(page.run(NAMELESS), [])
                    self.assertEqual(page.run(FAINT), [])
