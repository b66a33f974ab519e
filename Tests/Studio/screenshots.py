"""Pictures of the screens for docs/studio.md."""

import os
import time

from case import CELL, Shared, fragment
from studio import Studio, larder

PREDICATE = 'population > 1000000 AND timezone == "Asia/Tokyo"'


def screens():
    city = {"class": "City"}
    return [
        ("grid", fragment("grid", **city, sort="population:desc"), CELL, {}),
        ("grid-narrow", fragment("grid", **city, sort="population:desc"), CELL, {"width": 400, "dark": True}),
        ("object", fragment("object", **{"class": "Country"}, key="PT"), 'document.querySelector("#incoming details") && document.querySelector(".history")', {"height": 900}),
        ("query", fragment("grid", **city, q="population > 5 AND nam == 'Tokyo'"), 'document.querySelector(".suggestion")', {}),
        ("groups", fragment("grid", **city, **{"as": "groups"}, by="timezone"), 'document.querySelector(".group")', {}),
        ("plan", fragment("plan", **city, q=PREDICATE, sort="name"), 'document.querySelector("#plan tbody tr")', {}),
        ("feed", fragment("feed", pins=[{"class": "Country", "q": "population > 50000000", "sort": ["population:desc"]}]), 'document.querySelector(".pins .n")?.innerText', {}),
        ("space", fragment("space"), 'document.querySelector(".treemap rect")', {}),
        ("versions", fragment("versions"), 'document.querySelector("#commits tbody tr")', {}),
        ("schema", fragment("schema"), 'document.querySelector(".graph .box")', {"dark": True}),
    ]


def missed(studio, store, page):
    """Commits that the page was not connected for."""
    studio.kill()
    page.wait('document.querySelector(".offline").innerText')
    for number in (71000000, 49000000):
        larder("edit", store, "Country", "FR", "--set", f"population={number}", "--write")
    larder("edit", store, "Country", "PT", "--set", "population=52000000", "--write")
    studio.start()
    page.wait('document.querySelector("#cards").innerText.includes("not connected")', "the card of what was missed")
    larder("edit", store, "Country", "ES", "--set", "population=53000000", "--write")
    page.wait('document.querySelector(".card").innerText.includes("Version ") && !document.querySelector(".card").innerText.includes("not connected")')


def make(folder):
    os.makedirs(folder, exist_ok=True)
    Shared.begin()
    store = Shared.stores.copy("world")
    studio = Studio(store)
    try:
        for name, where, there, options in screens():
            page = Shared.page(**{"height": 600, **options})
            page.open(studio.url)
            page.wait('document.querySelector("#rail a")')
            page.go(where)
            page.wait(there)
            if name == "feed":
                larder("edit", store, "Country", "FR", "--set", "population=70000000", "--write")
                larder("edit", store, "Country", "PT", "--set", "population=51000000", "--write")
                page.wait('document.querySelectorAll(".card").length > 0')
                time.sleep(0.5)
                missed(studio, store, page)
            if name == "versions":
                newest = studio.get("store")["version"]
                page.go(fragment("versions", **{"from": str(newest - 1), "to": str(newest)}))
                page.wait('document.querySelector("#diff")')
            time.sleep(0.2)
            page.picture(os.path.join(folder, f"{name}.png"))
            page.close()
    finally:
        studio.stop()
    print(f"{len(screens())} pictures in {folder}")
