"""A person uses the web app: signs in, takes an area offline, cuts the network, edits and undoes.

    python journey.py .build/debug/portolan FOLDER

Pictures of each step go to FOLDER; those that Tests/Browser/Pictures has are compared. Each screen
is judged by axe-core, and the console of the browser must have no error.
"""

import os
import re
import sys
import urllib.parse

from selenium.webdriver.common.keys import Keys

from page import App, Page, browser, keeping_failure
from pictures import Pictures


def first_launch(page):
    """What is there is shown with its pictures, although nobody is signed in."""
    page.see("article[aria-label='Casco Bay']")
    page.wait("all pictures", lambda: all(
        page.each("article", "element.querySelector('.card-picture img') !== null")))
    page.judge("maps")


def sign_in(page):
    page.press("Sign in")
    page.type("input[type=password]", "wrong")
    page.press("Sign in", "main button")
    page.wait("the reason", lambda: page.has(".problem-box"))
    page.judge("sign-in-refused")
    page.type("input[type=password]", "demo")
    page.keys(Keys.ENTER)
    page.wait("the name", lambda: page.named("Demo Person"))


def search(page):
    """A second and a third page come below the first."""
    page.open("Portal")
    first = page.read(".result a")
    told = page.wait("how many there are", lambda: re.match(r"\d+ of (\d+) shown", page.read(".results .hint")))
    total = int(told[1])
    for shown in (20, 40, total):
        page.text(f"{shown} of {total} shown")
        if shown < total:
            page.press("Show more")
    rows = page.each(".result a", "element.innerText")
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
    page.type("input[type=url]", f"{portal}/arcgis/rest/services/MaineBackdrop/MapServer")
    page.press("Add", ".tiles-form button")
    page.wait("the source", lambda: page.has("option[value=MaineBackdrop]"))
    page.press("Draw on the map")
    page.see(".sketch-bar")
    page.click_map((-60, -40), (60, -40), (0, 60))
    page.wait("a count", lambda: "tiles" in page.read(".sketch-bar"))
    page.press("Done", ".sketch-bar button")
    page.wait("that it may be downloaded", lambda: page.has(
        ".tiles-form .primary:not([aria-disabled])"))
    page.press("Download", ".tiles-form .primary")
    page.text("Complete")
    page.press("Show on the map Area 1")
    page.wait("its tiles", lambda: page.has(".leaflet-overlay-pane path"))


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
    page.press("", "#layer-lighthouses")
    page.press("Legend", ".tool")
    page.wait("that the legend follows", lambda: "Lighthouse" not in page.read(".legend"))
    page.press("Layers", ".tool")
    page.press("", "#layer-lighthouses")
    page.press("Close", ".map-panel button")


def find(page):
    """A place is found by what people type, and its picture is opened."""
    page.press("Find a place", ".tool")
    page.type(".place-search input", "portland he")
    page.press("Portland Head", ".place-list button")
    page.text("Height of the tower")
    page.press("Close", ".side button")
    page.judge("popup")
    page.press("Open portland-head-light.png")
    page.wait("the picture", lambda: page.driver.execute_script(
        "return document.querySelector('.viewer img')?.naturalWidth > 0"))
    page.judge("viewer")
    page.keys(Keys.ESCAPE)
    page.wait("that the viewer is closed", lambda: not page.has(".viewer"))


def edit(page):
    """What a field does not take is said beside it; what is saved can be undone."""
    page.press("Edit", ".detail-slot button")
    assert page.value(".form-panel input") == "Portland Head Light"
    page.type(".form-panel input", "Changed Light")
    page.type(".form-panel input", "9999", index=1)
    page.press("Save", ".form-panel button")
    page.wait("the reason", lambda: page.has("[aria-invalid=true]"))
    page.judge("form")
    page.type(".form-panel input", "1791", index=1)
    page.press("Save", ".form-panel button")
    page.text("were saved")
    page.press("Changes", ".tool")
    page.wait("its title", lambda: "Changed Light" in page.read(".change-list"))
    page.press("Close", ".side button")
    page.press("Undo", ".tool")
    page.text("undone")


def leave_form(page):
    """What was typed is not lost by going elsewhere without a question."""
    page.press("Edit", ".detail-slot button")
    page.type(".form-panel input", "Half a name")
    page.open("Maps")
    page.see("dialog")
    page.press("Cancel", "dialog button")
    page.wait("that the dialog is closed", lambda: not page.has("dialog[open]"))
    assert page.value(".form-panel input") == "Half a name"
    page.address("#/map?map=")
    page.driver.back()
    page.press("Cancel", "dialog button")
    page.address("#/map?map=")
    page.press("Close map")
    page.press("Cancel", "dialog button")
    assert page.value(".form-panel input") == "Half a name"
    page.open("Maps")
    page.press("Discard", "dialog button")
    page.see("article[aria-label='Casco Bay']")
    page.press("", ".sections a[data-screen='map']")
    page.tiles()


def many_tabs(page):
    """More tabs than a browser has connections to a server; those that are not seen need none."""
    first = page.driver.current_window_handle
    address = page.driver.current_url.split("?")[0].split("#")[0]
    for _ in range(8):
        page.driver.switch_to.new_window("tab")
        page.driver.get(address)
        page.see("article[aria-label='Casco Bay']")
    page.driver.switch_to.window(first)
    for handle in page.driver.window_handles:
        if handle != first:
            page.driver.switch_to.window(handle)
            page.driver.close()
    page.driver.switch_to.window(first)
    page.open("Jobs")
    page.open("Maps")
    page.see("article[aria-label='Casco Bay']")


def draw(page):
    """An area is drawn, added with its name, and undone."""
    page.press("Add feature", ".tool")
    page.press("Parks", ".choice")
    page.see(".sketch-bar")
    page.click_map((-80, -20), (80, -20), (0, 120))
    page.text("3 vertices")
    page.judge("sketch")
    page.press("Done", ".sketch-bar button")
    page.type(".form-panel input", "New Park")
    page.press("Add", ".form-panel button")
    page.text("was added")
    page.wait("its popup", lambda: "New Park" in page.read(".popup"))
    # The answer to the form may come before the map tells of it, and until then nothing can be undone.
    page.wait("that it can be undone", lambda: page.state("map")["undoCount"] > 0)
    page.press("Undo", ".tool")
    page.text("undone")


def keyboard(page):
    """A feature is found, paged and left without a pointer."""
    page.press("Bookmarks", ".tool")
    page.press("Portland Head", ".bookmark")
    page.press("Close", ".side button")
    page.tiles()
    page.focus(".leaflet-container")
    page.keys(Keys.ENTER)
    page.wait("the popup", lambda: page.has(".popup h2"))
    page.wait("the focus in it", lambda: page.driver.execute_script(
        "return Boolean(document.activeElement.closest('.popup'))"))
    page.keys(Keys.ESCAPE)
    page.wait("that it is closed", lambda: not page.has(".popup h2"))
    page.wait("the focus on the map", lambda: page.driver.execute_script(
        "return document.activeElement.classList.contains('leaflet-container')"))


def store(page):
    """A map with an edit that nobody has yet is deleted after two questions, and comes back whole."""
    page.keys(Keys.ENTER)
    page.press("Edit", ".detail-slot button")
    page.type(".form-panel input", "Kept Light")
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
    page.type(".place-search input", "kept li")
    page.press("Kept Light", ".place-list button")
    page.text("Height of the tower")
    # There is room for one sheet: the popup is there again once the panel is closed.
    page.press("Layers", ".tool")
    page.see(".side")
    assert not page.named("", ".popup"), "a popup below a panel"
    page.judge("layers-narrow")
    page.press("Close", ".side button")
    page.see(".popup")
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
        with keeping_failure(driver, f"{pictures.folder}/failed-journey.png"):
            driver.get(app.url)
            for act in ACTS:
                act(page)
                assert not (errors := page.errors()), errors
            killed(page, app, portolan)
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
            page.see("dialog")
            page.fits(f"a question, {width}")
            page.keys(Keys.ESCAPE)
            page.press("Settings")
            page.text("Synchronize by itself")
            page.fits(f"the settings, {width}")
            page.press("Sign in", ".account")
            page.see("input[type=password]")
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
    page.type(".place-search input", "portland he")
    page.press("Portland Head", ".place-list button")
    page.text("Height of the tower")
    # On a phone it has closed by itself.
    page.wait("that the panel is closed", lambda: not page.has(".side") or (
        page.pressed("Close", ".side button") and False))
    page.fits(f"a popup, {width}")
    page.press("Edit", ".detail-slot button")
    # Its buttons leave room for what is entered.
    assert page.on(".form-panel input", lambda field: page.driver.execute_script("""
        const [field] = arguments;
        field.focus();
        field.scrollIntoView({ block: "nearest" });
        const { left, top, right, bottom } = field.getBoundingClientRect();
        return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === field;""",
        field)), f"nothing can be entered, {width}"
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
