"""A page of the web app in a real browser: what a person sees, presses and types."""

import json
import os
import shutil
import subprocess
import tempfile

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 30


class App:
    """A web app with a home of its own, and a demo portal unless that is left out."""

    def __init__(self, portolan, *options, demo=True):
        self.home = tempfile.mkdtemp()
        self.command = [portolan, "web", *(["--demo"] if demo else []), "--no-browser", *options]
        self.start()

    def start(self):
        # What a demo portal keeps is in the folder for temporary files.
        self.process = subprocess.Popen(
            self.command,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=dict(os.environ, PORTOLAN_HOME=self.home, HOME=self.home, TMPDIR=self.home))
        self.url = self.process.stdout.readline().strip()

    def restart(self):
        """Kills the program, and starts another one on the same home."""
        self.process.kill()
        self.process.wait()
        self.start()

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def browser(text_size=16):
    """A browser without a window; nothing moves in it, since pictures are compared."""
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--lang=en-US", "--force-prefers-reduced-motion",
                   "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.add_experimental_option("prefs", {"webkit.webprefs.default_font_size": text_size})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = shutil.which("chromium")
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


class Page:
    """What is open in a browser."""

    def __init__(self, driver, pictures=None):
        self.driver = driver
        self.pictures = pictures
        self.resize(1280, 860)

    # What is seen.

    def wait(self, what, condition):
        # The page may draw a part anew while it is looked at.
        patient = WebDriverWait(
            self.driver, PATIENCE, 0.1, ignored_exceptions=[StaleElementReferenceException])
        return patient.until(lambda _: condition(), what)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The first visible element, waited for."""
        return self.wait(selector, lambda: self.named("", selector))

    def named(self, name, selector="button, a"):
        """The first visible element whose label begins so; `None` if there is none."""
        return self.driver.execute_script(
            """const [name, selector] = arguments;
            const label = (each) => each.ariaLabel || each.innerText;
            return [...document.querySelectorAll(selector)].find((each) =>
              each.getClientRects().length > 0 && (!name || label(each).trim().startsWith(name)));
            """, name, selector)

    def text(self, words):
        self.wait(f"the words {words!r}", lambda: words in self.body())

    def no_text(self, words):
        self.wait(f"that {words!r} is gone", lambda: words not in self.body())

    def body(self):
        return self.one("body").text

    def tiles(self):
        self.wait("tiles", lambda: self.all("img.leaflet-tile-loaded") and not self.all(
            "img.leaflet-tile:not(.leaflet-tile-loaded)"))

    # What is done.

    def press(self, name, selector="button, a"):
        """Clicks as a person does: nothing may lie over it."""
        self.wait(f"to press {name}", lambda: self.clicked(self.named(name, selector)))

    def clicked(self, element):
        if element is None:
            return False
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        try:
            element.click()
            return True
        except WebDriverException as problem:
            if isinstance(problem, StaleElementReferenceException):
                raise
            self.obstacle = problem.msg  # Something is still moving over it, or stays there.
            self.point_away()
            return False

    def point_away(self):
        """Moves the pointer to a corner: a message stays as long as the pointer is over it."""
        builder = ActionBuilder(self.driver)
        builder.pointer_action.move_to_location(1, 1)
        builder.perform()

    def type(self, element, words):
        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(words)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def click_map(self, *places):
        canvas = self.one(".leaflet-container")
        for x, y in places:
            ActionChains(self.driver).move_to_element_with_offset(canvas, x, y).click().perform()

    def open(self, screen):
        self.press(screen, ".sections a")

    def save_into(self, folder):
        """Lets the browser save files into a folder, without asking."""
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})

    def saved(self, path):
        """Waits until the browser has saved a file."""
        self.wait(f"the file {path}", lambda: os.path.exists(path))
        return path

    def resize(self, width, height, dark=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.drawn()

    def address(self, part):
        """Waits until the address has that part."""
        self.wait(f"{part!r} in the address", lambda: part in self.driver.current_url)

    def drawn(self):
        """Waits until the browser has drawn what it knows."""
        self.driver.execute_async_script(
            "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done));")

    def state(self, name):
        """The last state of that name that the page was told."""
        return self.driver.execute_async_script(
            "const [name, done] = arguments;"
            "import('/page/events.js').then((events) => done(events.current(name) ?? null));", name)

    # How it is judged.

    def judge(self, name):
        """Takes a picture of the screen and lets axe-core judge it; nothing may stick out."""
        if self.pictures:
            self.settle()
            self.pictures.take(self.driver, name)
        found = [
            (rule["id"], rule["help"], [node["html"][:200] for node in rule["nodes"]])
            for rule in Axe().run(self.driver)["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
        assert not found, f"{name}: {json.dumps(found, indent=1)}"
        self.fits(name)
        print(f"ok   {name}", flush=True)

    def settle(self):
        """Waits for the tiles of a map, and sends messages away that come and go."""
        if self.all(".leaflet-container"):
            self.tiles()
        # In one step: a message may go by itself between being found and being closed.
        self.driver.execute_script("""
          for (const button of document.querySelectorAll(".notice .icon-button")) button.click();
          window.scrollTo(0, 0);""")
        self.drawn()

    def fits(self, name):
        """Nothing makes the page wider than its window, nor a panel wider than its frame."""
        wide = self.driver.execute_script("""
          const parts = [document.documentElement, ...document.querySelectorAll(".map-panel-content")];
          return Math.max(...parts.map((each) => each.scrollWidth - each.clientWidth));""")
        assert wide <= 1, f"{name} is {wide} pixels too wide"

    def shows(self, selector):
        """Each of them lies in the window as a whole, with nothing over it, and holds its own text."""
        hidden = self.driver.execute_script("""
          return [...document.querySelectorAll(arguments[0])].filter((element) => {
            const { left, top, right, bottom } = element.getBoundingClientRect();
            const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
              || !element.contains(hit) || element.scrollWidth > element.clientWidth + 1;
          }).map((element) => element.outerHTML.slice(0, 160));""", selector)
        assert self.all(selector) and not hidden, f"not seen as a whole: {hidden}"

    def errors(self):
        """What the console of the browser complains about; refusals are answers, not errors."""
        return [
            line["message"] for line in self.driver.get_log("browser")
            if line["level"] == "SEVERE" and "status of 40" not in line["message"]
        ]
