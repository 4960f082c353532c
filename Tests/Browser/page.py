"""A page of the web app in a real browser: what a person sees, presses and types."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import (
    ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException, TimeoutException,
    WebDriverException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 30

# What the driver says of a question that the page did not answer since it was being loaded.
LOADING = ("aborted by navigation", "document unloaded")


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
        assert self.url, f"{' '.join(self.command)} has printed no address: {self.process.poll()}"

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


@contextlib.contextmanager
def keeping_failure(driver, path):
    """Leaves a picture of the page as it was when something failed."""
    try:
        yield
    except Exception:
        # A browser that has ended has no picture, and that is not what failed.
        with contextlib.suppress(WebDriverException):
            driver.save_screenshot(path)
        raise


class Page:
    """What is open in a browser.

    The page draws its parts anew whenever it is told something, so no element is handed out: by the time
    somebody acts on it, another one may have taken its place.
    """

    def __init__(self, driver, pictures=None):
        self.driver = driver
        self.pictures = pictures
        self.resize(1280, 860)

    # What is seen.

    def wait(self, what, condition):
        """Waits until the condition gives something true, and returns that."""
        return WebDriverWait(self.driver, PATIENCE, 0.1).until(lambda _: self.now(condition), what)

    def now(self, condition):
        """What the condition gives; `None` if the page was drawn anew or loaded while it was looked at.

        Neither is anything done to an element that takes no keys yet, as while a screen that opens moves the focus.
        """
        try:
            return condition()
        except (StaleElementReferenceException, NoSuchElementException, ElementNotInteractableException):
            return None
        except WebDriverException as problem:
            if not any(words in (problem.msg or "") for words in LOADING):
                raise
            return None

    def count(self, selector):
        """How many there are, seen or not."""
        return len(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def has(self, selector):
        return self.count(selector) > 0

    def see(self, selector):
        """Waits until one is visible."""
        self.wait(selector, lambda: self.named("", selector))

    def named(self, name, selector="button, a"):
        """Whether one is visible whose label begins so."""
        return self.find(name, selector) is not None

    def find(self, name, selector, index=0):
        """The visible element of that index whose label begins so; `None` if there is none."""
        return self.driver.execute_script(
            """const [name, selector, index] = arguments;
            const label = (each) => each.ariaLabel || each.innerText;
            return [...document.querySelectorAll(selector)].filter((each) =>
              each.getClientRects().length > 0 && (!name || label(each).trim().startsWith(name)))[index];
            """, name, selector, index)

    def on(self, what, act, index=0):
        """What an action on a visible element gives, which is waited for.

        It is done once more only where that could not be done: on what has taken the element's place, if it was drawn anew
        in between.

        - what: a selector, or a function that gives the element.
        """
        def attempt():
            element = what() if callable(what) else self.find("", what, index)
            return None if element is None else (act(element),)

        return self.wait(what if isinstance(what, str) else "an element", attempt)[0]

    def read(self, selector):
        """The text of the first visible one."""
        return self.on(selector, lambda element: element.text)

    def value(self, selector):
        """What the first visible field holds."""
        return self.on(selector, lambda element: element.get_property("value"))

    def each(self, selector, expression):
        """What an expression gives for each `element`, all at the same time."""
        return self.driver.execute_script(
            f"return [...document.querySelectorAll(arguments[0])].map((element) => {expression});", selector)

    def text(self, words):
        self.wait(f"the words {words!r}", lambda: words in self.body())

    def no_text(self, words):
        self.wait(f"that {words!r} is gone", lambda: words not in self.body())

    def body(self):
        return self.read("body")

    def tiles(self):
        def are_loaded():
            loaded = self.each("img.leaflet-tile", "element.matches('.leaflet-tile-loaded')")
            return loaded and all(loaded)

        self.wait("tiles", are_loaded)

    # What is done.

    def press(self, name, selector="button, a"):
        """Clicks as a person does, once it can be used: nothing may lie over it."""
        self.obstacle = ""
        try:
            self.wait(f"to press {name or selector}", lambda: self.pressed(name, selector))
        except TimeoutException as problem:
            problem.msg = " ".join(filter(None, (problem.msg, self.obstacle)))
            raise

    def pressed(self, name, selector="button, a"):
        """Clicks if that can be done now, and tells whether it could."""
        element = self.find(name, selector)
        if element is None:
            self.obstacle = "There is none."
            return False
        is_off = self.driver.execute_script(
            """const [element] = arguments;
            element.scrollIntoView({ block: "center" });
            return element.matches("[aria-disabled=true], [aria-busy=true]");""", element)
        if is_off:
            self.obstacle = "It cannot be used."
            return False
        try:
            element.click()
            return True
        except StaleElementReferenceException:
            raise
        except WebDriverException as problem:
            self.obstacle = problem.msg  # Something is still moving over it, or stays there.
            self.point_away()
            return False

    def point_away(self):
        """Moves the pointer to a corner: a message stays as long as the pointer is over it."""
        builder = ActionBuilder(self.driver)
        builder.pointer_action.move_to_location(1, 1)
        builder.perform()

    def type(self, what, words, index=0):
        """Takes the place of all that a field holds, in one go: what is selected stays so only with the focus."""
        self.on(what, lambda element: element.send_keys(Keys.CONTROL, "a", Keys.NULL, words), index)

    def keys(self, *keys):
        """Presses keys wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def click_map(self, *places):
        for place in places:
            self.on(".leaflet-container", lambda canvas, place=place: ActionChains(
                self.driver).move_to_element_with_offset(canvas, *place).click().perform())

    def focus(self, selector):
        """Gives the focus to the first one, which may be any that takes it."""
        self.wait(f"the focus on {selector}", lambda: self.driver.execute_script(
            """const element = document.querySelector(arguments[0]);
            element?.focus();
            return element !== null && document.activeElement === element;""", selector))

    def give(self, selector, file):
        """Gives a file to an input for files, which need not be seen."""
        self.on(lambda: self.driver.find_element(By.CSS_SELECTOR, selector), lambda input: input.send_keys(file))

    def open(self, screen):
        self.press(screen, ".sections a")

    def save_into(self, folder):
        """Lets the browser save files into a folder, without asking."""
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})

    def saved(self, path):
        """Waits until the browser has saved a file."""
        self.wait(f"the file {path}", lambda: os.path.exists(path) and os.path.getsize(path) > 0)
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
        """The last state of that name that the page was told; the first is waited for."""
        return self.wait(f"the state {name!r}", lambda: self.driver.execute_async_script(
            "const [name, done] = arguments;"
            "import('/page/events.js').then(({ current }) => done(current(name) === undefined ? null : [current(name)]),"
            "  () => done(null));", name))[0]

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
        if self.has(".leaflet-container"):
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
        assert self.has(selector) and not hidden, f"not seen as a whole: {hidden}"

    def errors(self):
        """What the console of the browser complains about; refusals are answers, not errors."""
        return [
            line["message"] for line in self.driver.get_log("browser")
            if line["level"] == "SEVERE" and "status of 40" not in line["message"]
        ]
