"""The acts of the map book, of areas, of tiles and of storage, as a person plays them in the web app.

    python acts.py .build/debug/portolan FOLDER

The acts are those whose transcripts `ActTests` compares at the prompt. Pictures go to FOLDER.
"""

import glob
import json
import os
import re
import shutil
import sys
import urllib.parse
import urllib.request
import zipfile

from selenium.webdriver.common.keys import Keys

from page import App, Page, browser, keeping_failure
from pictures import Pictures

ITEM = "0f2bad5249924754376b8f75ddbe5681"
SERVICE = "/arcgis/rest/services/ExploreMaine/FeatureServer"
TITLE = "Naperville Water Company Mapbook"


def ask(page, where, /, **form):
    """What the demo portal answers to a form."""
    portal = page.state("hello")["demo"]["portal"]
    data = urllib.parse.urlencode({**form, "f": "json"}).encode()
    with urllib.request.urlopen(f"{portal}{where}", data) as answer:
        return json.loads(answer.read() or b"{}")


def mend(page):
    """Ends all faults of the demo portal."""
    portal = page.state("hello")["demo"]["portal"]
    request = urllib.request.Request(f"{portal}/demo/faults", method="DELETE")
    urllib.request.urlopen(request).close()


def card(page):
    """What the card of the package says."""
    return page.read(f'article[aria-label="{TITLE}"]')


def act_0(page):
    """The first start, with nothing there: each screen says what to do next."""
    page.text("No maps yet")
    page.judge("act-0-maps")
    page.open("Jobs")
    page.text("Downloads and updates appear here")
    page.judge("act-0-jobs")
    page.open("Storage")
    page.text("No maps are stored on this device.")
    page.press("Quick check")
    page.text("Everything is in order.")
    page.judge("act-0-storage")


def act_1(page):
    """A refused and a good sign-in, and a package that is searched for."""
    page.press("Sign in")
    page.type("input[type=password]", "wrong" + Keys.ENTER)
    page.text("Invalid username or password")
    page.type("input[type=password]", "demo" + Keys.ENTER)
    page.wait("the name", lambda: page.named("Demo Person"))
    page.open("Portal")
    page.type("main input[type=search]", "naperville" + Keys.ENTER)
    page.wait("one result", lambda: page.count(".result") == 1)
    page.address("#/portal?text=naperville")
    keep_search(page)
    page.press(TITLE, ".result a")
    page.wait("the item", lambda: page.named("Download", "main button"))
    page.judge("act-1-item")


def keep_search(page):
    """The address says what is searched for: it is there again after a reload, and going back shows the one before."""
    def search_of(text):
        page.wait(f"the search of {text!r}", lambda: page.value("main input[type=search]") == text)

    page.type("main input[type=search]", "zzqq" + Keys.ENTER)
    page.text('Nothing found for "zzqq"')
    page.judge("act-1-nothing")
    page.press("Search for everything", ".empty a")
    page.address("kind=kindAny")
    page.driver.refresh()
    page.text('Nothing found for "zzqq"')
    search_of("zzqq")
    page.driver.back()
    page.wait("the address before", lambda: "kind=kindAny" not in page.driver.current_url)
    page.driver.back()
    search_of("naperville")
    page.wait("one result", lambda: page.count(".result") == 1)


def come_back_to_list(page):
    """Who goes back from an item is where they were in the list."""
    page.open("Portal")
    page.type("main input[type=search]", Keys.BACKSPACE + Keys.ENTER)
    page.text("20 of")
    page.press("", ".result:nth-child(18) a")
    page.wait("the item", lambda: page.has(".back-link"))
    page.driver.back()
    page.wait("the place in the list", lambda: page.driver.execute_script("""
      const box = document.querySelector(".result:nth-child(18)")?.getBoundingClientRect();
      return box?.top >= 0 && box.bottom <= innerHeight;"""))


def act_2(page):
    """A download that is asked for twice, paused, and let go on."""
    ask(page, "/demo/faults", kind="slow", bytes=400_000, path=f"*/{ITEM}/data")
    page.press("Download", "main button")
    page.wait("the download", lambda: page.named(f"Pause {TITLE}"))
    page.driver.back()
    page.text("Downloading")
    page.judge("act-2-item")
    page.press("Show the downloads", "main a")
    page.press(f"Pause {TITLE}")
    page.wait("that it is paused", lambda: page.named(f"Resume {TITLE}"))
    page.judge("act-2-paused")
    mend(page)
    page.press(f"Resume {TITLE}")
    page.text(f'"{TITLE}" is on this device now.')
    page.wait("a way to open it", lambda: page.named("Open", ".notice button"))
    page.wait("the package", lambda: page.named(f"Open {TITLE}"))
    page.press(f"Log of {TITLE}")
    page.text("Paused.")
    page.judge("act-2-jobs")
    come_back_to_list(page)
    page.open("Maps")


def act_4(page):
    """Areas that wait for each other, one that is given up, and a portal that fails."""
    ask(page, "/demo/faults", kind="slow", bytes=150_000, path="*/data")
    for area in ("Casco Bay", "Acadia", "Katahdin"):
        page.press(f"Download {area}")
        page.wait("the download", lambda: page.named(f"Cancel {area}"))
    page.text("Being packaged by the portal")
    page.text("The portal could not package it")
    page.judge("act-4-queue")
    page.open("Jobs")
    page.press("Run next Katahdin")
    page.wait("its turn", lambda: not page.named("Run next Katahdin"))
    page.open("Maps")
    page.press("Cancel Acadia")
    # There is a question if something of it is here by now, which goes by itself once the download has ended.
    page.wait("that it is given up", lambda: page.named("Download Acadia") or (
        page.pressed("Cancel the download", "dialog button") and False))
    mend(page)
    for area in ("Casco Bay", "Katahdin"):
        page.wait(area, lambda: page.named(f"Open {area}"))
    ask(page, "/demo/faults", kind="status", status=500, path="/sharing/*")
    page.press("Refresh")
    page.wait("the reason", lambda: page.named("", ".screen-banner .problem-box"))
    assert page.named("Open Casco Bay") and page.named("Open Katahdin")
    page.judge("act-4-refused")
    page.press("Find offline areas Explore Maine")
    page.wait("a way to try again", lambda: page.named("Try again", ".notice button"))
    mend(page)
    page.press("Try again", ".notice button")
    page.text("offline areas were found")
    page.press("Refresh")
    page.wait("that it is gone", lambda: not page.named("", ".screen-banner .problem-box"))


def act_5(page):
    """A region of tiles: counted, taken although the server fails, asked again, and deleted."""
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
    page.click_map((-160, -120), (160, -120), (160, 120))
    part = page.wait("a count", lambda: drafted(page))
    page.click_map((-160, 120))
    # While it is drawn, each corner is counted anew. The area has more tiles of level 12 than an estimate looks at, so
    # that some are left to be downloaded.
    page.wait("the count of the whole area", lambda: drafted(page) > part)
    counted = drafted(page)
    page.press("Done", ".sketch-bar button")
    page.wait("that it may be downloaded", lambda: page.has(
        ".tiles-form .primary:not([aria-disabled])"))
    page.judge("act-5-plan")
    ask(page, "/demo/faults", kind="status", status=404, path="*/tile/12/*", count=2)
    ask(page, "/demo/faults", kind="status", status=500, path="*/tile/12/*")
    page.press("Download", ".tiles-form .primary")
    page.text("Partly complete")
    region = page.state("tiles")["regions"][0]["tiles"]
    assert region["planned"] == counted, (region, counted)
    assert region["absent"] == 2 and region["failed"] > 0, region
    assert region["stored"] + region["absent"] + region["blank"] + region["failed"] == counted
    page.wait("what has failed", lambda: page.each(".job details", "element.open = true"))
    page.text("answered with status 500")
    page.judge("act-5-in-part")
    mend(page)
    page.press("Retry Area 1")
    page.wait("the rest", lambda: page.state("tiles")["regions"][0]["status"] == "complete")
    page.text("2 absent")
    serve_and_explain(page)
    page.press("Update all regions")
    page.text("1 region is being checked for changes.")
    page.wait("the end", lambda: page.state("tiles")["regions"][0]["status"] == "complete")
    page.press("Delete Area 1")
    page.press("Delete", "dialog button")
    page.text("Freed ")
    page.wait("that it is gone", lambda: not page.state("tiles")["regions"])
    page.press("Close map")
    delete_damaged_cache(page)


def drafted(page):
    """How many tiles the region has that is being drawn; none while nothing was counted."""
    return max((draft["count"] for draft in page.state("tiles")["drafts"].values()), default=0)


def delete_damaged_cache(page):
    """A cache that was damaged and set aside is told with the storage, and deleted after a question."""
    damaged = page.state("tiles")["usage"]["file"] + ".set-aside-1"
    with open(damaged, "wb") as file:
        file.write(bytes(200_000))
    page.open("Storage")
    page.text("A damaged file of the tile cache was set aside.")
    page.text(damaged)
    page.judge("act-5-set-aside")
    page.press("Delete damaged tile caches")
    page.press("Delete", "dialog button")
    page.text("Freed ")
    page.no_text("Damaged tile caches")
    assert not os.path.exists(damaged)
    page.open("Maps")


def serve_and_explain(page):
    """Tiles for other programs, and why there is one at a place and none at another."""
    page.press("Choose a place")
    page.see(".sketch-bar")
    page.click_map((0, 0))
    page.text('The region "Area 1" keeps the tile.')
    page.press("Choose a place")
    page.see(".sketch-bar")
    # At the middle of the map, by keyboard alone.
    page.focus(".map-canvas")
    page.keys(Keys.ENTER)
    page.wait("the answer", lambda: not page.has(".sketch-bar"))
    page.text('The region "Area 1" keeps the tile.')
    page.press("Start serving")
    server = page.wait("the address", lambda: page.state("tiles")["server"])
    page.text(server["url"])
    with urllib.request.urlopen(server["layers"][0]["tilejson"]) as answer:
        assert json.loads(answer.read())["name"] == "Area 1"
    page.judge("act-5-served")
    page.press("Stop serving")
    page.wait("the end", lambda: not page.state("tiles")["server"])
    page.no_text(server["url"])


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
    page.wait("which it is", lambda: "The portal has a version of" in card(page))
    page.judge("act-6-available")
    page.press(f"Update {TITLE}")
    page.wait("the update", lambda: "Update available" not in card(page))


def act_7(page):
    """Edits that no service has yet, one that others have made too, and a decision side by side."""
    take_offline(page)
    rename(page, "Portland Head Light", "Portland Headlight")
    rename(page, "Ram Island Ledge Light", "Ram Island")
    page.press("Changes", ".tool")
    page.text("Ram Island")
    page.judge("act-7-changes")
    page.press("Close", ".side button")
    refuse_deletion(page)
    rename_at_service(page, "Portland Head Light", "Old Head Light")
    ask(page, "/demo/faults", kind="status", status=403, path="*/synchronizeReplica")
    page.press("Open Around Portland")
    page.tiles()
    page.press("Synchronize", ".tool")
    page.press("Synchronize", ".panel-sync button")
    page.text("You may not use")
    mend(page)
    page.press("Synchronize", ".panel-sync button")
    page.text("1 edit was sent. 1 edit waits for a decision.")
    conflict = page.read(".conflict")
    assert conflict.startswith("Portland Headlight (Lighthouses "), conflict
    assert "Portland Headlight" in conflict and "Old Head Light" in conflict, conflict
    page.judge("act-7-conflict")
    page.press("Keep mine", ".conflict button")
    page.text("There are no conflicts.")
    before = page.state("map")["revision"]
    page.press("Synchronize", ".panel-sync button")
    page.wait("the end", lambda: page.read(".panel-sync [role=status]") == "1 edit was sent.")
    # What came from the service is drawn.
    page.wait("other tiles", lambda: page.state("map")["revision"] > before)
    page.press("Changes", ".tool")
    page.text("Nothing was changed since")
    assert {"Portland Headlight", "Ram Island"} <= lighthouses(page).keys()


def take_offline(page):
    page.open("Maps")
    page.press("Open Explore Maine")
    page.tiles()
    page.press("Bookmarks", ".tool")
    page.press("Portland Head", ".bookmark")
    page.press("Take offline", ".tool")
    page.text("Towns")
    page.press("Maine and its neighbours", ".offline-layers li:has(input:checked) label")
    page.type(".offline-panel input[type=text]", "Around Portland")
    for width, height in ((375, 740), (1280, 800)):
        page.resize(width, height)
        draw_area(page, width)
    page.press("Use what is shown")
    page.press("Take offline", ".offline-panel .primary:not([aria-disabled])")
    page.open("Maps")
    page.press("Open Around Portland")
    page.tiles()


def draw_area(page, width):
    """While an area is drawn it is seen what it needs, and it can be taken at once."""
    page.press("Draw a rectangle")
    page.see(".sketch-bar")
    page.click_map((60, -70), (130, 20))
    page.wait("its size", lambda: "MB" in page.read(".offline-total"))
    page.wait("the button", lambda: page.has(".offline-footer .primary:not([aria-disabled])"))
    page.judge(f"act-7-area-{width}")
    hidden = page.driver.execute_script("""
      const isOnTop = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      };
      return [".offline-total strong", ".offline-footer .primary", ".sketch-bar .primary"]
        .filter((each) => !isOnTop(document.querySelector(each)));""")
    assert not hidden, f"{width}: {hidden} cannot be seen"
    page.press("Done", ".sketch-bar button")


def rename(page, found, name):
    """Finds a lighthouse of the open map by the beginning of its name, and gives it another one."""
    page.press("Find a place", ".tool")
    page.type(".place-search input", found[:10].lower())
    page.press(found, ".place-list button")
    page.press("Close", ".side button")
    page.press("Edit", ".detail-slot button")
    page.type(".form-panel input", name)
    page.press("Save", ".form-panel button")
    page.text("were saved")
    page.press("Close", ".popup button")


def refuse_deletion(page):
    """Edits that no service has are not deleted with one click."""
    page.press("Close map")
    page.press("Delete Around Portland")
    page.text("holds 2 edits not sent yet")
    page.keys(Keys.ESCAPE)
    page.wait("that it is closed", lambda: not page.has("dialog"))


def lighthouses(page):
    """The lighthouses at the service: object ids by name."""
    answer = ask(page, f"{SERVICE}/1/query", where="1=1", outFields="*", returnGeometry="false")
    found = [feature["attributes"] for feature in answer["features"]]
    return {each["NAME"]: each["OBJECTID"] for each in found}


def rename_at_service(page, name, other):
    update = [{"attributes": {"OBJECTID": lighthouses(page)[name], "NAME": other}}]
    answer = ask(page, f"{SERVICE}/1/applyEdits", updates=json.dumps(update))
    assert answer["updateResults"][0]["success"], answer


def act_8(page, home):
    """What takes space is deleted and taken back; a file that is damaged is found and repaired."""
    page.open("Maps")
    page.press("Open Katahdin")
    page.tiles()
    page.open("Maps")
    # What is open is not deleted.
    assert not page.named("Delete Katahdin")
    page.press("Open Katahdin")
    page.press("Close map")
    page.press("Delete Casco Bay")
    page.text("frees")
    page.press("Delete", "dialog button")
    page.press("Undo", ".notice button")
    page.wait("the map", lambda: page.named("Open Casco Bay"))
    exchange(page, home)
    damage(page, home)
    page.open("Storage")
    page.press("Quick check")
    page.text("1 finding")
    page.judge("act-8-damaged")
    page.press("Repair")
    page.text("Everything is in order.")
    page.press("Empty the trash")
    page.press("Empty the trash", "dialog button")
    page.text("Freed ")
    page.judge("act-8-storage")
    page.press("Delete Casco Bay (3)", ".data-table button")
    page.press("Delete", "dialog button")
    page.wait("that it is in the trash", lambda: page.named("Restore Casco Bay (3)"))
    page.press("Restore Casco Bay (3)", ".rows button")
    page.wait("that it is back", lambda: page.named("Delete Casco Bay (3)", ".data-table button"))
    page.open("Maps")
    page.wait("that it can be had again", lambda: page.named("Download Katahdin"))
    # A download whose token the portal takes back waits for somebody to sign in again.
    ask(page, "/demo/expire-tokens")
    page.press("Download Katahdin")
    page.text("Waiting for a sign-in to")
    page.press("Demo Person", "a")
    page.judge("act-8-sign-in-again")
    page.type("input[type=password]", "demo" + Keys.ENTER)
    page.wait("the map", lambda: page.named("Open Katahdin"))
    # Who signs out keeps what is here.
    page.press("Demo Person", "a")
    page.press("Sign out", "main button")
    page.wait("that nobody is signed in", lambda: page.named("Sign in", "a"))
    page.open("Maps")
    assert page.named("Open Casco Bay")


def exchange(page, home):
    """A map is saved as a file, and comes back beside the first, in its place, or not at all."""
    folder = f"{home}/saved"
    os.makedirs(folder)
    page.save_into(folder)
    page.press("Save as a file Casco Bay")
    file = page.saved(f"{folder}/Casco Bay.mmpk")
    bring_in(page, file)
    page.wait("the second", lambda: page.named("Open Casco Bay (2)"))
    # What differs from it has its name, and a person decides.
    with zipfile.ZipFile(file, "a") as package:
        package.writestr("note.txt", "Changed in the meantime.")
    bring_in(page, file)
    page.judge("act-8-import")
    page.press("Do not import it", "dialog button")
    page.text("exists already and was not replaced.")
    bring_in(page, file)
    page.press("Keep both", "dialog button")
    page.wait("the third", lambda: page.named("Open Casco Bay (3)"))
    with zipfile.ZipFile(file, "a") as package:
        package.writestr("another.txt", "And once more.")
    bring_in(page, file)
    page.press("Replace it", "dialog button")
    page.text("was updated.")
    # Nothing is adopted of what is cut short, or is no package.
    before = [item["id"] for item in page.state("maps")["items"]]
    cut = shutil.copy(file, f"{folder}/cut.mmpk")
    os.truncate(cut, os.path.getsize(cut) // 2)
    with open(f"{folder}/foreign.mmpk", "w", encoding="utf-8") as foreign:
        foreign.write("This is no package.")
    for name in ("cut", "foreign"):
        bring_in(page, f"{folder}/{name}.mmpk")
        page.wait(f"why {name} is refused", lambda: page.has(".notice.problem"))
        page.press("Dismiss", ".notice.problem button")
        page.wait("that it is read", lambda: not page.has(".notice.problem"))
    assert [item["id"] for item in page.state("maps")["items"]] == before
    watch(page, folder)


def watch(page, folder):
    """The packages of a folder are offered, and each is imported or dismissed."""
    page.press("Watch a folder")
    page.type("dialog input", f"{folder}/none")
    page.press("Watch", "dialog button")
    page.text("cannot be read")
    page.press("Dismiss", ".notice.problem button")
    page.press("Watch a folder")
    page.type("dialog input", folder)
    page.press("Watch", "dialog button")
    page.wait("the offers", lambda: page.named("Import foreign.mmpk"))
    page.judge("act-8-watched")
    page.press("Import cut.mmpk")
    page.wait("why it is refused", lambda: page.has(".notice.problem"))
    page.press("Dismiss", ".notice.problem button")
    for name in ("foreign", "Casco Bay"):
        page.press(f"Dismiss {name}.mmpk")
    page.wait("that nothing is offered", lambda: not page.has(".watched .rows"))
    shutil.copy(f"{folder}/Casco Bay.mmpk", f"{folder}/appeared.mmpk")
    page.press("Import appeared.mmpk")
    page.press("Do not import it", "dialog button")
    page.text("exists already and was not replaced.")
    page.press("Stop watching")
    page.wait("that it is over", lambda: page.named("Watch a folder"))


def bring_in(page, file):
    page.give(".package-drop input", file)


def act_9(page):
    """A server that asks for patience: which host is waited for is said where the download is, with how long."""
    page.open("Maps")
    area = next(each for each in page.state("maps")["items"] if each["title"] == "Acadia")
    packages = ask(
        page, f"/sharing/rest/content/items/{area['id']}/relatedItems",
        relationshipType="Area2Package")["relatedItems"]
    ask(page, "/demo/faults", kind="status", status=429, retryAfter=15,
        path=f"*/{packages[0]['id']}/data", count=1)
    page.press("Download Acadia")
    def rest():
        told = re.search(r"Waiting for localhost:\d+, (\d+) ", page.body())
        return int(told[1]) if told else 0

    first = page.wait("the host", rest)
    page.wait("that time goes by", lambda: 0 < rest() < first)
    page.judge("act-9-waits")
    page.open("Jobs")
    page.wait("the host", rest)
    page.judge("act-9-jobs")
    page.open("Maps")
    page.wait("the map", lambda: page.named("Open Acadia"))
    page.wait("that nothing is waited for", lambda: rest() == 0)
    mend(page)


def damage(page, home):
    """Cuts a file of a stored map."""
    item = next(each for each in page.state("maps")["items"] if each["title"] == "Katahdin")
    file = glob.glob(f"{home}/**/{item['id']}/**/*.tpk*", recursive=True)[0]
    os.truncate(file, 20_000)


def act_10(page, home):
    """Two pages change the same feature: the second is told, and what it has entered is in the form again."""
    page.open("Maps")
    page.press("Open Acadia")
    page.tiles()
    open_form(page, "Bass Harbor")
    page.type(".form-panel input", "Mine")
    page.type(".form-panel input", "1859", index=1)
    first = page.driver.current_window_handle
    address = page.driver.current_url
    page.driver.switch_to.new_window("tab")
    # The address opens the same map at the same place.
    page.driver.get(address)
    page.tiles()
    assert page.driver.current_url == address
    open_form(page, "Bass Harbor")
    page.type(".form-panel input", "Theirs" + Keys.ENTER)
    page.text("were saved")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.press("Save", ".form-panel button")
    page.press("Open it again with my changes", ".notice button")
    page.text("By now it is: Theirs.")
    expect_entered(page, "Mine", "1859")
    page.judge("act-10-again")
    page.press("Save", ".form-panel button")
    page.text("were saved")
    page.wait("the name", lambda: page.read(".popup h2") == "Mine")
    enter_while_stored(page)
    # What is edited here is closed before a file is made of it.
    page.open("Maps")
    page.press("Save as a file Acadia")
    page.press("Close the map and try again", ".notice button")
    page.saved(f"{home}/saved/Acadia.mmpk")


def expect_entered(page, *values):
    """The first fields of the form hold that, once it was filled in."""
    page.wait(f"{values} in the form", lambda: page.each(
        ".form-panel input", "element.value")[:len(values)] == list(values))


def enter_while_stored(page):
    """What is entered while the form is being stored is in a form for the feature as it is then, and can be stored too."""
    page.press("Edit", ".detail-slot button")
    page.see(".form-panel input")
    page.type(".form-panel input", "1860", index=1)
    # The answer comes once it is let go.
    page.driver.execute_script("""
      const { fetch } = window;
      window.fetch = async (address, request) => {
        const answer = await fetch(address, request);
        if (!String(address).endsWith("map/form-submit")) return answer;
        window.fetch = fetch;
        return new Promise((resolve) => { window.letGo = () => resolve(answer); });
      };""")
    page.press("Save", ".form-panel button")
    page.wait("the answer", lambda: page.driver.execute_script("return Boolean(window.letGo);"))
    page.type(".form-panel input", "Mine too")
    page.driver.execute_script("window.letGo();")
    page.text("were saved")
    expect_entered(page, "Mine too", "1860")
    assert page.driver.execute_script(
        "return document.activeElement === document.querySelector('.form-panel input');")
    page.press("Save", ".form-panel button")
    page.wait("the name", lambda: page.read(".popup h2") == "Mine too")
    assert "1860" in page.read(".popup").replace(",", "")


def open_form(page, name):
    """Opens the form of a feature of the open map that is found by the beginning of its name."""
    page.press("Find a place", ".tool")
    page.type(".place-search input", name.lower())
    page.press(name, ".place-list button")
    page.press("Close", ".side button")
    page.press("Edit", ".detail-slot button")
    page.see(".form-panel input")


def act_11(page, app, file):
    """A program that is killed while somebody edits: the next one opens the map, and the form is as it was."""
    bring_in(page, file)
    page.press("Open Acadia")
    page.tiles()
    open_form(page, "Mine")
    page.type(".form-panel input", "Half a name")
    app.restart()
    page.text("Portolan is running again.")
    page.text("What you entered before is in the form again.")
    expect_entered(page, "Half a name")
    page.judge("act-11-again")
    page.press("Save", ".form-panel button")
    page.text("were saved")
    page.driver.get_log("browser")  # It had to complain about the server that was not there.


def act_12(page):
    """Long words in a title and a summary make no screen wider than a phone, and messages make room for what they are about."""
    title = "Wasserversorgungsgesellschaftskartenbuch und noch ein langer Titel/mit Schrägstrich"
    page.resize(375, 740, dark=True)
    update_item(page, title, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3)
    for screen in ("Maps", "Jobs", "Storage"):
        page.open(screen)
        page.text("Wasserversorgung")
        page.judge(f"act-12-{screen.lower()}")
    # Of several messages one is seen; it is not taken along to the next screen once it was read.
    page.open("Maps")
    for name in ("first", "second"):
        with open(f"{page.pictures.folder}/{name}.mmpk", "w", encoding="utf-8") as foreign:
            foreign.write("This is no package.")
        bring_in(page, f"{page.pictures.folder}/{name}.mmpk")
        page.text(f"{name}.mmpk is not a mobile map package")
    seen = page.each(".notice.problem", "element.checkVisibility({ opacityProperty: true, visibilityProperty: true })")
    assert sum(seen) == 1, seen
    page.wait("that they were there for a while", lambda: page.driver.execute_script(
        "return [...document.querySelectorAll('.notice')].every(({ dataset }) => Date.now() - dataset.since > 3100)"))
    page.open("Jobs")
    page.wait("that they are gone", lambda: not page.has(".notice.problem"))
    page.resize(1280, 860)
    update_item(page, TITLE, "Three maps of an invented water network.")


def update_item(page, title, snippet):
    """Gives the package another title at the portal, and downloads it again from the screen of its item."""
    token = ask(
        page, "/sharing/rest/generateToken", username="demo", password="demo",
        client="requestip")["token"]
    ask(page, f"/sharing/rest/content/users/demo/items/{ITEM}/update", token=token, title=title,
        snippet=snippet)
    page.open("Portal")
    page.type("main input[type=search]", "naperville" + Keys.ENTER)
    page.press(title, ".result a")
    page.wait("the item", lambda: page.read("main h1") == title)
    page.judge(f"act-12-item-{len(title)}")
    page.press("Update", "main button")
    page.wait("the update", lambda: any(
        row["title"] == title and row["state"] == "stored" for row in page.state("maps")["items"]))


def keep_bookmark(page):
    """What is seen is kept as a bookmark of one's own, and removed again."""
    def names():
        return [each["name"] for each in page.state("map")["bookmarks"]]

    page.type(".bookmark-form input", "Leak site" + Keys.ENTER)
    page.wait("the bookmark", lambda: names()[-1] == "Leak site")
    page.press("Leak site", ".bookmark")
    page.press("Remove \"Leak site\"")
    page.wait("that it is gone", lambda: "Leak site" not in names())


def act_3(page):
    """The package is opened, read and searched with no network."""
    page.press("Cut the network")
    page.text("Offline")
    page.open("Maps")
    page.press(f"Open {TITLE}")
    page.tiles()
    page.press("Layers", ".tool")
    page.text("Water mains")
    page.press("Bookmarks", ".tool")
    page.press("Waterworks", ".bookmark")
    keep_bookmark(page)
    page.press("Find a place", ".tool")
    page.type(".place-search input", "1223 oak")
    page.wait("suggestions", lambda: page.named("1223 Oak Avenue", ".place-list button"))
    page.judge("act-3-suggestions")
    search_in_layers(page)
    page.press("1223 Oak Avenue", ".place-list button")
    page.text("City")
    page.judge("act-3-place")
    if not page.has(".place-search input"):
        page.press("Find a place", ".tool")
    page.type(".place-search input", "zzz")
    page.text("There are no matches in this map")


def search_in_layers(page):
    """The layers that are chosen are searched, and no others."""
    layer = page.read(".place-list .hint")
    page.press("Search in all layers", "summary")
    for name in page.each(".search-layers label", "element.innerText.trim()"):
        page.press(name, ".search-layers li:has(input:checked) label")
    page.text("Choose a layer to search in.")
    page.press(layer, ".search-layers label")
    page.text("Search in 1 of")
    page.wait("suggestions", lambda: page.named("1223 Oak Avenue", ".place-list button"))
    page.judge("act-3-layers")


def main(portolan, folder):
    pictures = Pictures(folder, f"{os.path.dirname(os.path.abspath(__file__))}/Pictures")
    empty, app = App(portolan, demo=False), App(portolan)
    driver = browser()
    page = Page(driver, pictures)
    try:
        with keeping_failure(driver, f"{folder}/failed-acts.png"):
            driver.get(empty.url)
            act_0(page)
            driver.get(app.url)
            # The network is cut last, since that cannot be undone.
            acts = (
                act_1, act_2, act_4, act_5, act_6, act_7, lambda page: act_8(page, app.home), act_9,
                lambda page: act_10(page, app.home), act_12, act_3)
            for act in acts:
                act(page)
                assert not (errors := page.errors()), errors
            driver.get(empty.url)
            act_11(page, empty, f"{app.home}/saved/Acadia.mmpk")
    finally:
        driver.quit()
        app.stop()
        empty.stop()
    assert not pictures.failures, pictures.failures


if __name__ == "__main__":
    main(*sys.argv[1:])
