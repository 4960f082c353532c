"""The map book in the web app: a package that is found, downloaded, updated and used offline.

    python acts.py .build/debug/portolan FOLDER

The acts are those whose transcripts `ActTests` compares at the prompt. Pictures go to FOLDER.
"""

import json
import os
import sys
import urllib.parse
import urllib.request

from selenium.webdriver.common.keys import Keys

from page import App, Page, browser
from pictures import Pictures

ITEM = "0f2bad5249924754376b8f75ddbe5681"
TITLE = "Naperville Water Company Mapbook"


def ask(page, where, **form):
    """What the demo portal answers to a form."""
    portal = page.state("hello")["demo"]["portal"]
    data = urllib.parse.urlencode({**form, "f": "json"}).encode()
    with urllib.request.urlopen(f"{portal}{where}", data) as answer:
        return json.loads(answer.read() or b"{}")


def card(page):
    """What the card of the package says."""
    return page.one(f'article[aria-label="{TITLE}"]').text


def act_1(page):
    """A refused and a good sign-in, and a package that is searched for."""
    page.press("Sign in")
    page.type(page.one("input[type=password]"), "wrong" + Keys.ENTER)
    page.text("Invalid username or password")
    page.type(page.one("input[type=password]"), "demo" + Keys.ENTER)
    page.wait("the name", lambda: page.named("Demo Person"))
    page.open("Portal")
    page.type(page.one("main input[type=search]"), "naperville" + Keys.ENTER)
    page.press(TITLE, ".result a")
    page.wait("the item", lambda: page.named("Download", "main button"))
    page.judge("act-1-item")


def act_2(page):
    """A download that is asked for twice, paused, and let go on."""
    ask(page, "/demo/faults", kind="slow", bytes=400_000, path=f"*/{ITEM}/data")
    page.press("Download", "main button")
    page.wait("the download", lambda: page.named(f"Pause {TITLE}"))
    page.driver.back()
    page.press("Download", "main button")
    page.text("is being downloaded already")
    page.press(f"Pause {TITLE}")
    page.wait("that it is paused", lambda: page.named(f"Resume {TITLE}"))
    page.judge("act-2-paused")
    portal = page.state("hello")["demo"]["portal"]
    urllib.request.urlopen(
        urllib.request.Request(f"{portal}/demo/faults", method="DELETE")).close()
    page.press(f"Resume {TITLE}")
    page.wait("the package", lambda: page.named(f"Open {TITLE}"))


def act_6(page):
    """What is new is said; the open version stays until the new one is here."""
    token = ask(
        page, "/sharing/rest/generateToken", username="demo", password="demo",
        client="requestip")["token"]
    changed = ask(
        page, f"/sharing/rest/content/users/demo/items/{ITEM}/update", token=token,
        snippet="Changed in the meantime.")
    assert changed.get("success"), changed
    page.press(f"Open {TITLE}")
    page.tiles()
    page.open("Maps")
    page.press("Refresh")
    page.wait("what is new", lambda: "Update available" in card(page))
    page.judge("act-6-available")
    page.press(f"Update {TITLE}")
    page.wait("the update", lambda: "Update available" not in card(page))


def act_3(page):
    """The package is opened, read and searched with no network."""
    page.press("Cut the network")
    page.text("Offline")
    page.press(f"Open {TITLE}")
    page.tiles()
    page.press("Layers", ".tool")
    page.text("Water mains")
    page.press("Bookmarks", ".tool")
    page.press("Waterworks", ".bookmark")
    page.press("Find a place", ".tool")
    field = page.one(".place-search input")
    page.type(field, "1223 oak")
    page.wait("suggestions", lambda: page.named("1223 Oak Avenue", ".place-list button"))
    page.judge("act-3-suggestions")
    page.press("1223 Oak Avenue", ".place-list button")
    page.text("City")
    page.judge("act-3-place")
    if not page.all(".place-search input"):
        page.press("Find a place", ".tool")
    page.type(page.one(".place-search input"), "zzz")
    page.text("There are no matches in this map")


def main(portolan, folder):
    pictures = Pictures(folder, f"{os.path.dirname(os.path.abspath(__file__))}/Pictures")
    app = App(portolan)
    driver = browser()
    page = Page(driver, pictures)
    try:
        driver.get(app.url)
        # The network is cut last, since that cannot be undone.
        for act in (act_1, act_2, act_6, act_3):
            act(page)
            assert not (errors := page.errors()), errors
    except Exception:
        driver.save_screenshot(f"{folder}/failed.png")
        raise
    finally:
        driver.quit()
        app.stop()
    assert not pictures.failures, pictures.failures


if __name__ == "__main__":
    main(*sys.argv[1:])
