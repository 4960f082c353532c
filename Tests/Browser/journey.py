"""A person uses the web app: signs in, takes an area offline, cuts the network, edits and undoes.

    python journey.py .build/debug/portolan FOLDER

Pictures of each step go to FOLDER; those that Tests/Browser/Pictures has are compared. Each screen
is judged by axe-core, and the console of the browser must have no error.
"""

import os
import sys
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import App, Page, browser
from pictures import Pictures


def first_launch(page):
    """What is there is shown with its pictures, although nobody is signed in."""
    page.one("article[aria-label='Casco Bay']")
    page.wait("all pictures", lambda: all(
        card.find_elements(By.CSS_SELECTOR, ".card-picture img") for card in page.all("article")))
    page.judge("maps")


def sign_in(page):
    page.press("Sign in")
    field = page.one("input[type=password]")
    page.type(field, "wrong")
    page.press("Sign in", "main button")
    page.wait("the reason", lambda: page.all(".problem-box"))
    page.judge("sign-in-refused")
    page.type(page.one("input[type=password]"), "demo")
    page.keys(Keys.ENTER)
    page.wait("the name", lambda: page.named("Demo Person"))


def search(page):
    """A second and a third page come below the first."""
    page.open("Portal")
    first = page.one(".result a").text
    total = int(page.one(".results .hint").text.split()[2])
    for shown in (20, 40, total):
        page.text(f"{shown} of {total} shown")
        if shown < total:
            page.press("Show more")
    rows = [each.text for each in page.all(".result a")]
    assert len(rows) == total and rows[0] == first, rows
    page.judge("portal")
    page.press("Explore Maine", ".result a")
    page.text("Could not be loaded")
    page.judge("item")


def download(page):
    page.open("Maps")
    page.text("The portal could not package it")
    page.press("Download Casco Bay")
    page.wait("the download", lambda: page.named("Open Casco Bay"))
    page.judge("downloaded")
    page.open("Jobs")
    page.press("Log of Casco Bay")
    page.text("Harbor lights")
    page.judge("jobs")


def take_region(page):
    """A region of tiles is drawn on the map, counted, downloaded and shown."""
    page.open("Maps")
    page.press("Open Casco Bay")
    page.tiles()
    page.press("Regions", ".tool")
    portal = page.state("hello")["demo"]["portal"]
    page.one("input[type=url]").send_keys(
        f"{portal}/arcgis/rest/services/MaineBackdrop/MapServer")
    page.press("Add", ".tiles-form button")
    page.wait("the source", lambda: page.all("option[value=MaineBackdrop]"))
    page.press("Draw on the map")
    page.one(".sketch-bar")
    page.click_map((-60, -40), (60, -40), (0, 60))
    page.wait("a count", lambda: "tiles" in page.one(".sketch-bar").text)
    page.press("Done", ".sketch-bar button")
    page.wait("that it may be downloaded", lambda: page.all(
        ".tiles-form .primary:not([aria-disabled])"))
    page.press("Download", ".tiles-form .primary")
    page.text("Complete")
    page.press("Show on the map Area 1")
    page.wait("its tiles", lambda: page.all(".leaflet-overlay-pane path"))


def use_offline(page):
    """The network is cut, restored and cut; each panel opens beside the map and closes again."""
    page.press("Cut the network")
    page.text("Offline")
    page.press("Restore the network")
    page.text("There is a network again")
    page.wait("that it is online", lambda: page.state("network")["online"])
    page.press("Cut the network")
    page.text("Offline")
    page.open("Maps")
    page.press("Open Casco Bay")
    page.tiles()
    page.judge("map")
    for panel in ("Find a place", "Layers", "Legend", "Bookmarks", "Regions", "Changes", "Problems"):
        page.press(panel, ".tool")
        page.judge(panel.lower().replace(" ", "-"))
        page.press("Close", ".map-panel button")
    page.press("Layers", ".tool")
    page.one("#layer-lighthouses").click()
    page.press("Legend", ".tool")
    page.wait("that the legend follows", lambda: "Lighthouse" not in page.one(".legend").text)
    page.press("Layers", ".tool")
    page.one("#layer-lighthouses").click()
    page.press("Close", ".map-panel button")


def find(page):
    """A place is found by what people type, and its picture is opened."""
    page.press("Find a place", ".tool")
    page.one(".place-search input").send_keys("portland he")
    page.press("Portland Head", ".place-list button")
    page.text("Height of the tower")
    page.press("Close", ".side button")
    page.judge("popup")
    page.press("Open portland-head-light.png")
    page.wait("the picture", lambda: page.driver.execute_script(
        "return document.querySelector('.viewer img')?.naturalWidth > 0"))
    page.judge("viewer")
    page.keys(Keys.ESCAPE)
    page.wait("that the viewer is closed", lambda: not page.all(".viewer"))


def edit(page):
    """What a field does not take is said beside it; what is saved can be undone."""
    page.press("Edit", ".detail-slot button")
    field = page.one(".form-panel input")
    assert field.get_attribute("value") == "Portland Head Light"
    page.type(field, "Changed Light")
    page.type(page.all(".form-panel input")[1], "9999")
    page.press("Save", ".form-panel button")
    page.wait("the reason", lambda: page.all("[aria-invalid=true]"))
    page.judge("form")
    page.type(page.all(".form-panel input")[1], "1791")
    page.press("Save", ".form-panel button")
    page.text("were saved")
    page.press("Changes", ".tool")
    page.wait("its title", lambda: "Changed Light" in page.one(".change-list").text)
    page.press("Close", ".side button")
    page.press("Undo", ".tool")
    page.text("undone")


def leave_form(page):
    """What was typed is not lost by going elsewhere without a question."""
    page.press("Edit", ".detail-slot button")
    page.type(page.one(".form-panel input"), "Half a name")
    page.open("Maps")
    page.one("dialog")
    page.press("Cancel", "dialog button")
    page.wait("that the dialog is closed", lambda: not page.all("dialog[open]"))
    assert page.one(".form-panel input").get_attribute("value") == "Half a name"
    page.address("#/map?map=")
    page.driver.back()
    page.press("Cancel", "dialog button")
    page.address("#/map?map=")
    page.press("Close map")
    page.press("Cancel", "dialog button")
    assert page.one(".form-panel input").get_attribute("value") == "Half a name"
    page.open("Maps")
    page.press("Discard", "dialog button")
    page.one("article[aria-label='Casco Bay']")
    page.press("", ".sections a[data-screen='map']")
    page.tiles()


def many_tabs(page):
    """More tabs than a browser has connections to a server; those that are not seen need none."""
    first = page.driver.current_window_handle
    address = page.driver.current_url.split("?")[0].split("#")[0]
    for _ in range(8):
        page.driver.switch_to.new_window("tab")
        page.driver.get(address)
        page.one("article[aria-label='Casco Bay']")
    page.driver.switch_to.window(first)
    for handle in page.driver.window_handles:
        if handle != first:
            page.driver.switch_to.window(handle)
            page.driver.close()
    page.driver.switch_to.window(first)
    page.open("Jobs")
    page.open("Maps")
    page.one("article[aria-label='Casco Bay']")


def draw(page):
    """An area is drawn, added with its name, and undone."""
    page.press("Add feature", ".tool")
    page.press("Parks", ".choice")
    page.one(".sketch-bar")
    page.click_map((-80, -20), (80, -20), (0, 120))
    page.text("3 vertices")
    page.judge("sketch")
    page.press("Done", ".sketch-bar button")
    page.type(page.one(".form-panel input"), "New Park")
    page.press("Add", ".form-panel button")
    page.text("was added")
    page.wait("its popup", lambda: "New Park" in page.one(".popup").text)
    # The answer to the form may come before the map tells of it, and until then nothing can be undone.
    page.wait("that it can be undone", lambda: page.state("map")["undoCount"] > 0)
    page.press("Undo", ".tool")
    page.text("undone")


def keyboard(page):
    """A feature is found, paged and left without a pointer."""
    page.press("Bookmarks", ".tool")
    page.press("Portland Head", ".bookmark")
    page.press("Close", ".side button")
    page.driver.execute_script("document.querySelector('.leaflet-container').focus()")
    page.tiles()
    page.wait("the popup", lambda: page.keys(Keys.ENTER) or page.all(".popup h2"))
    page.wait("the focus in it", lambda: page.driver.execute_script(
        "return Boolean(document.activeElement.closest('.popup'))"))
    page.keys(Keys.ESCAPE)
    page.wait("that it is closed", lambda: not page.all(".popup h2"))
    assert page.driver.execute_script(
        "return document.activeElement.classList.contains('leaflet-container')")


def store(page):
    """A map with an edit that nobody has yet is deleted after two questions, and comes back whole."""
    page.keys(Keys.ENTER)
    page.press("Edit", ".detail-slot button")
    page.type(page.one(".form-panel input"), "Kept Light")
    page.press("Save", ".form-panel button")
    page.text("were saved")
    page.press("Close map")
    page.press("Delete Casco Bay")
    page.text("not sent")
    page.judge("delete-with-edits")
    for _ in range(2):
        page.press("Delete the map and its changes", "dialog button")
    page.press("Undo", ".notice button")
    page.wait("the map", lambda: page.named("Open Casco Bay"))
    page.open("Storage")
    page.press("Check every file")
    page.text("Everything is in order.")
    page.judge("storage")


def narrow(page):
    """On a phone, in dark and in light."""
    page.open("Maps")
    page.press("Open Casco Bay")
    page.tiles()
    page.resize(375, 740, dark=True)
    page.judge("map-narrow")
    page.press("Find a place", ".tool")
    page.one(".place-search input").send_keys("kept li")
    page.press("Kept Light", ".place-list button")
    page.text("Height of the tower")
    # There is room for one sheet: the popup is there again once the panel is closed.
    page.press("Layers", ".tool")
    assert not page.named("", ".popup"), "a popup below a panel"
    page.judge("layers-narrow")
    page.press("Close", ".side button")
    page.one(".popup")
    page.press("Close", ".popup button")
    for screen in ("Portal", "Jobs", "Storage", "Maps"):
        page.open(screen)
        page.judge(f"{screen.lower()}-narrow")
    page.press("Settings")
    page.text("Synchronize by itself")
    page.judge("settings-narrow")
    page.open("Maps")


def killed(page, app, portolan):
    """A page whose program was killed says so, and goes on with the next one that lets it in."""
    app.stop()
    page.text("Portolan is not running; waiting for it.")
    again = App(portolan, "--port", str(urllib.parse.urlsplit(app.url).port))
    try:
        page.text("Open the address that it printed")
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.driver.get(again.url)
        page.driver.switch_to.window(first)
        page.text("Portolan is running again.")
    finally:
        again.stop()


ACTS = [
    first_launch, sign_in, search, download, take_region, use_offline, find, edit, leave_form, draw,
    keyboard, store, narrow, many_tabs,
]


def play(portolan, pictures):
    app = App(portolan)
    driver = browser()
    page = Page(driver, pictures)
    try:
        driver.get(app.url)
        for act in ACTS:
            act(page)
            assert not (errors := page.errors()), errors
        killed(page, app, portolan)
    except Exception:
        driver.save_screenshot(f"{pictures.folder}/failed.png")
        print(getattr(page, "obstacle", ""), file=sys.stderr)
        raise
    finally:
        driver.quit()
        app.stop()


def large_text(portolan):
    """With text twice as large nothing is cut off or out of reach, on a screen and on a phone."""
    app = App(portolan)
    driver = browser(text_size=32)
    page = Page(driver)
    try:
        driver.get(app.url)
        page.press("Download Casco Bay")
        for width, height in ((1280, 860), (375, 740), (740, 375)):
            page.press("Open Casco Bay")
            page.resize(width, height)
            large_map(page, width)
            page.press("Close map")
            for screen in ("Portal", "Jobs", "Storage", "Maps"):
                page.open(screen)
                page.fits(f"{screen}, {width}")
            page.press("Delete Casco Bay")
            page.one("dialog")
            page.fits(f"a question, {width}")
            page.keys(Keys.ESCAPE)
            page.press("Settings")
            page.text("Synchronize by itself")
            page.fits(f"the settings, {width}")
            page.press("Sign in", ".account")
            page.fits(f"the sign-in, {width}")
            page.open("Maps")
        page.open("Portal")
        page.press("Explore Maine", ".result a")
        page.text("Could not be loaded")
        page.fits("an item")
        print("ok   large text", flush=True)
    finally:
        driver.quit()
        app.stop()


def large_map(page, width):
    """Each panel of the map, the bar of its scale, a popup and a form."""
    page.tiles()
    long = page.driver.execute_script("""
        return [...document.querySelectorAll(".leaflet-control-scale-line")].filter((line) =>
          line.scrollWidth > line.clientWidth + 1).map((line) => line.innerText);""")
    assert not long, f"the lengths {long} are not within their bars, {width}"
    for panel in ("Layers", "Legend", "Bookmarks", "Regions", "Add feature", "Changes",
                  "Synchronize", "Problems"):
        page.press(panel, ".tool")
        if panel == "Changes":
            page.text("Nothing was changed on this device.")
        page.fits(f"{panel}, {width}")
        page.press("Close", ".map-panel button")
    page.press("Add feature", ".tool")
    page.press("Parks", ".choice")
    page.press("Add at center", ".sketch-bar button")
    page.text("1 vertex")
    page.fits(f"a sketch, {width}")
    # On a phone, what cannot be done yet is left out.
    page.shows(".sketch-bar, .sketch-bar button:not([aria-disabled=true]), .sketch-bar .primary, .sketch-count")
    page.press("Cancel", ".sketch-bar button")
    page.press("Cancel", ".form-panel button")
    page.press("Discard", "dialog button")
    page.press("Find a place", ".tool")
    page.one(".place-search input").send_keys("portland he")
    page.press("Portland Head", ".place-list button")
    page.text("Height of the tower")
    if page.all(".side"):
        page.press("Close", ".side button")
    page.fits(f"a popup, {width}")
    page.press("Edit", ".detail-slot button")
    # Its buttons leave room for what is entered.
    field = page.one(".form-panel input")
    assert page.driver.execute_script("""
        const [field] = arguments;
        field.focus();
        field.scrollIntoView({ block: "nearest" });
        const { left, top, right, bottom } = field.getBoundingClientRect();
        return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === field;""",
        field), f"nothing can be entered, {width}"
    page.fits(f"a form, {width}")
    page.press("Cancel", ".form-panel button")
    page.press("Close", ".popup button")


def main(portolan, folder):
    here = os.path.dirname(os.path.abspath(__file__))
    pictures = Pictures(folder, f"{here}/Pictures")
    play(portolan, pictures)
    large_text(portolan)
    assert not pictures.failures, pictures.failures


if __name__ == "__main__":
    main(*sys.argv[1:])
