"""The pictures of docs/pictures are as docs/pictures/make.py draws them now."""

import importlib.util
import os

from house.sources import breach

FOLDER = "docs/pictures"


def check(sources):
    path = os.path.join(sources.root, FOLDER, "make.py")
    specification = importlib.util.spec_from_file_location("pictures_make", path)
    make = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(make)
    text = f"not as it would be drawn; python3 {FOLDER}/make.py draws it again"
    return [breach(f"{FOLDER}/{name}", 1, text) for name in make.outdated()]
