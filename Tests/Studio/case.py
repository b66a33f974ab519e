"""What the tests of the web inspector share: one browser, one folder of stores, and how long things took."""

import json
import os
import unittest
import urllib.parse

from browser import Browser, BrowserMissing
from studio import Stores, Studio


class Shared:
    browser = None
    stores = None
    figures = []
    # Limits of time are only checked when asked for: a busy machine is no fault of the program.
    timed = bool(os.environ.get("LARDER_TIMED"))

    @classmethod
    def begin(cls):
        cls.stores = cls.stores or Stores()

    @classmethod
    def page(cls, **options):
        """A page of the browser, which is begun with the first. Without one the test is left out, and says what is missing."""
        try:
            cls.browser = cls.browser or Browser()
        except BrowserMissing as error:
            raise unittest.SkipTest(str(error)) from None
        return cls.browser.page(**options)

    @classmethod
    def end(cls):
        if cls.browser:
            cls.browser.close()
        if cls.stores:
            cls.stores.close()


CELL = 'document.querySelector("[role=gridcell]")?.innerText'


def fragment(screen, **params):
    query = urllib.parse.urlencode({name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()})
    return f"#/{screen}?{query}" if query else f"#/{screen}"


class StudioTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Shared.begin()

    def studio(self, store, write=False, flags=()):
        studio = Studio(store, write, flags)
        self.addCleanup(studio.stop)
        return studio

    def page(self, studio, where=None, **options):
        page = Shared.page(**options)
        self.addCleanup(page.close)
        page.open(studio.url)
        page.wait('document.querySelector("#rail a")', "the rail")
        if where:
            page.go(where)
        return page

    def figure(self, what, value, limit, unit):
        Shared.figures.append(f"{what}: {value:.0f} {unit} (limit {limit} {unit})")
        if Shared.timed:
            self.assertLessEqual(value, limit, what)

    def figure_of_least(self, what, value, limit):
        Shared.figures.append(f"{what}: {value:.0f} (at least {limit})")
        if Shared.timed:
            self.assertGreaterEqual(value, limit, what)

    def assert_quiet(self, page, studio, expected=()):
        """No error in the console, and no request to another host."""
        self.assertEqual([error for error in page.errors if not any(text in error for text in expected)], [])
        home = f"http://127.0.0.1:{studio.port}/"
        foreign = [url for url in page.requests if not url.startswith((home, "about:", "data:"))]
        self.assertEqual(foreign, [])
