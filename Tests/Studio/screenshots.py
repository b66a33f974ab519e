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
