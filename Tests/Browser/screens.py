"""Every screen of the web app for people without a pointer, without eyes, or with another window.

    python screens.py .build/debug/portolan

Nothing is clicked here. On each screen Tab must reach all that can be used, one after the other, with
a focus that can be seen; what a screen reader is told must have names; and nothing may be cut off on
a phone in dark and on a large screen.
"""

import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from page import App, Page, browser, keeping_failure

# Those elements of the accessibility tree that people use or find their way by.
NAMED = {
    "button", "link", "textbox", "searchbox", "checkbox", "combobox", "listbox", "radio", "slider",
    "spinbutton", "dialog", "progressbar", "heading", "application", "img", "image", "region",
    "DisclosureTriangle", "Date", "DateTime", "InputTime", "navigation", "switch",
}

FOCUS = """
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const ring = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const next = element.nextElementSibling;
  const box = (element.matches(".visually-hidden") && next ? next : element).getBoundingClientRect();
  const at = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]].map(([x, y]) =>
    document.elementFromPoint(box.left + box.width * x, box.top + box.height * y));
  const isShown = at.some((hit) => hit && (element.contains(hit) || hit.contains(element)
    || next?.contains(hit)));
  const over = at[0]?.outerHTML.slice(0, 160) ?? `nothing, at ${JSON.stringify(box)}`;
  window.reached ??= new Set();
  const isNew = !window.reached.has(element);
  window.reached.add(element);
  return {
    isNew, isShown, over, html: element.outerHTML.slice(0, 160),
    hasRing: ring(getComputedStyle(element)) || ring(getComputedStyle(element, "::after"))
      || Boolean(next && ring(getComputedStyle(next))),
  };
"""

MISSED = """
  const root = document.querySelector("dialog[open]") ?? document;
  const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  // Of the radio buttons of a group Tab reaches one; the arrow keys lead along them.
  const groups = new Set([...window.reached ?? []].map((element) =>
    element.type === "radio" && element.name).filter(Boolean));
  return [...root.querySelectorAll(all)].filter((element) => element.checkVisibility()
    && element.tabIndex >= 0 && !element.disabled && !(element.type === "radio" && groups.has(element.name)) && !window.reached?.has(element)
    && element.getClientRects().length > 0).map((element) => element.outerHTML.slice(0, 160));
"""

LISTEN = """
  window.told = [];
  const tell = () => document.querySelectorAll("[aria-live], [role=status], [role=alert]").forEach(
    (region) => window.told.at(-1) !== region.textContent && window.told.push(region.textContent));
  new MutationObserver(tell).observe(
    document.body, { childList: true, subtree: true, characterData: true });
"""


class Reader:
    """A person who has a keyboard and a screen reader."""

    def __init__(self, page):
        self.page = page
        self.driver = page.driver

    def focus(self):
        return self.driver.execute_script(FOCUS)

    def is_on(self, name, inside=None):
        """Whether the focus is on something whose label begins so."""
        return self.driver.execute_script("""
          const [name, inside] = arguments;
          const element = document.activeElement;
          const label = element.ariaLabel || element.labels?.[0]?.textContent || element.innerText
            || element.title || "";
          return label.trim().startsWith(name) && (!inside || element.closest(inside) !== null);""", name, inside)

    def comes_to(self, name):
        """Waits until the focus has come to something whose label begins so by itself."""
        self.page.wait(f"the focus on {name!r}", lambda: self.is_on(name))

    def enter(self, words):
        """Takes the place of all that the field with the focus holds."""
        self.page.type(lambda: self.driver.switch_to.active_element, words)

    def reach(self, name, inside=None):
        """Presses Tab until something of that name has the focus."""
        for _ in range(150):
            if self.is_on(name, inside):
                return
            self.page.keys(Keys.TAB)
        raise AssertionError(f"Tab does not lead to {name!r}")

    def use(self, name, inside=None, key=Keys.ENTER):
        self.page.wait(name, lambda: self.page.named(
            name, f"{inside or ''} :is(a, button, input, summary):not([aria-disabled=true], [aria-busy=true])"))
        self.reach(name, inside)
        self.page.keys(key)

    def is_inside(self, selector):
        return self.driver.execute_script(
            "return Boolean(document.activeElement.closest(arguments[0]))", selector)

    def is_told(self, words):
        self.page.wait(f"to be told {words!r}", lambda: self.driver.execute_script(
            "return window.told.some((text) => text.includes(arguments[0]))", words))

    # What holds for each screen.

    def inspect(self, name):
        """Judges the screen as it is now, and leaves it with the focus where it was."""
        self.page.settle()
        self.walk(name)
        self.hear(name)
        for width, height, dark in (
                (375, 740, True), (768, 1024, False), (2560, 1300, False), (1280, 860, False)):
            self.page.resize(width, height, dark)
            if width == 1280:
                break
            self.page.settle()
            self.page.judge(f"{name} at {width} pixels")

    def walk(self, name):
        """Tab goes through all there is, and out again."""
        self.driver.execute_script(
            "window.before = document.activeElement; window.reached = new Set();"
            "(document.querySelector('dialog[open]') ?? document.querySelector('.skip-link')).focus()")
        for _ in range(400):
            focus = self.focus()
            if focus:
                if not focus["isNew"]:
                    break
                for _ in range(30):
                    if focus["hasRing"] and focus["isShown"]:
                        break
                    self.page.drawn()  # It may have been on its way.
                    focus = self.focus()
                assert focus["hasRing"], f"{name}: the focus cannot be seen on {focus['html']}"
                assert focus["isShown"], f"{name}: {focus['over']} lies over {focus['html']}"
            self.page.keys(Keys.TAB)
        else:
            raise AssertionError(f"{name}: Tab does not come to an end")
        missed = self.driver.execute_script(MISSED)
        assert not missed, f"{name}: Tab does not reach {missed}"
        self.driver.execute_script("window.before?.focus({ preventScroll: true })")

    def hear(self, name):
        """What a screen reader is told."""
        nodes = [
            (node["role"]["value"], (node.get("name") or {}).get("value", "").strip())
            for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            if not node.get("ignored")
        ]
        nameless = [role for role, text in nodes if role in NAMED and not text]
        assert not nameless, f"{name}: without a name: {nameless}"
        if not self.page.has("dialog[open]"):
            roles = [role for role, _ in nodes]
            assert roles.count("main") == 1 and "navigation" in roles, f"{name}: {roles}"


def sign_in(reader):
    page = reader.page
    reader.inspect("maps")
    reader.use("Sign in")
    page.see("input[type=password]")
    reader.inspect("sign-in")
    reader.reach("Password")
    page.keys("wrong", Keys.ENTER)
    reader.is_told("Invalid username or password")
    reader.reach("Password")
    page.keys("demo", Keys.ENTER)
    page.wait("the name", lambda: page.named("Demo Person"))


def browse(reader):
    page = reader.page
    reader.use("Portal", ".sections")
    page.text("20 of")
    reader.inspect("portal")
    reader.use("Explore Maine", ".result")
    page.text("Could not be loaded")
    reader.inspect("item")
    reader.use("Sign in to its server Harbor lights", "main")
    page.see("dialog")
    page.wait("the focus in it", lambda: reader.is_inside("dialog"))
    reader.inspect("server sign-in")
    leave_dialog(reader, "Sign in to its server")


def leave_dialog(reader, opener):
    """Escape closes a dialog, and the focus is where it was."""
    reader.page.keys(Keys.ESCAPE)
    reader.page.wait("that it is closed", lambda: not reader.page.has("dialog"))
    reader.comes_to(opener)


def download(reader):
    page = reader.page
    reader.use("Maps", ".sections")
    reader.use("Download options Casco Bay", "main")
    page.see("dialog")
    reader.inspect("download options")
    leave_dialog(reader, "Download options")
    reader.use("Download Casco Bay", "main")
    reader.is_told("Casco Bay")
    page.wait("the download", lambda: page.named("Open Casco Bay"))
    reader.is_told("is on this device now")
    reader.use("Details Casco Bay", "main")
    page.text("7 bookmarks")
    reader.inspect("details")
    reader.use("Delete Casco Bay", "main")
    page.see("dialog")
    reader.inspect("delete")
    leave_dialog(reader, "Delete")
    reader.use("Jobs", ".sections")
    reader.use("Log of Casco Bay", "main")
    page.text("Harbor lights")
    reader.inspect("jobs")
    reader.use("Storage", ".sections")
    reader.use("Quick check", "main")
    reader.is_told("Everything is in order.")
    reader.inspect("storage")


def change_settings(reader):
    """What is refused is said beside its field; what is saved holds until the default is wanted again."""
    page = reader.page

    def values():
        told = {each["key"]: each["value"] for each in page.state("settings")["settings"]}
        return told["page-size"], told["background-sync"]

    reader.use("Settings", ".header-end")
    page.text("Synchronize by itself")
    reader.inspect("settings")
    reader.reach("Results on a page")
    reader.enter("1000")
    page.keys(Keys.ENTER)
    reader.is_told("Correct the marked settings")
    page.wait("the focus on what is refused", lambda: page.driver.execute_script(
        "return document.activeElement.getAttribute('aria-invalid')") == "true")
    page.judge("settings refused")
    reader.enter("7")
    reader.reach("Synchronize by itself")
    page.keys(Keys.ARROW_DOWN)
    reader.use("Save", "main")
    reader.is_told("The settings were saved.")
    # The answer may come before the event.
    page.wait("the settings", lambda: values() == (7, "on"))
    reader.inspect("settings changed")
    for name in ("Results on a page", "Synchronize by itself"):
        reader.use(f"Use the default {name}", "main")
        reader.is_told(f"{name} is the default again")
        reader.comes_to(name)
    page.wait("the defaults", lambda: all(
        each["origin"] != "file" for each in page.state("settings")["settings"]))


def use_map(reader):
    page = reader.page
    reader.use("Maps", ".sections")
    reader.use("Open Casco Bay", "main")
    page.tiles()
    for tool in ("Find a place", "Layers", "Legend", "Bookmarks", "Regions", "Add feature", "Changes",
                 "Synchronize", "Problems"):
        reader.use(tool, ".tool-row")
        page.wait("the focus in it", lambda: reader.is_inside(".side"))
        page.settle()
        reader.walk(tool)
        reader.hear(tool)
        page.focus(".side h2")
        page.keys(Keys.ESCAPE)
        page.wait("that it is closed", lambda: not page.has(".side"))
        reader.comes_to(tool)
    edit(reader)


def edit(reader):
    """A feature is found, changed, and the change undone."""
    page = reader.page
    reader.use("Find a place", ".tool-row")
    page.see(".place-search input")
    reader.reach("Name, address or coordinates")
    page.keys("portland he")
    reader.use("Portland Head", ".place-list")
    page.text("Height of the tower")
    reader.inspect("popup")
    reader.use("Remove portland-head-light.png", ".popup")
    page.see("dialog")
    leave_dialog(reader, "Remove")
    reader.use("Edit", ".popup")
    page.wait("the focus in it", lambda: reader.is_inside(".form-panel"))
    reader.use("Read-only fields", ".form-panel")
    reader.inspect("form")
    reader.reach("Name", ".form-panel")
    page.keys("Keyboard Light", Keys.ENTER)
    reader.is_told("were saved")
    page.wait("the focus in it", lambda: reader.is_inside(".popup"))
    reader.use("Undo", ".tool-row")
    reader.is_told("1 change was undone.")


def pan(page, *keys):
    """Moves the map under the crosshair; it takes no key while it is still moving."""
    for key in keys:
        page.keys(key)
        stand_still(page)


def stand_still(page):
    page.wait("that the map stands still", lambda: not page.has(".leaflet-pan-anim"))


def draw(reader):
    """An area is drawn with the keys of the map, corner by corner, and added."""
    page = reader.page
    right, down, left, up = Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP
    reader.use("Add feature", ".tool-row")
    reader.use("Parks", ".side")
    page.see(".sketch-bar")
    page.wait("the focus on the map", lambda: reader.is_inside(".leaflet-container"))
    page.text("Enter on the first or the last corner finishes")
    page.see(".crosshair")
    page.judge("sketch by keyboard")
    page.resize(375, 740)
    covering = page.driver.execute_script("""
      const { left, top, width, height } = document.querySelector(".crosshair").getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height + 1);
      return hit?.closest(".sketch-bar")?.innerText;""")
    assert not covering, f"{covering!r} lies over the crosshair"
    page.resize(1280, 860)
    page.keys(Keys.ENTER)
    reader.is_told("Vertex 1 was added.")
    page.keys(Keys.SPACE)
    reader.is_told("Vertex 1 is here already.")
    pan(page, right)
    page.keys(Keys.SPACE)
    pan(page, right)
    page.keys(Keys.ENTER)
    reader.is_told("Press Enter again to finish.")
    page.text("3 vertices")
    page.keys(Keys.BACKSPACE)
    reader.is_told("The last vertex was removed.")
    page.text("2 vertices")
    pan(page, left, down)
    page.keys(Keys.SPACE)
    page.text("3 vertices")
    pan(page, left, up)
    move_vertex(reader)
    page.keys(Keys.ENTER)
    reader.is_told("The drawing is finished.")
    page.wait("the end", lambda: not page.has(".sketch-bar"))
    reader.reach("Name", ".form-panel")
    page.keys("Keyboard Park", Keys.ENTER)
    page.text("was added")
    page.wait("that it can be undone", lambda: page.state("map")["undoCount"] > 0)
    reader.use("Undo", ".tool-row")
    page.wait("that it is undone", lambda: page.state("map")["undoCount"] == 0)


def move_vertex(reader):
    """Tab reaches each vertex; the arrow keys move it, and Delete removes it."""
    page = reader.page
    place = "return document.activeElement.getBoundingClientRect().left"
    reader.reach("Vertex 2")
    # The map moves so that all of what has the focus is seen.
    stand_still(page)
    begin = page.driver.execute_script(place)
    page.keys(Keys.ARROW_RIGHT)
    with_shift = ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT)
    with_shift.key_up(Keys.SHIFT).perform()
    page.wait(
        "that the vertex has moved",
        lambda: abs(page.driver.execute_script(place) - begin - 11) < 1.1)
    reader.reach("Vertex 3")
    page.keys(Keys.DELETE)
    page.text("2 vertices")
    page.wait("the focus on the map", lambda: reader.is_inside(".leaflet-container"))
    pan(page, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    page.keys(Keys.ENTER)
    page.text("3 vertices")
    pan(page, Keys.ARROW_LEFT, Keys.ARROW_UP)


def reload(page, url):
    """A page that an older Portolan has sent loads itself again, and says so."""
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
      const Source = window.EventSource;
      window.EventSource = class extends Source {
        addEventListener(name, listener) {
          super.addEventListener(name, (event) => {
            if (name === "hello" && !sessionStorage.wasOlder) {
              sessionStorage.wasOlder = true;
              listener({ data: JSON.stringify({ ...JSON.parse(event.data), version: "older" }) });
            }
            listener(event);
          });
        }
      };"""})
    page.driver.get(url)
    page.text("so this page was loaded again")
    page.text("Casco Bay")
    assert page.driver.execute_script(
        "return performance.getEntriesByType('navigation')[0].type") == "reload"


def enter_dates(page):
    """Moments are entered in the time zone of the person, and sent in UTC."""
    page.driver.execute_cdp_cmd(
        "Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    answer = page.driver.execute_async_script("""
      const [done] = arguments;
      const { createFormField } = await import("/page/form-fields.js");
      const field = { name: "d", label: "Date", type: "date", text: "2026-05-03T21:00:05Z" };
      const own = createFormField(field, async ({ text }) => done([shown, hint, text]));
      const [shown, hint] = [own.control.value, own.element.querySelector(".hint").textContent];
      own.control.value = "2026-12-03T08:30";
      own.flush();
    """)
    page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
    shown, hint, sent = answer
    assert shown == "2026-05-03T17:00:05" and "America/New_York" in hint, answer
    assert sent == "2026-12-03T13:30:00.000Z", answer
    print("ok   dates in the time zone of the person", flush=True)


def enter_stored_dates(page):
    """Moments whose time zone is unknown are entered and sent as they are stored."""
    page.driver.execute_cdp_cmd(
        "Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    answer = page.driver.execute_async_script("""
      const [done] = arguments;
      const { createFormField, shownText } = await import("/page/form-fields.js");
      const field = {
        name: "d", label: "Date", type: "date", text: "2026-05-03T21:00:05Z", timeZoneUnknown: true,
      };
      const own = createFormField(field, async ({ text }) => done([shown, hint, shownText(field), text]));
      const [shown, hint] = [own.control.value, own.element.querySelector(".hint").textContent];
      own.control.value = "2026-12-03T08:30";
      own.flush();
    """)
    page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
    shown, hint, read_only, sent = answer
    assert shown == "2026-05-03T21:00:05" and hint == "" and "9:00" in read_only, answer
    assert sent == "2026-12-03T08:30:00.000Z", answer
    print("ok   dates whose time zone is unknown", flush=True)


def come_back(page):
    """A map is where it was left when the page is loaded again, and opens again where it was closed."""
    def go(address):
        page.driver.execute_script("location.hash = arguments[0]", address)

    go("#/item/%")
    page.text("There is no such page")
    go("#/map")
    page.tiles()
    whole = page.read(".map-scale")
    # A place on another map, one that is not there, moves nothing, and the address follows the map again.
    go("#/map?map=none&at=43,-70,12")
    page.press("Dismiss", ".notice.problem button")
    page.wait("the address of the map", lambda: "map=none" not in page.driver.current_url)
    assert page.read(".map-scale") == whole
    before = page.driver.current_url
    page.focus(".map-canvas")
    page.keys("+")
    page.wait("a larger scale", lambda: page.read(".map-scale") != whole)
    page.settle()
    left = page.read(".map-scale")
    page.wait("the address of the place", lambda: page.driver.current_url != before)
    page.address("&at=")
    address = page.driver.current_url
    page.driver.refresh()
    page.tiles()
    page.wait(f"the scale {left}", lambda: page.read(".map-scale") == left)
    # The address alone is enough, also where nothing is open.
    page.driver.execute_script("sessionStorage.clear()")
    page.press("Close map")
    page.see("article[aria-label='Casco Bay']")
    page.driver.get(address)
    page.tiles()
    page.wait(f"the scale {left}", lambda: page.read(".map-scale") == left)
    page.press("Close map")
    page.see("article[aria-label='Casco Bay']")
    page.driver.back()
    page.tiles()
    page.wait(f"the scale {left}", lambda: page.read(".map-scale") == left)
    go("#/map?map=none&at=nowhere")
    page.text("Casco Bay")
    page.press("Dismiss", ".notice.problem button")
    # As another page would close it.
    page.driver.execute_script("import('/page/api.js').then((api) => api.post('map/close'))")
    page.text("No map is open")
    page.on(lambda: page.find('Open "Casco Bay" again', "button"), lambda button: button.send_keys(Keys.ENTER))
    page.tiles()
    page.wait(f"the scale {left}", lambda: page.read(".map-scale") == left)
    print("ok   coming back to a map", flush=True)


def main(portolan, folder):
    app = App(portolan)
    driver = browser()
    page = Page(driver)
    reader = Reader(page)
    try:
        with keeping_failure(driver, f"{folder}/failed-screens.png"):
            driver.get(app.url)
            page.see("article[aria-label='Casco Bay']")
            driver.execute_script(LISTEN)
            for part in (sign_in, browse, download, change_settings, use_map, draw):
                part(reader)
                assert not (errors := page.errors()), errors
            reload(page, app.url)
            enter_dates(page)
            enter_stored_dates(page)
            come_back(page)
            assert not (errors := page.errors()), errors
    finally:
        driver.quit()
        app.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
