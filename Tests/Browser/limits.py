"""Measures what the web app costs: its first screen, an event, and a hundred pages.

    python limits.py .build/release/portolan

Prints each figure beside its limit; the exit status is 1 if one is above.
"""

import http.client
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

PAGES = 100
LIMITS = {"pages (MB)": 200, "event (ms)": 50, "first paint (ms)": 300}


class App:
    """A web app with a demo portal, and a browser's cookie for it."""

    def __init__(self, portolan):
        self.home = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [portolan, "web", "--demo", "--no-browser"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
            env=dict(os.environ, PORTOLAN_HOME=self.home, HOME=self.home))
        self.url = self.process.stdout.readline().strip()
        address = urllib.parse.urlsplit(self.url)
        self.host, self.port = address.hostname, address.port
        answer = self.request("GET", f"/?{address.query}")
        self.cookie = answer.getheader("Set-Cookie").split(";")[0]

    def connection(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=30)

    def request(self, method, path, body=None, cookie=None):
        connection = self.connection()
        headers = {"Origin": f"http://{self.host}:{self.port}", "Content-Type": "application/json"}
        if cookie:
            headers["Cookie"] = cookie
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def post(self, action):
        self.request("POST", f"/api/{action}", "{}", self.cookie).read()

    def events(self):
        connection = self.connection()
        connection.request("GET", "/api/events", headers={"Cookie": self.cookie})
        return connection.getresponse()

    def resident(self):
        """The memory of the process in MB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def reads(stream, name):
    """Reads lines until an event of that name."""
    while True:
        line = stream.readline()
        if not line or line.strip() == f"event: {name}".encode():
            return


def event_latency(app):
    """From a change to its event in milliseconds, while the pages before are still open.

    The demo's network can be cut once, and the page is told of that as of any other state.
    """
    stream = app.events()
    reads(stream, "network")
    arrived = []
    reader = threading.Thread(
        target=lambda: (reads(stream, "network"), arrived.append(time.perf_counter())))
    reader.start()
    begin = time.perf_counter()
    app.post("network/cut")
    reader.join(5)
    return (arrived[0] - begin) * 1000 if arrived else float("inf")


def pages(app):
    """The memory that a hundred pages take which are open at once."""
    before = app.resident()
    streams = [app.events() for _ in range(PAGES)]
    for stream in streams:
        reads(stream, "network")
    after = app.resident()
    print(f"     {PAGES} pages took the process from {before:.0f} to {after:.0f} MB")
    return after, streams


def first_paint(url):
    """When the browser first draws contents, in milliseconds; `None` without a browser."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        return None
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        return None
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--window-size=1280,860"):
        options.add_argument(option)
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        times = []
        driver.get(url)
        for _ in range(5):
            driver.refresh()
            for _ in range(50):
                paint = driver.execute_script(
                    "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
                if paint:
                    times.append(paint)
                    break
                time.sleep(0.1)
        return statistics.median(times) if times else None
    finally:
        driver.quit()


def main(portolan):
    app = App(portolan)
    try:
        figures = {"first paint (ms)": first_paint(app.url)}
        # The pages stay open until the event was measured.
        figures["pages (MB)"], _streams = pages(app)
        figures["event (ms)"] = event_latency(app)
    finally:
        app.stop()
    failed = False
    for name, limit in LIMITS.items():
        figure = figures[name]
        if figure is None:
            print(f"skip {name}: there is no browser")
            continue
        failed = failed or figure > limit
        print(f"{'ok  ' if figure <= limit else 'FAIL'} {name}: {figure:.1f}, at most {limit}")
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
