"""A question ends when its answer is not wanted: another one is asked, another screen is opened, or the tab closes."""

import socket
import struct
import time
import urllib.parse

from case import CELL, Shared, StudioTest, fragment
from studio import until

# Looked at in every row of many, for much longer than the tests wait.
SLOW = " OR ".join(f'lowercase(carrier) ENDSWITH[cd] "x{number}"' for number in range(64))


class CancelTest(StudioTest):
    def setUp(self):
        self.server = self.studio(Shared.stores.get("many"))

    def works(self):
        before = self.server.worked()
        time.sleep(0.5)
        # Other programs may have most of the processors.
        return self.server.worked() - before > 0.1

    def asked(self):
        page = self.page(self.server)
        page.wait(CELL)
        page.go(fragment("grid", **{"class": "Flight"}, q=SLOW))
        until(self.works, "the work on a slow question")
        return page

    def test_another_question(self):
        page = self.asked()
        page.go(fragment("grid", **{"class": "Flight"}, q="id < 3"))
        page.wait(f'{CELL} === "0"', "the rows of the other question", 6)
        until(lambda: not self.works(), "the end of the work", 6)
        self.assertEqual(page.errors, [])

    def test_another_screen(self):
        page = self.asked()
        page.go(fragment("versions"))
        page.wait('document.querySelector("#commits tbody tr")')
        until(lambda: not self.works(), "the end of the work", 6)
        self.assert_quiet(page, self.server)

    def test_closed_tab(self):
        page = self.asked()
        page.close()
        until(lambda: not self.works(), "the end of the work", 6)

    def test_closed_connection(self):
        for is_reset in (False, True):
            with self.subTest(is_reset=is_reset), socket.create_connection(("127.0.0.1", self.server.port)) as client:
                path = "/api/count?" + urllib.parse.urlencode({"class": "Flight", "q": SLOW})
                head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nX-Larder-Token: {self.server.token}\r\n\r\n"
                client.sendall(head.encode())
                until(self.works, "the work on a slow question")
                if is_reset:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
                until(lambda: not self.works(), "the end of the work", 6)

    def test_only_the_page_cancels(self):
        status, _, _ = self.server.request("/api/cancel", {"ids": ["a"]}, X_Larder_Token="0" * 32)
        self.assertEqual(status, 403)
        self.assertEqual(self.server.post("cancel", {"ids": ["a"]}), (200, {"cancelled": 0}))
        self.assertEqual(self.server.post("cancel", {"ids": "a"})[0], 400)
