"""Who has not the token gets nothing, and nothing is written that was not asked for with --write."""

import http.client
import http.server
import json
import socket
import threading

from case import CELL, Shared, StudioTest, fragment
from studio import Studio, until

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

    def test_parameters_that_cannot_be_decoded_are_refused(self):
        studio = self.studio(self.store, write=True)
        change = {"base": 3, "changes": [{"class": "Country", "key": "PT", "set": {"name": "x"}}]}
        for dry in ("%ff", "%zz", "true", ""):
            self.assertEqual(studio.request(f"/api/edit?dry={dry}", change)[0], 400, dry)
        self.assertEqual(studio.request("/api/edit?dry", change)[0], 400)
        for query in ("q=population==1%", "q=%ff", "limit=%zz", "sort=%ff"):
            self.assertEqual(studio.request(f"/api/rows?class=Country&{query}")[0], 400, query)
        self.assertEqual(studio.request("/api/object/Country/%ff")[0], 400)
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
        self.assertIsNone(studio.request("/api/store")[1]["Set-Cookie"])

    def test_F171_another_port_learns_nothing(self):
        """A browser gives cookies to every port of a computer: a page that was open before sends none to another server."""
        heard = []

        class Other(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                heard.append(str(self.headers))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", "7")
                self.end_headers()
                self.wfile.write(b"<p>here")

            def log_message(self, *arguments):
                pass

        # Browsers open connections before they need them, and each has to be answered.
        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
        other.daemon_threads = True
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        studio = self.studio(self.store)
        page = self.page(studio)
        page.wait('document.querySelector("[role=gridcell]") && !document.querySelector(".offline").innerText')
        page.open(f"http://127.0.0.1:{other.server_port}/")
        page.wait('document.body?.innerText === "here"')
        page.open(f"http://127.0.0.1:{other.server_port}/api/events")
        until(lambda: len(heard) >= 2, "the requests to the other server")
        self.assertNotIn(studio.token, "".join(heard))
        self.assertNotIn("Cookie", "".join(heard))

    def test_F170_long_heads_cost_nothing(self):
        """Heads of megabytes are refused without work, and other requests are answered meanwhile."""
        studio = self.studio(self.store)
        clients = []
        for number in range(6):
            client = socket.create_connection(("127.0.0.1", studio.port), timeout=30)
            self.addCleanup(client.close)
            line = "GET /" if number % 2 else "GET / HTTP/1.1\r\nX: "
            client.sendall((line + "a" * 4_000_000 + "\r\n\r\n").encode())
            clients.append(client)
        self.assertEqual(studio.request("/api/store")[0], 200)
        for number, client in enumerate(clients):
            self.assertIn(b" 414 " if number % 2 else b" 431 ", client.recv(100), number)
        self.assertLess(studio.worked(), 5)

    def test_F170_a_long_predicate_is_asked_by_the_page(self):
        studio = self.studio(self.store)
        page = self.page(studio)
        predicate = " OR ".join(f'iso == "X{number}"' for number in range(2500)) + ' OR iso == "PT"'
        page.go(fragment("grid", **{"class": "Country"}, q=predicate))
        page.wait(f'{CELL} === "PT"', "the row", 20)
        page.go(fragment("feed", pins=[{"class": "Country", "q": predicate, "sort": []}]))
        page.wait('document.querySelector(".pins .n")?.innerText === "1"', "the number of the feed", 20)
        self.assert_quiet(page, studio)

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
