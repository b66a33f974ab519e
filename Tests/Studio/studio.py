"""The tool with its web inspector, and stores to look at, made by the tool from the fixtures."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.environ.get("LARDER_TOOL") or os.path.join(ROOT, ".build", "debug", "larder")
# A program of the package that commits, built with the tests.
COMMITTER = os.environ.get("LARDER_COMMITTER") or os.path.join(ROOT, ".build", "debug", "CommitLatency")
FIXTURES = os.path.join(ROOT, "Fixtures")
# A name of a class as long as a screen is wide.
LONG = "Class" + "WithALongName" * 13


def larder(*arguments, into=None, accepted=(0, 1)):
    """Runs the tool; what it prints."""
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, input=into)
    if done.returncode not in accepted:
        raise AssertionError(f"larder {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def lines(*arguments):
    return [json.loads(line) for line in larder(*arguments).splitlines()]


class Stores:
    """A folder of stores. Those of the fixtures are made once; a test that writes takes a copy."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="larder-studio-")
        self.made = {}

    def path(self, name):
        return os.path.join(self.folder, f"{name}.larder")

    def get(self, name):
        if name not in self.made:
            self.made[name] = getattr(self, f"make_{name}")(self.path(name))
        return self.made[name]

    def copy(self, name, number=[0]):
        number[0] += 1
        target = self.path(f"{name}-{number[0]}")
        shutil.copy(self.get(name), target)
        return target

    def make_world(self, path):
        for file, mapping in (("continents.jsonl", "continents"), ("countries.jsonl", "countries"), ("cities15000.jsonl.gz", "cities")):
            self.take(path, "geonames", file, mapping)
        return path

    def make_flights(self, path):
        for file, mapping in (("airlines.csv", "airlines"), ("airports.csv", "airports"), ("planes.csv", "planes"), ("flights-january.csv.gz", "flights")):
            self.take(path, "nycflights13", file, mapping)
        return path

    def take(self, path, folder, file, mapping):
        larder("import", os.path.join(FIXTURES, folder, file), "--into", path, "--mapping", os.path.join(FIXTURES, folder, f"{mapping}.map.json"), "--write")

    def make_format1(self, path):
        shutil.copy(os.path.join(FIXTURES, "format", "format-1.larder"), path)
        return path

    def make_many(self, path):
        """As many rows as a year of flights has."""
        source = os.path.join(self.folder, "many.csv")
        with open(source, "w") as file:
            file.write("id,carrier,delay,distance\n")
            for number in range(336_776):
                file.write(f"{number},C{number * 7919 % 16},{number * 104729 % 1301 - 43},{number * 31 % 4983}\n")
        larder("import", source, "--into", path, "--class", "Flight", "--primary-key", "id", "--index", "delay")
        return path

    def make_odd(self, path):
        """A class with a long name, texts with runs of spaces, numbers of every length, and 301 values of one property."""
        source = os.path.join(self.folder, "odd.csv")
        with open(source, "w") as file:
            file.write("id,text,amount,kind\n")
            for number in range(602):
                file.write(f"{number},a  b   {number},{number * 7919 % 100_000},kind {number % 301}\n")
        larder("import", source, "--into", path, "--class", LONG, "--primary-key", "id")
        return path

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Studio:
    """`larder studio` as a process of its own. The port and the token stay when it is started again."""

    def __init__(self, store, write=False, flags=()):
        self.store, self.write, self.flags = store, write, flags
        self.port = free_port()
        self.token = os.urandom(16).hex()
        self.start()

    def start(self):
        flags = ["--port", str(self.port)] + (["--write"] if self.write else []) + list(self.flags)
        self.process = subprocess.Popen([TOOL, "studio", self.store, *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "LARDER_STUDIO_TOKEN": self.token})
        said = ""
        for line in self.process.stdout:
            said += line
            found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})", line)
            if found:
                self.url, self.port, self.token = found[0], int(found[1]), found[2]
                return
        raise AssertionError(f"larder studio printed no URL: {said}{self.process.stderr.read()}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def request(self, path, body=None, method=None, **headers):
        """Status, headers and bytes of an answer."""
        headers = {"X-Larder-Token": self.token, **{name.replace("_", "-"): value for name, value in headers.items()}}
        headers = {name: value for name, value in headers.items() if value is not None}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def get(self, path, **query):
        status, _, data = self.request(f"/api/{path}" + (f"?{urllib.parse.urlencode(query, doseq=True)}" if query else ""))
        if status != 200:
            raise AssertionError(f"{path} {query}: {status} {data[:500]!r}")
        return json.loads(data)

    def post(self, path, body):
        status, _, data = self.request(f"/api/{path}", body)
        return status, json.loads(data)

    def worked(self):
        """Seconds that the process has worked."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident bytes of the process."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process.stdout.close()
        self.process.stderr.close()


def until(condition, what, timeout=10):
    """Until a condition holds; what it gives then."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {timeout} s")
        time.sleep(0.02)
