"""Measures what the web app costs: its first screen, a popup, panning, an event, and a hundred pages.

    python limits.py .build/release/portolan

Prints each figure beside its limit; the exit status is 1 if one is above.
"""

import http.client
import re
import statistics
import sys
import threading
import time
import urllib.parse

from selenium.webdriver.common.keys import Keys

from page import App, Page, browser

PAGES = 100
LIMITS = {
    "first paint (ms)": 300, "identify to popup (ms)": 100, "panning, a tile is missing (ms)": 100,
    "panning, longest frame (ms)": 50, "event (ms)": 50, "pages (MB)": 200,
}


class MeasuredApp(App):
    """A web app with a demo portal, and a browser's cookie for it."""

    def __init__(self, portolan):
        super().__init__(portolan)
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


def reads(stream, name):
    """Reads lines until an event of that name."""
    while True:
        line = stream.readline()
        if not line or line.strip() == f"event: {name}".encode():
            return


def event_latency(app):
    """From a change to its event in milliseconds, while the pages before are still open.

    The page is told that the demo's network was cut as of any other state.
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


def first_paint(page, url):
    """When the browser first draws contents, in milliseconds."""
    times = []
    page.driver.get(url)
    for _ in range(5):
        page.driver.refresh()
        times.append(page.wait("the first paint", lambda: page.driver.execute_script(
            "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")))
    return statistics.median(times)


# From the key that identifies to the frame that shows the popup.
IDENTIFY = """
  const [done] = arguments;
  const canvas = document.querySelector(".leaflet-container");
  const watcher = new MutationObserver(() => {
    if (!document.querySelector(".popup h2")?.textContent) return;
    watcher.disconnect();
    requestAnimationFrame(() => done(performance.now() - begin));
  });
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
  const begin = performance.now();
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
"""

# How long a tile in view was missing at most, and the longest time between two frames.
WATCH = """
  const seen = new Map();
  window.panning = { missing: 0, frame: 0 };
  const canvas = document.querySelector(".leaflet-container").getBoundingClientRect();
  let last = performance.now();
  const look = (now) => {
    window.panning.frame = Math.max(window.panning.frame, now - last);
    last = now;
    for (const tile of document.querySelectorAll("img.leaflet-tile")) {
      const box = tile.getBoundingClientRect();
      const isSeen = box.right > canvas.left && box.left < canvas.right
        && box.bottom > canvas.top && box.top < canvas.bottom;
      if (tile.classList.contains("leaflet-tile-loaded") || !isSeen) seen.delete(tile);
      else if (!seen.has(tile)) seen.set(tile, now);
      else window.panning.missing = Math.max(window.panning.missing, now - seen.get(tile));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""


def open_map(page):
    page.press("Download Casco Bay")
    page.press("Open Casco Bay")
    page.press("Bookmarks", ".tool")
    page.press("Portland Head", ".bookmark")
    page.press("Close", ".side button")
    page.tiles()


def identify_time(page):
    """From the key to the popup of what is at the centre, in milliseconds."""
    times = []
    for _ in range(9):
        times.append(page.driver.execute_async_script(IDENTIFY))
        page.press("Close", ".popup button")
    return statistics.median(times)


def panning(page):
    """Pans over ground that was shown before, with all tiles asked for anew."""
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    page.focus(".leaflet-container")
    for watched in (False, True):
        if watched:
            page.driver.execute_script(WATCH)
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_LEFT):
            for _ in range(12):
                page.keys(key)
        page.tiles()
    return page.driver.execute_script("return window.panning")


def in_browser(url, figures):
    """What a person in front of a browser waits for."""
    driver = browser()
    page = Page(driver)
    try:
        figures["first paint (ms)"] = first_paint(page, url)
        open_map(page)
        figures["identify to popup (ms)"] = identify_time(page)
        times = panning(page)
        figures["panning, a tile is missing (ms)"] = times["missing"]
        figures["panning, longest frame (ms)"] = times["frame"]
    finally:
        driver.quit()


def main(portolan):
    app = MeasuredApp(portolan)
    try:
        figures = {}
        in_browser(app.url, figures)
        # The pages stay open until the event was measured.
        figures["pages (MB)"], _streams = pages(app)
        figures["event (ms)"] = event_latency(app)
    finally:
        app.stop()
    failed = False
    for name, limit in LIMITS.items():
        figure = figures[name]
        failed = failed or figure > limit
        print(f"{'ok  ' if figure <= limit else 'FAIL'} {name}: {figure:.1f}, at most {limit}")
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
