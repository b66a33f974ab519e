"""A browser without a window, driven over two pipes (descriptors 3 and 4) by the messages of its developer tools."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


class BrowserMissing(Exception):
    """There is no Chromium on this machine."""


class PageError(AssertionError):
    """What the page should show did not come."""


def program():
    chosen = os.environ.get("LARDER_CHROMIUM")
    found = chosen or next((path for path in map(shutil.which, NAMES) if path), None)
    if not found:
        raise BrowserMissing("there is no chromium; `make setup-studio` installs it, or LARDER_CHROMIUM names one")
    return found


class Browser:
    def __init__(self):
        path = program()
        self.profile = tempfile.mkdtemp(prefix="larder-browser-")
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run", "--disable-gpu",
                 "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "about:blank"]

        def pipes():
            # Above 4 first: one of the four may be 3 or 4 itself.
            high_in, high_out = os.dup2(to_child, 100), os.dup2(from_child, 101)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen([path, *flags], preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.answers, self.pages, self.number = {}, {}, 0
        self.arrived = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest = b""
        while True:
            try:
                data = os.read(self.into, 1 << 20)
            except OSError:
                return
            if not data:
                return
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                self.take(json.loads(message))

    def take(self, message):
        with self.arrived:
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].heard(message["method"], message["params"])
            self.arrived.notify_all()

    def call(self, method, params=None, session=None, timeout=30):
        with self.arrived:
            self.number += 1
            number = self.number
        message = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, timeout):
                raise PageError(f"the browser did not answer {method} within {timeout} s")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise PageError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self, width=1024, height=768, dark=False):
        return Page(self, width, height, dark)

    def close(self):
        try:
            self.call("Browser.close", timeout=5)
        except (PageError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        shutil.rmtree(self.profile, ignore_errors=True)


KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "Home": (36, ""), "End": (35, ""), "ArrowDown": (40, ""), "ArrowUp": (38, ""),
        "ArrowLeft": (37, ""), "ArrowRight": (39, ""), "PageDown": (34, ""), "PageUp": (33, "")}


class Page:
    def __init__(self, browser, width, height, dark):
        self.browser = browser
        # A context of its own: tabs share neither cookies nor storage.
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        self.target = browser.call("Target.createTarget", {"url": "about:blank", "browserContextId": self.context})["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        self.errors, self.requests = [], []
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        self.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def heard(self, method, params):
        if method == "Runtime.exceptionThrown":
            detail = params["exceptionDetails"]
            self.errors.append(detail.get("exception", {}).get("description") or detail["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, params=None, timeout=30):
        return self.browser.call(method, params, self.session, timeout)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, url):
        self.call("Page.navigate", {"url": url})

    def run(self, expression):
        answer = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True, "userGesture": True})
        if "exceptionDetails" in answer:
            detail = answer["exceptionDetails"]
            raise PageError(f"{expression[:120]}: {detail.get('exception', {}).get('description', detail['text'])}")
        return answer["result"].get("value")

    def wait(self, expression, what=None, timeout=20):
        """Until an expression is true; what it is then."""
        end = time.monotonic() + timeout
        while True:
            try:
                # An element has no value of its own outside the page.
                value = self.run(f"((found) => found instanceof Node ? true : found)({expression})")
            except PageError:
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise PageError(f"{what or expression} did not come within {timeout} s; the page shows: {self.run('document.body.innerText')[:600]}")
            time.sleep(0.02)

    def go(self, fragment):
        self.run(f"location.hash = {json.dumps(fragment)}")

    def text(self, selector="body"):
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def key(self, name, ctrl=False):
        code, text = KEYS.get(name, (ord(name.upper()) if len(name) == 1 else 0, name))
        event = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 2 if ctrl else 0}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **event, **({"text": text} if text and not ctrl else {})})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def type(self, text):
        self.call("Input.insertText", {"text": text})

    def picture(self, path):
        answer = self.call("Page.captureScreenshot", {"format": "png"})
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def close(self):
        """Closes the tab, if it is open."""
        if self.browser.pages.pop(self.session, None) is None:
            return
        self.browser.call("Target.closeTarget", {"targetId": self.target})
        self.browser.call("Target.disposeBrowserContext", {"browserContextId": self.context})
