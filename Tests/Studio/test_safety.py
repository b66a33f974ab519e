"""Who has not the token gets nothing, and nothing is written that was not asked for with --write."""

import http.client
import json

from case import Shared, StudioTest
from studio import Studio

READS = ["store", "classes", "rows?class=Country", "object/Country/PT", "space", "versions", "readers", "schema?format=json"]


class SafetyTest(StudioTest):
    def setUp(self):
        self.store = Shared.stores.copy("world")
        with open(self.store, "rb") as file:
            self.before = file.read()

    def assert_unchanged(self):
        with open(self.store, "rb") as file:
            self.assertEqual(file.read(), self.before)

    def test_no_token_and_a_wrong_one(self):
        studio = self.studio(self.store, write=True)
        for path in READS:
            for token in (None, "0" * 32, studio.token[:-1], studio.token + "0", ""):
                status, _, body = studio.request(f"/api/{path}", X_Larder_Token=token)
                self.assertEqual(status, 403, f"{path} {token}")
                self.assertNotIn(b"Portugal", body)
        status, _, _ = studio.request("/api/edit", {"base": 3, "changes": []}, X_Larder_Token=None)
        self.assertEqual(status, 403)
        self.assertEqual(studio.request("/api/events?topics=[]", X_Larder_Token=None)[0], 403)
        self.assert_unchanged()

    def test_foreign_hosts_and_origins(self):
        studio = self.studio(self.store, write=True)
        for host in ("evil.example", f"evil.example:{studio.port}", "127.0.0.1.evil.example", f"127.0.0.1:{studio.port}.evil.example"):
            self.assertEqual(studio.request("/api/store", Host=host)[0], 403, host)
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{studio.port}", "http://127.0.0.1:1"):
            self.assertEqual(studio.request("/api/store", Origin=origin)[0], 403, origin)
            self.assertEqual(studio.request("/api/edit", {"base": 3, "changes": [{"class": "Country", "key": "PT", "delete": True}]}, Origin=origin)[0], 403, origin)
        self.assertEqual(studio.request("/api/store", Origin=f"http://127.0.0.1:{studio.port}")[0], 200)
        self.assert_unchanged()

    def test_get_never_writes(self):
        studio = self.studio(self.store, write=True)
        for path in ("edit", "undo", "edit?dry=1", "migration-preview"):
            self.assertIn(studio.request(f"/api/{path}", method="GET")[0], (403, 404, 405), path)
        self.assert_unchanged()

    def test_without_write_nothing_is_written(self):
        studio = self.studio(self.store)
        change = {"base": 3, "changes": [{"class": "Country", "key": "PT", "set": {"name": "x"}}]}
        self.assertEqual(studio.request("/api/edit", change)[0], 403)
        self.assertEqual(studio.request("/api/undo", {})[0], 403)
        self.assert_unchanged()

    def test_large_bodies_are_refused(self):
        studio = self.studio(self.store, write=True)
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=10)
        self.addCleanup(connection.close)
        for size in (1_000_001, 2_000_000, 20_000_000):
            connection.request("POST", "/api/edit", body=b"x" * size, headers={"X-Larder-Token": studio.token})
            answer = connection.getresponse()
            self.assertEqual(answer.status, 413, size)
            self.assertIn(b"tooLong", answer.read())
        self.assertEqual(studio.request("/api/store")[0], 200)
        self.assert_unchanged()

    def test_headers_of_the_page(self):
        studio = self.studio(self.store)
        status, headers, body = studio.request("/", X_Larder_Token=None)
        self.assertEqual(status, 200)
        self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
        self.assertIsNone(headers["Access-Control-Allow-Origin"])
        self.assertNotIn(studio.token.encode(), body)
        cookie = studio.request("/api/store")[1]["Set-Cookie"]
        self.assertIn("SameSite=Strict", cookie)
        self.assertIn("HttpOnly", cookie)

    def test_paths_that_lead_out(self):
        studio = self.studio(self.store)
        for path in ("/../Package.swift", "/%2e%2e/Package.swift", "/..%2fPackage.swift", "//etc/passwd", "/index.html/../../x"):
            self.assertIn(studio.request(path, X_Larder_Token=None)[0], (400, 403, 404), path)

    def test_the_page_takes_the_token_out_of_its_URL(self):
        studio = self.studio(self.store)
        page = self.page(studio)
        page.wait('document.querySelector("[role=gridcell]")')
        self.assertNotIn(studio.token, page.run("location.href"))
        self.assertEqual([url for url in page.requests if studio.token in url and "#" not in url], [])
        stranger = Shared.page()
        self.addCleanup(stranger.close)
        stranger.open(f"http://127.0.0.1:{studio.port}/")
        stranger.wait('document.body.innerText.includes("This page has no token")')

    def test_the_token_is_random(self):
        studio = self.studio(self.store)
        self.assertRegex(studio.token, "^[0-9a-f]{32}$")
        self.assertIsInstance(studio, Studio)
        self.assertEqual(json.loads(studio.request("/api/store")[2])["writable"], False)
