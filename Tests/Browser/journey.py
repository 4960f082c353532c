"""A person takes a map offline in the web app, cuts the network, edits a feature and undoes that.

    python journey.py .build/debug/portolan FOLDER

Pictures of each step go to FOLDER. Each screen is judged by axe-core, and the console of the
browser must have no error.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


class Journey:
    """The steps, in order."""

    def __init__(self, driver, pictures):
        self.driver = driver
        self.pictures = pictures
        self.count = 0

    def wait(self, what, condition):
        # The page may draw a part anew while it is looked at.
        patient = WebDriverWait(
            self.driver, 20, ignored_exceptions=[StaleElementReferenceException])
        return patient.until(lambda _: condition(), what)

    def shown(self, selector, begins):
        for element in self.driver.find_elements(By.CSS_SELECTOR, selector):
            label = element.get_attribute("aria-label") or element.text
            if element.is_displayed() and label.strip().startswith(begins):
                return element
        return None

    def press(self, begins):
        self.wait(f"a button {begins}", lambda: self.pressed(begins))

    def pressed(self, begins):
        element = self.shown("button, a", begins)
        if element is None:
            return False
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        try:
            element.click()
            return True
        except WebDriverException:  # Something is still moving over it.
            return False

    def text(self, words):
        self.wait(f"the words {words!r}", lambda: words in self.driver.page_source)

    def judge(self, name):
        """Takes a picture of the screen, and lets axe-core judge it."""
        self.count += 1
        self.driver.save_screenshot(f"{self.pictures}/{self.count}-{name}.png")
        found = [
            (rule["id"], rule["help"], [node["html"] for node in rule["nodes"]])
            for rule in Axe().run(self.driver)["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
        assert not found, f"{name}: {found}"
        print(f"ok   {name}")

    def run(self):
        self.press("Download Casco Bay")
        self.wait("the download", lambda: self.shown("button, a", "Open Casco Bay"))
        self.judge("downloaded")
        for screen in ("Portal", "Jobs", "Storage", "Maps"):
            self.press(screen)
            self.judge(screen.lower())
        self.take_region()
        self.press("Maps")
        self.press("Cut the network")
        self.text("Offline")
        self.press("Open Casco Bay")
        self.wait("tiles", lambda: self.driver.find_elements(By.CSS_SELECTOR, "img.leaflet-tile"))
        self.judge("map")
        for panel in ("Layers", "Legend", "Bookmarks", "Regions"):
            self.press(panel)
            self.judge(panel.lower())
        self.press("Portland Head")
        self.identify()
        self.edit()

    def take_region(self):
        """Draws a region of tiles on the map, sees what it takes, and downloads it."""
        self.press("Open Casco Bay")
        self.wait("tiles", lambda: self.driver.find_elements(By.CSS_SELECTOR, "img.leaflet-tile"))
        self.press("Regions")
        portal = self.driver.execute_async_script(
            "const done = arguments[0];"
            "import('/page/events.js').then((m) => done(m.current('hello').demo.portal));")
        address = self.wait(
            "an address", lambda: self.driver.find_element(By.CSS_SELECTOR, "input[type=url]"))
        address.send_keys(f"{portal}/arcgis/rest/services/MaineBackdrop/MapServer")
        self.press("Add")
        self.wait("the source", lambda: self.driver.find_elements(
            By.CSS_SELECTOR, "option[value=MaineBackdrop]"))
        self.press("Draw on the map")
        canvas = self.driver.find_element(By.CSS_SELECTOR, ".leaflet-container")
        for x, y in ((-60, -40), (60, -40), (0, 60)):
            ActionChains(self.driver).move_to_element_with_offset(canvas, x, y).click().perform()
        self.wait("a count", lambda: self.driver.find_element(
            By.CSS_SELECTOR, ".sketch-bar").text.count("tiles"))
        self.judge("region-drawn")
        self.press("Done")
        self.wait("that it may be downloaded", lambda: self.driver.find_elements(
            By.CSS_SELECTOR, ".tiles-form .primary:not([aria-disabled])"))
        self.driver.find_element(By.CSS_SELECTOR, ".tiles-form .primary").click()
        self.text("Complete")
        self.press("Show on the map Area 1")
        self.wait("its tiles", lambda: self.driver.find_elements(
            By.CSS_SELECTOR, "path.leaflet-interactive, .leaflet-overlay-pane path"))
        self.judge("region")

    def identify(self):
        box = self.driver.find_element(By.CSS_SELECTOR, ".leaflet-container")

        def found():
            ActionChains(self.driver).move_to_element(box).click().perform()
            return "Height of the tower" in self.driver.page_source

        self.wait("a popup", found)
        self.judge("popup")

    def edit(self):
        self.press("Edit")
        self.wait("a form", lambda: self.driver.find_elements(By.CSS_SELECTOR, "form input"))
        self.judge("form")
        field = self.wait("the name", self.name_field)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("Changed Light")
        self.press("Save")
        self.text("Changed Light")
        self.press("Undo")
        self.text("undone")
        self.judge("undone")

    def name_field(self):
        for field in self.driver.find_elements(By.CSS_SELECTOR, "form input"):
            if field.is_displayed() and field.get_attribute("value") == "Portland Head Light":
                return field
        return None


def main(portolan, pictures):
    home = tempfile.mkdtemp()
    process = subprocess.Popen(
        [portolan, "web", "--demo", "--no-browser"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
        env=dict(os.environ, PORTOLAN_HOME=home, HOME=home))
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--window-size=1280,860"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.get(process.stdout.readline().strip())
        Journey(driver, pictures).run()
        errors = [line for line in driver.get_log("browser") if line["level"] == "SEVERE"]
        assert not errors, errors
    finally:
        driver.quit()
        process.terminate()
        process.wait()


main(*sys.argv[1:])
