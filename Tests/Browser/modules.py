"""Runs modules of the page alone, with answers that are held back or made up, as no demo portal gives them.

    python modules.py
"""

import functools
import http.server
import pathlib
import threading

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from page import Page, browser

FILES = pathlib.Path(__file__).resolve().parents[2] / "Sources/PortolanWeb/Page"

# Stands in for Portolan: `answers` are given to actions by their names, `asked` is what was asked, and
# `tell(name, state)` is an event.
STAGE = """<!DOCTYPE html><html lang="en"><title>Modules</title><body><script>
  window.asked = [];
  window.answers = {};
  window.fetch = async (address, { body } = {}) => {
    const name = String(address).replace("/api/", "");
    const request = JSON.parse(body ?? "{}");
    window.asked.push([name, request]);
    const answer = await window.answers[name]?.(request);
    const text = JSON.stringify(answer ?? {});
    const response = new Response(text, { status: answer?.problem ? 409 : 200 });
    // A browser reads an answer whenever it has the time; here it has been read before the next pause.
    response.json = async () => JSON.parse(text);
    return response;
  };
  window.EventSource = class extends EventTarget {
    constructor() { super(); window.source = this; }
    close() {}
  };
  window.tell = (name, state) => window.source.dispatchEvent(
    new MessageEvent(name, { data: JSON.stringify(state) }));
</script>"""


class Files(http.server.SimpleHTTPRequestHandler):
    """The page's own files, below /page/, and an empty page to run them in."""

    def do_GET(self):
        if self.path.startswith("/page/"):
            self.path = self.path.removeprefix("/page")
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(STAGE.encode())

    def log_message(self, *_):
        pass


def run(page, script):
    """Runs a script that may wait, and returns what it returns."""
    answer = page.driver.execute_async_script("""
      const done = arguments[arguments.length - 1];
      const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
      (async () => { %s })().then((value) => done([value ?? null]), (problem) => done(String(problem.stack)));
      """ % script)
    assert isinstance(answer, list), answer
    return answer[0]


def control(page, name):
    """What gives the control of a field."""
    return lambda: run(page, f"return window.control('{name}');")


FORM = """
  const { createFormPanel } = await import("/page/form-panel.js");
  const field = (name, type, more) => ({
    name, label: name, type, value: null, text: "", required: false, editable: true, readOnlyReason: null, length: null,
    choices: [], range: null, problem: null, ...more,
  });
  const coded = (...codes) => codes.map((code) => ({ code, name: `Number ${code}` }));
  window.state = {
    form: 1, purpose: "update", templates: [], isChanged: true, canSubmit: true, geometry: null, fields: [
      field("Kind", "smallInteger", { choices: coded(1, 2), value: 1, text: "Number 1" }),
      field("Size", "integer", { choices: coded(10, 11), value: 10, text: "Number 10" }),
      field("Built", "date", { value: "2026-05-03T10:00:00Z", text: "2026-05-03T10:00:00Z" }),
      field("Same", "smallInteger", {
        choices: [{ code: 1, name: "Other" }, { code: 2, name: "Other" }], value: 2, text: "Other",
      }),
    ],
  };
  window.answers["map/form-set"] = ({ field: name, text }) => {
    const [kind, size] = window.state.fields;
    const changed = name === "Kind" ? kind : size;
    Object.assign(changed, { value: Number(text), text: `Number ${text}` });
    // What another subtype does not have stays, until it is changed.
    if (name === "Kind") Object.assign(size, { choices: coded(10, 20, 21), text: String(size.value) });
    return window.state;
  };
  window.panel = createFormPanel(window.state, { title: "Form", geometry: null }, {
    preview() {}, draw() {}, submitted() { window.isStored = true; }, conflicted() {}, cancelled() {},
  });
  document.body.replaceChildren(window.panel.element);
  window.control = (name) => [...document.querySelectorAll(".field")]
    .find((each) => each.textContent.startsWith(name)).querySelector("input, select");
"""


def take_other_subtype(page):
    """With another subtype a field offers the values of that; what was entered before is kept for a form that is lost."""
    run(page, FORM)
    run(page, """
      const change = async (name, value) => {
        const control = window.control(name);
        control.value = value;
        control.dispatchEvent(new Event("change"));
        await new Promise((resolve) => setTimeout(resolve, 50));
      };
      await change("Size", "11");
      await change("Kind", "2");""")
    offered = run(page, "return [...window.control('Size').options].map(({ value }) => value);")
    assert offered == ["", "10", "20", "21", "11"], offered
    assert run(page, "return window.control('Size').value;") == "11"
    draft = run(page, "return window.panel.draft().changes.map(({ name, text }) => [name, text]);")
    assert ["Kind", "2"] in draft and ["Size", "11"] in draft, draft
    assert run(page, "return window.control('Same').value;") == "2", "a name that two values have"


def keep_half_a_date(page):
    """A date of which a part was deleted is not stored as none."""
    run(page, FORM)
    page.on(control(page, "Built"), lambda date: date.click())
    page.keys(Keys.HOME, Keys.BACKSPACE)
    assert run(page, "return window.control('Built').validity.badInput;")
    page.press("Save", ".form-panel button")
    page.text("This is incomplete.")
    assert run(page, "return document.activeElement === window.control('Built');")
    sent = run(page, "return window.asked.map(([name]) => name);")
    assert "map/form-submit" not in sent and "map/form-set" not in sent, sent


def send_what_is_chosen(page):
    """What is chosen from a list is sent as its code, which may be the name of another value, and kept as one."""
    run(page, FORM)
    run(page, """
      const control = window.control("Kind");
      control.value = "2";
      control.dispatchEvent(new Event("change"));
      await pause();""")
    sent = run(page, "return window.asked.find(([name]) => name === 'map/form-set')[1];")
    assert sent == {"field": "Kind", "text": "2", "isCode": True, "form": 1}, sent
    kept = run(page, "return window.panel.draft().changes.find(({ name }) => name === 'Kind').isCode;")
    assert kept is True


def take_template_in_turn(page):
    """A template is chosen after what was entered before it has arrived, and the form is what it makes of it."""
    run(page, """
      const { createFormPanel } = await import("/page/form-panel.js");
      window.form = (text) => ({
        form: 1, purpose: "add", templates: ["Camp", "Hut"], isChanged: true, canSubmit: true, geometry: null, fields: [{
          name: "Name", label: "Name", type: "string", value: text, text, required: false, editable: true,
          readOnlyReason: null, length: null, choices: [], range: null, problem: null,
        }],
      });
      window.answers["map/form-set"] = ({ text }) => new Promise((resolve) => {
        window.answer = () => resolve(window.form(text));
      });
      window.answers["map/form-template"] = ({ name }) => name === "Camp" ? window.form("camp")
        : { problem: { message: "No.", suggestion: null, kind: "failure", actions: [] } };
      window.panel = createFormPanel(window.form(""), { title: "Form", geometry: null }, {
        preview() {}, draw() {}, submitted() {}, conflicted() {}, cancelled() {},
      });
      document.body.replaceChildren(window.panel.element);
      window.choose = (name) => {
        const select = document.querySelector(".form-panel select");
        select.value = name;
        select.dispatchEvent(new Event("change"));
      };
      const input = document.querySelector(".form-panel input");
      input.value = "typed";
      input.dispatchEvent(new Event("change"));
      await pause();
      window.choose("Camp");
      await pause();""")
    asked = run(page, "return window.asked.map(([name]) => name);")
    assert asked == ["map/form-set"], asked
    run(page, "window.answer();")
    name = "return document.querySelector('.form-panel input').value;"
    page.wait("the template", lambda: run(page, name) == "camp")
    run(page, "window.choose('Hut');")
    page.wait("the one before", lambda: run(page, "return document.querySelector('.form-panel select').value;") == "Camp")
    assert run(page, name) == "camp"


POPUP = """
  const { follow } = await import("/page/events.js");
  const { checkFeature } = await import("/page/popup-check.js");
  if (!window.source) follow();
  window.told = [];
  window.isInUse = false;
  window.asked = [];
  window.check = async (shown) => {
    await checkFeature(shown, {
      isShown: () => true, isInUse: () => window.isInUse, take: (popups) => window.told.push(popups.seenPopup),
      mark: (text, show) => window.told.push(show ? "changed" : "deleted"), show() {},
    });
    return window.told;
  };
  window.shown = (featureReads) => ({
    opening: 7, featureReads, question: 3, seenPopup: "1", selection: { layerId: "a", objectId: 5, number: 1 },
  });
  window.answers["map/feature"] = () => ({ seenPopup: "2" });
  window.answers["map/popup"] = () => ({ ...window.shown(2), seenPopup: "2" });
  window.tell("map", { opening: 7, featureReads: 2 });
"""


def follow_changes(page):
    """A popup is compared once features were read again, and shown as it is now, or marked."""
    run(page, POPUP)
    assert run(page, "return window.check(window.shown(2));") == []
    assert run(page, "return window.asked;") == [], "nothing was read since"
    assert run(page, "return window.check({ ...window.shown(1), opening: 6 });") == []
    assert run(page, "return window.check(window.shown(1));") == ["2"]
    turned = run(page, "return window.asked.find(([name]) => name === 'map/popup')[1];")
    assert (turned["layer"], turned["objectID"]) == ("a", 5), "its number alone may be another feature's by now"
    run(page, POPUP)
    assert run(page, "window.isInUse = true; return window.check(window.shown(1));") == ["changed"]
    run(page, POPUP)
    refusal = "{ problem: { message: 'Another page has selected other features meanwhile.' } }"
    assert run(page, f"""window.answers["map/popup"] = () => ({refusal});
      return window.check(window.shown(1));""") == ["changed"]
    run(page, POPUP)
    assert run(page, """window.answers["map/feature"] = () => ({ seenPopup: null });
      return window.check(window.shown(1));""") == ["deleted"]
    run(page, POPUP)
    assert run(page, """window.answers["map/feature"] = () => ({ seenPopup: "1" });
      return window.check(window.shown(1));""") == []


def wait_for_answer(page):
    """What was found for other words is not shown under those that the portal has not answered yet."""
    run(page, """
      const { createPortalScreen } = await import("/page/portal-screen.js");
      const { route } = await import("/page/address.js");
      const rows = [{ id: "a", title: "Town", type: "Web Map" }];
      window.answers["portal/search"] = ({ text, page }) => ({
        page, text, items: text ? [] : rows, total: text ? 0 : 2, hasMore: !text, problem: null,
      });
      window.screen = createPortalScreen(null, new URLSearchParams());
      window.addEventListener("hashchange", () => window.screen.navigate(route().parameters));
      document.body.replaceChildren(window.screen.element);""")
    page.wait("a result", lambda: page.has(".result"))
    run(page, """window.answers["portal/search"] = () => new Promise((resolve) => { window.answer = resolve; });""")
    page.type("input[type=search]", "zzqq" + Keys.ENTER)
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    assert not page.has(".result") and not page.named("Show more"), "an answer to other words is shown"
    run(page, "window.answer({ page: 1, items: [], total: 0, hasMore: false, problem: null });")
    page.text('Nothing found for "zzqq"')


# Stands in for the map: `window.select` selects a place on it.
VIEW = """
  const shape = () => ({ addTo() { return this; }, clearLayers() {}, remove() {}, on() {}, setLatLngs() {} });
  const zoom = { enable() {}, disable() {} };
  window.view = {
    leaflet: { featureGroup: shape, polyline: shape, polygon: shape, marker: shape, divIcon: () => ({}) },
    map: { getSize: () => ({ x: 100, y: 100 }), doubleClickZoom: zoom },
    handlePlaces: (select) => { window.select = select; },
    container: document.body,
  };
"""


FEATURES = VIEW + """
  const { createFeatures } = await import("/page/features.js");
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  const none = () => {};
  window.features = createFeatures({
    ...window.view, scale: () => 1000,
    showHighlight: (shape) => { window.highlight = shape; }, revealHighlight: none, zoomToHighlight: none,
    showNote: (_, text) => {
      window.note = text;
      return () => { window.note = null; };
    },
  }, place, {
    show: (panel) => place.replaceChildren(panel), clear: () => place.replaceChildren(), padding: none,
  });
  window.popups = (title, more) => ({
    opening: 7, featureReads: 1, question: 1, seen: "1", seenPopup: "1", canGoBack: false, problems: [], pages: [{}, {}, {}], selection: {
      title, layer: "Lights", layerId: "a", objectId: 5, number: 1, elements: [], attachments: [], related: [],
      notEvaluated: [], problems: [], geometry: null, canEdit: false, ...more,
    },
  });
  window.held = [];
  const hold = () => new Promise((resolve) => { window.held.push(resolve); });
  window.answers["map/identify"] = () => window.popups("First");
  window.answers["map/popup"] = hold;
  await window.features.identify({ lng: 1, lat: 2 });
  window.press = (name) => [...place.querySelectorAll("button")]
    .find((each) => (each.ariaLabel ?? each.textContent) === name).click();
"""


def drop_late_answers(page):
    """Of popups that are turned to the last one is shown, and none that comes after they were closed."""
    run(page, FEATURES)
    run(page, """window.press("Next"); window.answers["map/identify"] = () => window.popups("Elsewhere");
      await window.features.identify({ lng: 3, lat: 4 });
      window.held.pop()(window.popups("Second")); await pause();""")
    assert page.read("h2") == "Elsewhere"
    run(page, """window.press("Next"); window.press("Close"); await pause();
      window.held.pop()(window.popups("Second")); await pause(); await pause();""")
    assert not page.has("h2"), "a popup that was closed is open again"


def leave_turns_alone(page):
    """A popup is not compared while a person turns to another one, which the comparison would turn back."""
    run(page, FEATURES)
    run(page, """
      const { follow } = await import("/page/events.js");
      if (!window.source) follow();
      window.answers["map/feature"] = () => ({ seenPopup: "1" });
      window.tell("map", { opening: 7, featureReads: 2 });
      window.press("Next");
      await window.features.checkPopup();""")
    compared = "return window.asked.filter(([name]) => name === 'map/feature').map(([, { objectID }]) => objectID);"
    assert run(page, compared) == []
    run(page, """window.held.pop()(window.popups("Second", { objectId: 6, number: 2 }));
      for (let turn = 0; turn < 9; turn += 1) await pause();""")
    assert page.read("h2") == "Second"
    assert run(page, compared)[-1] == 6


def show_what_was_edited(page):
    """After an edit the answer to it is shown, and none of another browser's that has found something else by then."""
    run(page, FEATURES)
    run(page, """
      window.answers["map/form"] = () => ({
        form: 1, purpose: "update", layer: "Lights", templates: [], fields: [], isChanged: false, canSubmit: true,
        geometry: null,
      });
      window.answers["map/identify"] = () => window.popups("Light", { canEdit: true });
      await window.features.identify({ lng: 1, lat: 2 });
      window.answers["map/form-submit"] = () => ({ objectID: 5, popups: { ...window.popups("Own light"), edit: 1 } });
      window.press("Edit"); await pause(); await pause(); window.press("Save");""")
    page.wait("the popup", lambda: page.read("h2") == "Own light")
    form = run(page, "return window.asked.find(([name]) => name === 'map/form')[1];")
    assert form["question"] == 1, form
    run(page, """
      await window.features.identify({ lng: 1, lat: 2 });
      window.answers["map/form-submit"] = () => ({ objectID: 5, popups: { edit: 2 } });
      window.press("Edit"); await pause(); await pause(); window.press("Save");""")
    page.wait("the form to close", lambda: not page.has("form, h2"))


def keep_form(page):
    """What was entered in a form is in it again after the page was loaded again, and in that of no other map."""
    stage = FEATURES + """
      window.answers["map/identify"] = () => window.popups("Light", { canEdit: true });
      window.form = (text) => ({
        form: 1, purpose: "update", layer: "Lights", templates: [], isChanged: true, canSubmit: true, geometry: null, fields: [{
          name: "Name", label: "Name", type: "string", value: text, text, required: false, editable: true,
          readOnlyReason: null, length: null, choices: [], range: null, problem: null,
        }],
      });
      window.answers["map/form"] = () => window.form("Old");
      window.answers["map/form-set"] = ({ text }) => window.form(text);
      await window.features.identify({ lng: 1, lat: 2 });
    """
    entered = "return document.querySelector('.form-panel input')?.value ?? null;"
    run(page, stage + """window.press("Edit");""")
    page.wait("the form", lambda: run(page, entered) == "Old")
    run(page, "document.querySelector('.form-panel input').value = 'New'; window.features.keep('map');")
    run(page, stage + "window.features.recover('other');")
    assert run(page, entered) is None
    run(page, "window.features.recover('map');")
    page.wait("what was entered", lambda: run(page, entered) == "New")
    run(page, "window.features.keep('map');")
    run(page, stage + """
      const { installNotices } = await import("/page/notices.js");
      installNotices();
      window.answers["map/form-submit"] = () => ({ objectID: 1, popups: { edit: "7-1" } });
      window.features.leave(null);
      window.features.recover("map");""")
    page.wait("what was entered", lambda: run(page, entered) == "New")
    run(page, "window.press('Save');")
    page.text('The changes to "Light" were saved.')
    run(page, stage + """window.press("Edit");""")
    page.wait("the form", lambda: run(page, entered) == "Old")
    run(page, "document.querySelector('.form-panel input').value = 'New'; window.features.keep('map'); window.features.forget();")
    run(page, stage + "window.features.recover('map'); await pause(); await pause();")
    assert run(page, entered) is None, "the page was left and is there again with its form"


STORING = FEATURES + """
  const { installNotices } = await import("/page/notices.js");
  installNotices();
  const field = (name, type, text) => ({
    name, label: name, type, value: text, text, required: false, editable: true, readOnlyReason: null, length: null,
    choices: [], range: null, problem: null, timeZoneUnknown: true,
  });
  window.now = { Name: "Old", Note: "old", Built: "" };
  window.form = (number) => ({
    form: number, purpose: "update", layer: "Lights", templates: [], isChanged: number === 1, canSubmit: true, geometry: null,
    fields: [field("Name", "string", window.now.Name), field("Note", "string", window.now.Note),
      field("Built", "dateOnly", window.now.Built)],
  });
  let count = 0;
  window.answers["map/form"] = () => { count += 1; return window.form(count); };
  window.answers["map/form-set"] = ({ field: name, text, form }) => { window.now[name] = text; return window.form(form); };
  window.answers["map/form-submit"] = () => new Promise((resolve) => {
    window.store = () => resolve({ objectID: 5, popups: { ...window.popups("Light"), edit: "7-1" } });
    window.refuse = () => resolve({ problem: { message: "The disk is full.", kind: "failure", actions: [] } });
  });
  window.answers["map/identify"] = () => window.popups("Light", { canEdit: true });
  await window.features.identify({ lng: 1, lat: 2 });
  window.press("Edit");
  await pause(); await pause();
  window.control = (name) => [...document.querySelectorAll(".form-panel .field")]
    .find((each) => each.textContent.startsWith(name)).querySelector("input");
  window.sets = () => window.asked.filter(([name]) => name === "map/form-set")
    .map(([, { form, field, text }]) => [form, field, text]);
"""


def enter_while_stored(page):
    """What is entered while a form is being stored stays, with the focus, and is stored after that."""
    run(page, STORING)
    page.type(control(page, "Name"), "First")
    page.press("Save", ".form-panel button")
    page.wait("the question", lambda: run(page, "return Boolean(window.store);"))
    page.type(control(page, "Note"), "second")
    run(page, "window.control('Built').focus();")
    page.keys("05")
    assert run(page, "return window.control('Built').validity.badInput;")
    run(page, "window.drawn = window.control('Note'); window.built = window.control('Built');")
    page.on(control(page, "Note"), lambda note: note.click())
    page.keys(Keys.HOME, Keys.ARROW_RIGHT)
    run(page, "window.store();")
    page.text('The changes to "Light" were saved.')
    page.wait("what was entered", lambda: run(page, "return window.sets();")[-1:] == [[2, "Note", "second"]])
    kept = run(page, """return [document.activeElement === window.drawn, window.drawn.isConnected, window.drawn.value,
      window.drawn.selectionStart, window.built.isConnected, window.built.validity.badInput];""")
    assert kept == [True, True, "second", 1, True, True], kept
    run(page, "window.built.value = '2026-05-03'; delete window.store;")
    page.press("Save", ".form-panel button")
    page.wait("the second question", lambda: run(page, "return Boolean(window.store);"))
    run(page, "window.store();")
    page.wait("the popup", lambda: not page.has(".form-panel"))
    assert run(page, "return window.sets();") == [
        [1, "Name", "First"], [2, "Note", "second"], [2, "Built", "2026-05-03"]]


def enter_before_refusal(page):
    """What is entered while a form is being stored goes to that form where it could not be stored."""
    run(page, STORING)
    page.type(control(page, "Name"), "First")
    page.press("Save", ".form-panel button")
    page.wait("the question", lambda: run(page, "return Boolean(window.refuse);"))
    page.type(control(page, "Note"), "second" + Keys.TAB)
    assert run(page, "return window.sets();") == [[1, "Name", "First"]], "nothing is sent to a form that is being stored"
    run(page, "window.refuse();")
    page.text("The disk is full.")
    page.wait("what was entered", lambda: run(page, "return window.sets();") == [[1, "Name", "First"], [1, "Note", "second"]])
    assert run(page, "return window.control('Note').value;") == "second"


def go_on_after_reload(page):
    """What was entered while a new feature was being stored changes that feature, also once the page was loaded again."""
    run(page, STORING + """
      window.features.leave(null);
      window.features.startForm({ ...window.form(9), purpose: "add" }, {
        title: "A light", geometry: null, layer: "a", objectID: null,
      });""")
    page.press("Add", ".form-panel button")
    page.wait("the question", lambda: run(page, "return Boolean(window.store);"))
    run(page, """window.answers["map/form"] = () => ({ problem: { message: "Busy.", actions: [] } });""")
    page.type(control(page, "Note"), "second")
    run(page, "window.store();")
    page.text("Busy.")
    run(page, "window.features.keep('map');" + STORING + """
      window.features.leave(null);
      window.asked = [];
      window.features.recover("map");""")
    page.wait("the form", lambda: run(page, "return window.sets().length;") == 1)
    asked = run(page, "return window.asked.find(([name]) => name === 'map/form')[1];")
    assert asked["objectID"] == 5, asked
    page.wait("what was entered", lambda: run(page, "return window.control('Note').value;") == "second")


def keep_what_no_request_has(page):
    """An answer to what was entered before takes nothing away that was entered since, whether or not it has the focus."""
    run(page, STORING + """
      window.answers["map/form-set"] = ({ form }) => new Promise((resolve) => {
        window.answer = () => resolve(window.form(form));
      });
      const name = window.control("Name");
      name.value = "First";
      name.dispatchEvent(new Event("change"));
      await pause();
      // As dictation and a browser that fills forms in enter it.
      window.control("Note").value = "second";
      document.activeElement.blur();
      window.answer();
      await pause(); await pause();""")
    assert run(page, "return window.control('Note').value;") == "second"


def escape(page):
    run(page, """
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
      await pause();""")


def keep_sketch(page):
    """What was drawn is not discarded without a question, and goes on to be drawn once the page was loaded again."""
    stage = FEATURES + """
      const line = { type: "LineString", coordinates: [[1, 1], [2, 2]] };
      window.answers["map/identify"] = () => window.popups("Trail", { canEdit: true, geometry: line });
      window.answers["map/feature-show"] = window.answers["map/identify"];
      window.answers["map/move"] = () => ({ edit: "7-1" });
    """
    bar = "return Boolean(document.querySelector('.sketch-bar'));"
    start = stage + """
      await window.features.identify({ lng: 1, lat: 2 });
      window.press([...place.querySelectorAll("button")].find((each) => /Move|Reshape/.test(each.textContent)).textContent);
      await pause();"""
    run(page, start)
    escape(page)
    assert not run(page, bar) and not page.has("dialog"), "nothing was drawn"
    run(page, start + "window.select({ lng: 5, lat: 6 });")
    escape(page)
    page.press("Cancel", "dialog button")
    assert run(page, bar) and run(page, "return window.features.hasChanges();")
    run(page, "window.features.keep('map');" + stage + "window.features.recover('map');")
    page.wait("the sketch", lambda: run(page, "return window.features.hasChanges();"))
    page.press("Done", ".sketch-bar button")
    page.wait("the edit", lambda: run(page, "return window.asked.some(([name]) => name === 'map/move');"))
    moved = run(page, "return window.asked.find(([name]) => name === 'map/move')[1];")
    assert moved["parts"] == [[[1, 1], [2, 2], [5, 6]]] and moved["seen"] == "1" and moved["objectID"] == 5, moved
    run(page, start + "window.select({ lng: 5, lat: 6 });")
    escape(page)
    page.press("Discard", "dialog button")
    page.wait("the end of it", lambda: not run(page, bar))


def keep_drawn_shape(page):
    """A shape that is being drawn for a new feature goes on to be drawn once the page was loaded again."""
    stage = FEATURES + """
      window.answers["map/form"] = () => ({
        form: 1, purpose: "add", layer: "Trails", templates: [], isChanged: true, canSubmit: false, geometry: null, fields: [],
      });
      window.answers["map/form-draw"] = ({ parts }) => ({
        ...window.answers["map/form"](), geometry: { type: "LineString", coordinates: parts[0] },
      });
    """
    run(page, stage + """
      const form = window.answers["map/form"]();
      window.features.startForm(form, { title: "A trail", geometry: "polyline", layer: "a", objectID: null });
      window.press("Draw on the map");
      await pause();
      window.select({ lng: 5, lat: 6 });
      window.features.keep("map");""")
    run(page, stage + "window.features.recover('map');")
    page.wait("the sketch", lambda: page.has(".sketch-bar"))
    run(page, "window.select({ lng: 7, lat: 8 });")
    page.press("Done", ".sketch-bar button")
    page.wait("the shape", lambda: run(page, "return window.asked.some(([name]) => name === 'map/form-draw');"))
    drawn = run(page, "return window.asked.find(([name]) => name === 'map/form-draw')[1];")
    assert drawn["parts"] == [[[5, 6], [7, 8]]], drawn


def keep_region(page):
    """A region that is drawn is there again once the page was loaded again, until it is discarded or downloaded."""
    stage = VIEW + """
      const { follow } = await import("/page/events.js");
      const { createTilesPanel } = await import("/page/tiles-panel.js");
      if (!window.source) follow();
      const closePanel = { ifNarrow() {}, reopen() {} };
      const panel = createTilesPanel(window.view, document.body, { closePanel });
      document.body.replaceChildren(panel.element);
      window.asked = [];
      window.tell("tiles", {
        isLoaded: true, regions: [], usage: null, setAside: [], drafts: {}, server: null, problem: null,
        sources: ["R", "S"].map((name) => ({ name, imported: false, bulkLevels: [0, 9] })),
      });
    """
    region = "return window.asked.filter(([name]) => name === 'tiles/draw').map(([, asked]) => asked).at(-1) ?? null;"
    draw = """
      [...document.querySelectorAll(".tiles-form button")].find((each) => each.textContent === "Draw on the map").click();
      await pause();
      window.asked = [];"""
    run(page, "sessionStorage.clear();" + stage + "document.querySelector('.tiles-form select').value = 'S';" + draw + """
      for (const [lng, lat] of [[0, 0], [1, 0], [1, 1]]) window.select({ lng, lat });""")
    page.wait("the figures", lambda: run(page, region))
    first = run(page, region)
    run(page, stage)
    page.wait("the figures again", lambda: run(page, region))
    again = run(page, region)
    ring = [[0, 0], [1, 0], [1, 1], [0, 0]]
    assert again["extent"] == {"polygon": [ring]} and again["source"] == "S", again
    assert again["drawer"] != first["drawer"]
    run(page, draw + "window.select({ lng: 0, lat: 1 });")
    escape(page)
    page.press("Discard", "dialog button")
    page.wait("what was there before", lambda: (run(page, region) or {}).get("extent") == {"polygon": [ring]})
    run(page, "window.asked = [];" + """
      [...document.querySelectorAll(".tiles-form button")].find((each) => each.textContent === "Download").removeAttribute("aria-disabled");
      [...document.querySelectorAll(".tiles-form button")].find((each) => each.textContent === "Download").click();""")
    page.wait("that it is kept no longer", lambda: run(page, "return sessionStorage.getItem('portolan-region') === null;"))


def keep_settings_typed_since(page):
    """What is typed into a setting while it is being stored, or half a number, is not replaced by what was stored."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { createSettingsScreen } = await import("/page/settings-screen.js");
      const { installNotices } = await import("/page/notices.js");
      const setting = (key, kind, text) => ({
        key, kind, text, summary: "", least: 1, most: 500, choices: [], required: false, holdsAtOnce: true, origin: "file",
        variable: "", defaultText: "1",
      });
      window.settings = (portal, size) => ({
        settings: [setting("portal", "text", portal), setting("page-size", "number", size)], faults: [], file: "f",
      });
      window.answers["settings/set"] = ({ key, value }) => new Promise((resolve) => {
        window.answer = () => resolve(key === "portal" ? window.settings(value, "20") : window.settings("a", value));
      });
      if (!window.source) follow();
      window.tell("settings", window.settings("a", "20"));
      document.body.replaceChildren(createSettingsScreen().element);
      installNotices();
      window.inputs = () => [...document.querySelectorAll("form input")];""")
    portal, size = (lambda: run(page, "return window.inputs()[0];")), (lambda: run(page, "return window.inputs()[1];"))
    page.type(portal, "b")
    page.press("Save")
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    page.type(portal, "bc")
    run(page, "window.answer(); delete window.answer;")
    page.text("The settings were saved.")
    assert run(page, "return window.inputs()[0].value;") == "bc"
    page.on(size, lambda field: field.send_keys("e"))
    assert run(page, "return window.inputs()[1].validity.badInput;")
    run(page, "window.tell('settings', window.settings('b', '30'));")
    assert run(page, "return window.inputs()[1].validity.badInput;"), "another page has stored something"
    page.press("Save")
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    run(page, "window.answer();")
    page.text("This is incomplete.")
    asked = run(page, "return window.asked.filter(([name]) => name === 'settings/set').map(([, { key, value }]) => [key, value]);")
    assert asked == [["portal", "b"], ["portal", "bc"]], asked


def keep_names_typed_since(page):
    """An answer empties the field that it was asked from only if nothing else was typed there meanwhile."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { createBookmarksPanel } = await import("/page/bookmarks-panel.js");
      if (!window.source) follow();
      window.tell("map", { opening: 7 });
      window.answers["map/bookmark-add"] = () => new Promise((resolve) => { window.answer = () => resolve({}); });
      document.body.replaceChildren(createBookmarksPanel(() => {}, () => ({})).element);""")
    for typed, left in (("Here and there", "Here and there"), (None, "")):
        page.type("input", "Here" + Keys.ENTER)
        page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
        if typed:
            page.type("input", typed)
        run(page, "window.answer(); delete window.answer; await pause(); await pause(); await pause();")
        assert run(page, "return document.querySelector('input').value;") == left


def keep_region_typed_since(page):
    """The address of tiles, the name of a region and its corners that are entered while others are on their way stay."""
    run(page, "sessionStorage.clear();" + VIEW + """
      const { follow } = await import("/page/events.js");
      const { createTilesPanel } = await import("/page/tiles-panel.js");
      if (!window.source) follow();
      const hold = () => new Promise((resolve) => { window.answer = () => resolve({ name: "S" }); });
      window.answers["tiles/add-source"] = hold;
      window.answers["tiles/download"] = hold;
      const closePanel = { ifNarrow() {}, reopen() {} };
      document.body.replaceChildren(createTilesPanel(window.view, document.body, { closePanel }).element);
      window.tell("tiles", {
        isLoaded: true, regions: [], usage: null, setAside: [], drafts: {}, server: null, problem: null,
        sources: ["R", "S", "T"].map((name) => ({ name, imported: false, bulkLevels: [0, 9] })),
      });
      window.press = (name) => {
        const button = [...document.querySelectorAll("button")].find((each) => each.textContent === name);
        button.removeAttribute("aria-disabled");
        button.click();
      };
      const [address, name] = document.querySelectorAll(".tiles-form input");
      const source = document.querySelector(".tiles-form select");
      const settle = async () => { for (let turn = 0; turn < 9; turn += 1) await pause(); };
      address.value = "https://a.test";
      window.press("Add");
      await settle();
      address.value = "https://b.test";
      source.value = "T";
      window.answer();
      await settle();
      window.values = [address.value, source.value];
      window.press("Draw on the map");
      await pause();
      for (const [lng, lat] of [[0, 0], [1, 0], [1, 1]]) window.select({ lng, lat });
      window.press("Done");
      await settle();
      name.value = "First";
      window.press("Download");
      await settle();
      name.value = "Second";
      window.answer();
      await settle();
      window.values.push(name.value);""")
    assert run(page, "return window.values;") == ["https://b.test", "T", "Second"]


def keep_search_typed_since(page):
    """The address of a search that was begun takes nothing away that is typed after it."""
    run(page, """
      const { createPortalScreen } = await import("/page/portal-screen.js");
      const { route } = await import("/page/address.js");
      window.answers["portal/search"] = ({ page }) => ({ page, items: [], total: 0, hasMore: false, problem: null });
      window.screen = createPortalScreen(null, new URLSearchParams());
      document.body.replaceChildren(window.screen.element);
      const text = document.querySelector("input[type=search]");
      text.value = "old";
      document.querySelector("form").requestSubmit();
      text.value = "old town";
      window.screen.navigate(route().parameters);""")
    assert run(page, "return document.querySelector('input[type=search]').value;") == "old town"
    run(page, "window.screen.navigate(new URLSearchParams('text=bay'));")
    assert run(page, "return document.querySelector('input[type=search]').value;") == "bay"


def keep_name_typed(page):
    """What is typed to sign in stays when more is known of the portal, and is no part of the password that was wrong."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { createSignInScreen } = await import("/page/sign-in-screen.js");
      if (!window.source) follow();
      window.tell("hello", { demo: null });
      window.tell("session", { phase: "signedOut", signedIn: false, portal: "https://portal.test", page: null, problem: null });
      document.body.replaceChildren(createSignInScreen().element);
      window.answers["session/sign-in"] = () => new Promise((resolve) => {
        window.answer = () => resolve({ problem: { message: "Wrong.", kind: "failure", actions: [] } });
      });""")
    page.type("[name=username]", "me")
    run(page, """
      document.activeElement.setSelectionRange(1, 1);
      window.tell("hello", { demo: { portal: "https://demo.test", accounts: [{ username: "demo", password: "demo" }] } });""")
    values = """return ["portal", "username", "password"].map((name) => document.querySelector(`[name=${name}]`).value);"""
    assert run(page, values) == ["https://portal.test", "me", "demo"], run(page, values)
    assert run(page, "return [document.activeElement.name, document.activeElement.selectionStart];") == ["username", 1]
    page.press("Sign in", "[type=submit]")
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    page.type("[name=username]", "you")
    run(page, "window.answer();")
    page.text("Wrong.")
    assert run(page, "return document.activeElement.name;") == "username"


# Stands in for a server with accounts of its own, which holds its answer back.
SERVER = """
  const { follow } = await import("/page/events.js");
  const { installNotices } = await import("/page/notices.js");
  if (!window.source) follow();
  installNotices();
  window.answers["session/sign-in-server"] = () => new Promise((resolve) => { window.answer = resolve; });
  window.refuse = (message, kind = "signIn") => window.answer({ problem: { message, suggestion: "Try others.", kind, actions: [] } });
"""
WRONG = "window.refuse('Wrong.'); window.answer = null;"


def names_asked(page):
    """The actions that were asked for, without those of screens that are drawn."""
    return run(page, "return window.asked.map(([name]) => name);")


def sign_in_for_layer(page):
    """A server that refuses a layer is signed in to in a dialog, which says in place what is wrong, and the layer is tried again."""
    run(page, SERVER + """
      const { createProblemsPanel } = await import("/page/problems-panel.js");
      const panel = createProblemsPanel();
      document.body.prepend(panel.element);
      panel.update({ problems: [
        { title: "Lights", reason: "maps.test wants you to sign in.", server: "https://maps.test/arcgis" },
        { title: "Lost", reason: "It is gone.", server: null },
      ] });""")
    assert page.count(".findings button") == 1
    page.press("Sign in to its server Lights")
    page.wait("the dialog", lambda: page.has("dialog[open]"))
    assert page.value("[name=server]") == "https://maps.test/arcgis"
    assert "It goes to maps.test," in page.read("dialog")
    focused = "return document.activeElement.name || document.activeElement.ariaLabel;"
    assert run(page, focused) == "server-user"
    page.keys(Keys.ENTER)
    page.text("Enter your user name.")
    assert run(page, focused) == "server-user" and names_asked(page) == []
    page.keys("harbormaster", Keys.TAB, "secret", Keys.ENTER)
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    assert "Signing in…" in page.read("dialog [role=status]")
    # A second Enter while it is asked asks nothing more.
    page.keys(Keys.ENTER)
    run(page, WRONG)
    page.text("Wrong.")
    assert "Try others." in page.read("dialog [role=alert]")
    assert run(page, focused) == "server-password" and page.has("[name=server-password][aria-invalid=true]")
    page.keys("moorings", Keys.ENTER)
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    run(page, "window.answer({});")
    page.wait("that it is over", lambda: not page.has("dialog"))
    page.text("You are signed in at https://maps.test/arcgis.")
    page.wait("the layers", lambda: "map/retry-layers" in names_asked(page))
    assert names_asked(page) == ["session/sign-in-server", "session/sign-in-server", "map/retry-layers"]
    sent = run(page, "return window.asked[1][1];")
    assert sent == {"server": "https://maps.test/arcgis", "username": "harbormaster", "password": "moorings"}, sent
    assert run(page, focused) == "Sign in to its server Lights"
    assert "moorings" not in page.body() and "moorings" not in page.driver.current_url


def leave_server_alone(page):
    """Escape gives a sign-in to a server up, also while it is asked, and nothing is tried again."""
    run(page, SERVER + """
      const { signInToServer } = await import("/page/notices.js");
      document.body.prepend(Object.assign(document.createElement("button"), { textContent: "Before" }));
      document.querySelector("button").focus();
      signInToServer({}, () => { window.isAgain = true; });""")
    focused = "return document.activeElement.name || document.activeElement.textContent;"
    assert run(page, focused) == "server", "what is not known is entered first"
    page.keys(Keys.ENTER)
    page.text("Enter the address of the server.")
    # What looks like a host may be none.
    page.keys("maps.test@other.test/arcgis")
    assert "It goes to other.test," in page.read("dialog")
    run(page, "document.activeElement.select();")
    page.keys("maps.test")
    assert "It goes to maps.test," in page.read("dialog")
    page.keys(Keys.TAB, "me", Keys.ENTER)
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    page.keys(Keys.ESCAPE)
    page.wait("that it is closed", lambda: not page.has("dialog"))
    assert run(page, focused) == "Before"
    run(page, "window.answer({}); await pause(); await pause(); await pause();")
    assert run(page, "return [window.isAgain ?? null, document.activeElement.textContent];") == [None, "Before"]
    assert not page.has(".notice")


def sign_in_for_problem(page):
    """What a server refuses elsewhere is done once more after a sign-in to it; what the portal refuses leads to its own screen."""
    run(page, SERVER + """
      const { attempt } = await import("/page/notices.js");
      window.tell("session", { phase: "signedIn", signedIn: true, portal: "https://portal.test/portal", servers: [] });
      window.refused = (host) => ({ problem: {
        message: `${host} wants you to sign in.`, suggestion: "Sign in.", kind: "signIn", code: "sign-in-needed",
        actions: [{ kind: "signIn", subject: host }],
      } });
      window.answers["offline/estimate"] = ({ host }) => window.isIn ? {} : window.refused(host);
      const { post } = await import("/page/api.js");
      window.ask = (host) => attempt(async () => { await post("offline/estimate", { host }); window.isDone = true; });
      await window.ask("portal.test");""")
    page.text("portal.test wants you to sign in.")
    assert page.named("Sign in", ".notice button") and not page.named("Sign in to a server", ".notice button")
    run(page, "await window.ask('maps.test');")
    page.press("Sign in to a server", ".notice button")
    page.wait("the dialog", lambda: page.has("dialog[open]"))
    assert page.value("[name=server]") == "maps.test" and "maps.test wants you to sign in." in page.read("dialog")
    page.keys("me", Keys.TAB, "secret", Keys.ENTER)
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    run(page, "window.isIn = true; window.answer({});")
    page.wait("that it is done", lambda: run(page, "return window.isDone === true;"))


def list_servers(page):
    """The servers that somebody is signed in to are listed with the portal's account, and are signed out of."""
    run(page, SERVER + """
      const { createSignInScreen } = await import("/page/sign-in-screen.js");
      location.hash = "#/sign-in";
      window.session = (servers) => ({
        phase: "signedIn", signedIn: true, name: "Kim", user: "kim", portal: "https://portal.test", page: null, problem: null, servers,
      });
      const server = (host, needsSignIn) => ({ server: `https://${host}/arcgis`, name: "harbormaster", needsSignIn });
      window.both = [server("a.test", false), server("b.test", true)];
      window.tell("hello", { demo: null });
      window.tell("session", window.session(window.both));
      document.body.prepend(createSignInScreen().element);""")
    page.text("Signed in as harbormaster")
    page.text("The session of harbormaster has ended.")
    assert not page.named("Sign in https://a.test/arcgis"), "nothing is to be done there"
    page.press("Sign in https://b.test/arcgis")
    page.wait("the dialog", lambda: page.has("dialog[open]"))
    assert page.value("[name=server]") == "https://b.test/arcgis"
    assert not page.named("Sign in to the portal")
    page.keys(Keys.ESCAPE)
    page.press("Sign out https://a.test/arcgis")
    page.text("You are signed out of https://a.test/arcgis.")
    assert run(page, "return window.asked.at(-1);") == ["session/sign-out-server", {"server": "https://a.test/arcgis"}]
    run(page, "window.tell('session', window.session(window.both.slice(1)));")
    page.wait("one server", lambda: page.count(".rows > li") == 1)
    assert run(page, "return document.activeElement.tagName;") != "BODY"


def sign_in_for_job(page):
    """A job that lacks an account offers to sign in; one that has ended is asked for again then, one that waits goes on."""
    run(page, JOBS)
    run(page, SERVER + """
      window.job = { ...window.job, state: "waiting", waitingFor: "sign-in", host: "maps.test" };
      window.tell("jobs", [window.job]);""")
    page.press("Sign in Town")
    page.wait("the dialog", lambda: page.has("dialog[open]"))
    assert page.value("[name=server]") == "maps.test"

    def enter():
        page.keys("me", Keys.TAB, "secret", Keys.ENTER)
        page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
        run(page, "window.answer({}); window.answer = null; await pause();")
        page.wait("that it is over", lambda: not page.has("dialog"))

    enter()
    assert names_asked(page) == ["session/sign-in-server"]
    run(page, """
      window.asked = [];
      const failure = { message: "No.", suggestion: null, kind: "sign-in" };
      window.tell("jobs", [{
        ...window.job, state: "done in part", waitingFor: null, host: undefined, actions: ["retry", "accept", "forget"],
        failedItems: [{ name: "Lights", address: "https://portal.test@maps.test/arcgis/rest/services/A/FeatureServer/0?f=json", failure }],
      }]);""")
    page.press("Sign in Town")
    page.wait("the dialog", lambda: page.has("dialog[open]"))
    assert page.value("[name=server]") == "https://maps.test/arcgis", "a user in the address is no host"
    enter()
    page.wait("the request", lambda: "jobs/retry" in names_asked(page))
    run(page, """window.tell("jobs", [{ ...window.job, state: "done", waitingFor: null, actions: ["forget"] }]);""")
    page.wait("that nothing is lacking", lambda: not page.named("Sign in Town"))
    # What the portal refuses is no server's.
    run(page, """
      location.hash = "#/jobs";
      window.tell("session", { phase: "signedOut", signedIn: false, portal: "https://portal.test/portal", servers: [] });
      window.tell("jobs", [{ ...window.job, state: "waiting", waitingFor: "sign-in", host: "portal.test" }]);""")
    page.press("Sign in Town")
    page.wait("the screen", lambda: run(page, "return location.hash;") == "#/sign-in")
    assert not page.has("dialog")


def sign_in_for_synchronization(page):
    """A synchronization that lacks an account offers to sign in, and is followed when it goes on."""
    run(page, SYNC)
    run(page, SERVER + """
      window.answers["sync/start"] = () => ({ job: "1" });
      window.job = (more) => ({ id: "1", title: "Town", kind: "sync-offline-map", actions: ["resume"], ...more });
      document.querySelector(".sync-panel button").click();
      await pause(); await pause(); await pause();
      window.tell("jobs", [window.job({ state: "running" })]);""")
    assert not page.named("Sign in", ".sync-panel button")
    failure = """{ message: "No.", kind: "sign-in", actions: [{ kind: "signIn", subject: "maps.test" }] }"""
    run(page, f"""window.tell("jobs", [window.job({{ state: "failed", failure: {failure} }})]);""")
    page.press("Sign in", ".sync-panel button")
    page.wait("the dialog", lambda: page.has("dialog[open]"))
    assert page.value("[name=server]") == "maps.test"
    page.keys("me", Keys.TAB, "secret", Keys.ENTER)
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    run(page, "window.answer({});")
    page.wait("the request", lambda: "jobs/resume" in names_asked(page))
    run(page, """window.tell("jobs", [window.job({ state: "running" })]);""")
    page.wait("that it goes on", lambda: not page.named("Sign in", ".sync-panel button"))
    page.text("Synchronizing")
    assert page.has(".sync-panel button[aria-disabled=true]")


SYNC = """
  const { createSyncPanel } = await import("/page/sync-panel.js");
  window.conflict = (name) => ({
    number: 1, seen: "7", table: "Lights", layer: "Lights of the coast", objectId: 5, edit: "update", reason: "", isSent: true, differences: [],
    isMovedApart: false, canEdit: false, values: [{ field: "name", label: "Name", text: name }],
  });
  window.answers["sync/conflicts"] = ({ id }) => ({ conflicts: [window.conflict(`Light of ${id}`)] });
  window.answers["sync/resolve"] = () => new Promise((resolve) => { window.answer = resolve; });
  window.panel = createSyncPanel(async (...edited) => { window.edited = edited; return true; });
  document.body.replaceChildren(window.panel.element);
  window.panel.update({ id: "a" });
"""


def resolve_own(page):
    """The conflicts of a map are not listed under another one that was opened while one of them was resolved."""
    run(page, SYNC)
    page.text("Light of a")
    run(page, "document.querySelector('.conflict button').click();")
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    run(page, "window.panel.update({ id: 'b' });")
    page.text("Light of b")
    run(page, "window.answer({ conflicts: [window.conflict('Other of a')] }); await pause(); await pause(); await pause();")
    assert "Light of b" in page.body() and "Other of a" not in page.body()


def tell_what_still_waits(page):
    """What was said to wait for a decision is not said any more once it was decided on."""
    run(page, SYNC + """
      const { follow } = await import("/page/events.js");
      if (!window.source) follow();
      window.answers["sync/start"] = () => ({ job: "1" });
      [...document.querySelectorAll(".sync-panel button")].find((each) => each.textContent === "Synchronize").click();
      await pause(); await pause(); await pause();
      const sync = { sent: 2, added: 0, updated: 0, removed: 0, waiting: 1, withheld: 0, staying: 0 };
      window.tell("jobs", [{ id: "1", state: "done in part", sync, actions: [] }]);""")
    page.text("2 edits were sent. 1 edit waits for a decision.")
    page.text("Light of a")
    run(page, "document.querySelector('.conflict button').click();")
    page.wait("the question", lambda: run(page, "return Boolean(window.answer);"))
    run(page, "window.answer({ conflicts: [] });")
    page.text("There are no conflicts.")
    assert "2 edits were sent." in page.body() and "waits for a decision" not in page.body(), page.body()


def resolve_changed(page):
    """A conflict that others have changed meanwhile is not resolved, and is shown as it is now."""
    run(page, SYNC + """
      window.answers["sync/resolve"] = () => {
        window.answers["sync/conflicts"] = () => ({ conflicts: [window.conflict("Newer light")] });
        return { problem: { message: "It was changed.", code: "changed-meanwhile", actions: [] } };
      };""")
    page.text("Light of a")
    run(page, "document.querySelector('.conflict button').click();")
    page.text("Newer light")
    assert "Light of a" not in page.body()


def edit_conflict(page):
    """One's own values of a conflict are changed as in a form, and what is chosen is sent as its code."""
    run(page, SYNC + """
      const value = (field, type, text, more) => ({
        field, name: field, label: field, type, text, value: text, required: false, length: null, choices: [], range: null,
        problem: null, timeZoneUnknown: true, ...more,
      });
      window.answers["sync/conflicts"] = () => ({ conflicts: [{ ...window.conflict("Light"), canEdit: true, values: [
        value("Kind", "integer", "2", { value: 1, choices: [{ code: 1, name: "2" }, { code: 2, name: "1" }] }),
        value("Built", "date", "2026-05-03T10:00:00Z"), value("Note", "string", null), value("Left", "string", "as it is"),
      ] }] });
      window.panel.update({ id: "b" });
      window.asked = [];""")
    page.wait("the fields", lambda: page.count(".conflict .field") == 4)
    heading = page.read(".conflict h4")
    assert heading == "Lights of the coast 5", heading
    run(page, """
      const controls = [...document.querySelectorAll(".conflict .field")].map((each) => each.querySelector("input, select"));
      document.querySelector(".conflict details").open = true;
      if (controls[0].value !== "1" || !controls[1].value.startsWith("2026-05-03T10:00")) throw new Error("other values");
      controls[0].value = "2";
      controls[1].value = "2026-05-04T10:00:00";
      controls[2].value = "new";
      document.querySelector(".conflict details button").click();
      await pause();""")
    sent = run(page, "return window.asked.find(([name]) => name === 'sync/resolve')[1];")
    assert sent == {
        "id": "b", "number": 1, "seen": "7", "values": {"Kind": "2", "Built": "2026-05-04T10:00:00.000Z", "Note": "new"},
        "codes": ["Kind"]}, sent


EDITORS = SYNC + """
  const { follow } = await import("/page/events.js");
  follow();
  const field = (name, type, text, more) => ({
    field: name, name, label: name, type, text, value: text, required: false, length: null, choices: [], range: null,
    problem: null, timeZoneUnknown: true, ...more,
  });
  window.light = (objectId, number, note) => ({
    ...window.conflict(`Light ${objectId}`), objectId, number, canEdit: true,
    values: [field("Note", "string", note), field("Built", "date", "2026-05-03T10:00:00Z")],
  });
  window.answers["sync/conflicts"] = () => ({ conflicts: window.list });
  window.answers["sync/start"] = () => ({ job: "1" });
  window.note = (index) => document.querySelectorAll(".conflict")[index].querySelector("input");
  window.synchronize = async (state = "done") => {
    document.querySelector(".sync-panel > .actions button").click();
    await pause(); await pause();
    window.tell("jobs", [{ id: "1", state, updated: String(Math.random()), sync: null, problem: null }]);
    await pause(); await pause(); await pause();
  };
  window.list = [window.light(5, 1, "old"), window.light(6, 2, "old")];
  window.panel.update({ id: "b" });
"""


def keep_conflict_editors(page):
    """What is being entered for a conflict stays when the list is drawn again after a synchronization, with the focus."""
    run(page, EDITORS)
    page.wait("the editors", lambda: page.count(".conflict details") == 2)
    run(page, """
      for (const each of document.querySelectorAll(".conflict details")) each.open = true;
      window.note(0).value = "mine of 5";
      window.note(1).value = "mine of 6";
      window.note(1).focus();
      const built = document.querySelectorAll(".conflict")[1].querySelectorAll("input")[1];
      built.value = "2026-05-04T10:00:00";
      // A synchronization has others before them, numbers them in another way, and has changed one.
      window.list = [window.light(4, 1, "new"), window.light(5, 2, "old"), window.light(6, 3, "other")];
      await window.synchronize();""")
    page.wait("three", lambda: page.count(".conflict") == 3)
    entered = run(page, "return [...document.querySelectorAll('.conflict input')].map(({ value }) => value.slice(0, 16));")
    assert entered == [
        "new", "2026-05-03T10:00", "mine of 5", "2026-05-03T10:00", "mine of 6", "2026-05-04T10:00"], entered
    opened = "return [...document.querySelectorAll('.conflict details')].map(({ open }) => open);"
    assert run(page, opened) == [False, True, True]
    assert run(page, "return document.activeElement.value;") == "mine of 6"
    run(page, """
      window.asked = [];
      document.querySelectorAll(".conflict")[1].querySelector("details button").click();
      await pause();""")
    sent = run(page, "return window.asked.find(([name]) => name === 'sync/resolve')[1];")
    assert sent["number"] == 2 and sent["values"] == {"Note": "mine of 5"}, sent


def keep_what_is_typed_after_deciding(page):
    """What is typed into a conflict while it is being resolved stays, and is taken into the form of its feature."""
    run(page, EDITORS)
    page.wait("the editors", lambda: page.count(".conflict details") == 2)
    run(page, """
      window.tell("map", { editable: [{ id: "a-1", title: "Lights of the coast", table: "lights" }] });
      document.querySelector(".conflict details").open = true;
      window.note(0).value = "sent";
      window.note(0).focus();
      document.querySelector(".conflict details button").click();
      await pause();
      window.note(0).value = "typed later";
      window.answer({ conflicts: [window.light(6, 1, "old")] });
      await pause(); await pause(); await pause();""")
    sent = run(page, "return window.asked.find(([name]) => name === 'sync/resolve')[1].values;")
    assert sent == {"Note": "sent"}, sent
    page.text("was not sent with it")
    left = "return [...document.querySelectorAll('.conflict')].map((each) => each.querySelector('input').value);"
    assert run(page, left) == ["old", "typed later"], run(page, left)
    assert run(page, "return document.activeElement.value;") == "typed later"
    # Another list leaves it where it is.
    run(page, "window.list = [window.light(6, 1, 'other')]; await window.synchronize();")
    assert run(page, left) == ["other", "typed later"], run(page, left)
    page.press("Edit the feature with it")
    page.wait("one", lambda: page.count(".conflict") == 1)
    feature, changes = run(page, "return window.edited;")
    assert feature == {"layer": "a-1", "objectID": 5, "name": "Lights of the coast 5"}, feature
    assert changes == [{"name": "Note", "text": "typed later", "isCode": False, "before": None}], changes


def let_go_what_was_given_up(page):
    """Of a conflict that is resolved nothing stays where all was sent, or where one's own values were given up."""
    run(page, EDITORS)
    page.wait("the editors", lambda: page.count(".conflict details") == 2)
    run(page, """
      for (const index of [0, 1]) {
        document.querySelectorAll(".conflict details")[index].open = true;
        window.note(index).value = "typed";
      }
      document.querySelector(".conflict details button").click();
      await pause();
      window.answer({ conflicts: [window.light(6, 1, "old")] });""")
    page.wait("one", lambda: page.count(".conflict") == 1)
    assert run(page, "return window.note(0).value;") == "typed"
    run(page, """
      document.querySelectorAll(".conflict > .actions button")[1].click();
      await pause();
      window.answer({ conflicts: [] });""")
    page.text("There are no conflicts.")
    assert not page.has(".conflict")


def show_related_edits(page):
    """After a refusal the list shows which edits have come to those that are decided on together."""
    run(page, SYNC + """
      const visit = (objectId, seen) => ({ table: "Visits", layer: "Visits", objectId, edit: "add", seen });
      const list = (...related) => ({ conflicts: [{ ...window.conflict("Light"), related }] });
      window.answers["sync/conflicts"] = () => list(visit(1, "1"), visit(2, "2"));
      window.answers["sync/resolve"] = () => {
        window.answers["sync/conflicts"] = () => list(visit(1, "1"), visit(2, "5"), visit(3, "3"));
        return { problem: { message: "It was changed.", code: "changed-meanwhile", actions: [] } };
      };
      window.panel.update({ id: "b" });""")
    page.text("Visits 2")
    lines = """return [...document.querySelectorAll('.conflict li')].map((each) =>
      [...each.children].map(({ innerText }) => innerText).join(" "));"""
    assert run(page, lines) == ["Added here Visits 1", "Added here Visits 2"], run(page, lines)
    run(page, "document.querySelector('.conflict button').click();")
    page.text("Visits 3")
    assert run(page, lines) == [
        "Added here Visits 1", "Added here Visits 2 new on the list", "Added here Visits 3 new on the list"], run(page, lines)


def keep_half_a_date_of_conflict(page):
    """Half a date that is being entered for a conflict stays in its control, which keeps the focus, when the list changes."""
    run(page, EDITORS)
    page.wait("the editors", lambda: page.count(".conflict details") == 2)
    run(page, """
      const day = { ...window.light(6, 2, "old").values[1], type: "dateOnly", value: null, text: null };
      window.other = (note) => ({ ...window.light(6, 2, note), values: [...window.light(6, 2, note).values.slice(0, 1), day] });
      window.list = [window.light(5, 1, "old"), window.other("old")];
      await window.synchronize();
      for (const each of document.querySelectorAll(".conflict details")) each.open = true;
      [window.first, window.built] = [0, 1].map((index) => document.querySelectorAll(".conflict")[index].querySelectorAll("input")[1]);""")
    page.on(lambda: run(page, "return window.first;"), lambda date: date.click())
    page.keys(Keys.HOME, Keys.BACKSPACE)
    run(page, "window.built.focus();")
    page.keys("05")
    halves = """return [window.first, window.built].map((each) => each.isConnected && each.validity.badInput);"""
    assert run(page, halves) == [True, True]
    run(page, """
      // The other way round, one more, and both changed.
      window.list = [window.other("new"), window.light(4, 2, "new"), window.light(5, 3, "new")];
      await window.synchronize();""")
    page.wait("three", lambda: page.count(".conflict") == 3)
    assert run(page, halves) == [True, True]
    titles = run(page, "return [...document.querySelectorAll('.conflict')].map((each) => each.querySelector('input').value);")
    assert titles == ["new", "new", "new"], "what was not entered is as it is now"
    assert run(page, "return document.activeElement === window.built;")
    # The person goes on where they were.
    page.keys("172026")
    assert run(page, "return window.built.value;") == "2026-05-17"


def keep_editors_without_answer(page):
    """Where the conflicts cannot be read again that is said above them, and nothing that is being entered is lost."""
    run(page, EDITORS)
    page.wait("the editors", lambda: page.count(".conflict details") == 2)
    run(page, """
      document.querySelector(".conflict details").open = true;
      window.note(0).value = "mine";
      window.note(0).focus();
      window.answers["sync/conflicts"] = () => ({ problem: { message: "Busy.", actions: [{ kind: "retry" }] } });
      await window.synchronize();""")
    page.text("Busy.")
    assert run(page, "return [window.note(0).value, document.activeElement === window.note(0)];") == ["mine", True]
    run(page, """window.answers["sync/conflicts"] = () => ({ conflicts: window.list });""")
    page.press("Try again")
    page.wait("the list", lambda: "Busy." not in page.body())
    assert run(page, "return window.note(0).value;") == "mine"


def end_lost_synchronization(page):
    """A synchronization that another page has removed from the list of jobs can be started again."""
    run(page, EDITORS)
    run(page, """
      await window.synchronize("running");
      window.tell("jobs", []);""")
    assert run(page, "return document.querySelector('.sync-panel button').getAttribute('aria-disabled');") is None


def show_last_audit(page):
    """An audit that was started earlier and ends later takes the place of none that was started after it."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { createStorageScreen } = await import("/page/storage-screen.js");
      const { installNotices } = await import("/page/notices.js");
      follow();
      window.ends = {};
      window.answers["storage/audit"] = ({ deep }) => new Promise((resolve) => { window.ends[deep] = resolve; });
      window.answers["storage/usage"] = () => ({ problem: { message: "No usage.", actions: [] } });
      window.answers["storage/kept"] = () => ({ kept: [] });
      document.body.replaceChildren(createStorageScreen().element);
      installNotices();
      const [quick, deep] = [...document.querySelectorAll("section > .actions button")].slice(-2);
      deep.click();
      quick.click();
      await pause();
      window.ends[false]({ audit: 2, findings: [{ sentence: "Town is damaged.", repair: "Deletes it." }] });
      await pause(); await pause();""")
    page.text("Town is damaged.")
    run(page, "window.ends[true]({ audit: 1, findings: [] }); await pause(); await pause(); await pause();")
    assert "Town is damaged." in page.body()


def tell_of_cache(page):
    """A cache of tiles that cannot be read is not taken for an empty one."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { createTilesPanel } = await import("/page/tiles-panel.js");
      if (!window.source) follow();
      const closePanel = { ifNarrow() {}, reopen() {} };
      document.body.replaceChildren(createTilesPanel({}, document.body, { closePanel }).element);
      window.tiles = {
        isLoaded: false, sources: [], regions: [], usage: null, setAside: [], drafts: {}, server: null,
        problem: { message: "The cache cannot be read.", suggestion: null, kind: "failure", actions: [] },
      };
      window.tell("tiles", window.tiles);""")
    page.text("The cache cannot be read.")
    none = "No regions yet."
    assert none not in page.body()
    run(page, """window.tell("tiles", { ...window.tiles, isLoaded: true, problem: null });""")
    page.text(none)
    assert "The cache cannot be read." not in page.body()


def set_apart_names(page):
    """A name that is written from right to left leaves the sentence around it in order."""
    texts = run(page, """
      const { t } = await import("/page/texts.js");
      return ["מפה (2)", "Map (2)"].map((title) => t("maps.restored", { title }));""")
    assert texts == ['"\u2068מפה (2)\u2069" was restored.', '"Map (2)" was restored.'], texts


def tell_of_place(page):
    """A place is marked that has no feature on the map, and where an answer takes its time that is said there."""
    run(page, FEATURES)
    run(page, """
      window.features.present({ ...window.popups("None"), selection: null, pages: [] }, { center: [3, 4] });""")
    assert run(page, "return window.highlight;") == {"type": "Point", "coordinates": [3, 4]}
    run(page, """
      window.answers["map/identify"] = () => new Promise((resolve) => { window.answer = resolve; });
      window.features.identify({ lng: 1, lat: 2 });""")
    page.wait("a word", lambda: run(page, "return window.note;") == "Loading…")
    run(page, "window.answer(window.popups('First')); await pause(); await pause();")
    page.wait("the popup", lambda: page.read("h2") == "First")
    assert run(page, "return window.note;") is None


def let_notices_go(page):
    """A message goes by itself although the pointer is where it came; a failure to answer goes with the next answer."""
    run(page, """
      const { attempt, installNotices, notify } = await import("/page/notices.js");
      const { post } = await import("/page/api.js");
      installNotices();
      window.attempt = () => attempt(() => post("map/undo"));
      // Time goes by once the message was seen.
      window.timers = [];
      window.setTimeout = (action) => window.timers.push(action);
      const inFront = document.createElement("style");
      inFront.textContent = `.notices { position: fixed; inset: 0; pointer-events: none; }
        .notice { height: 100%; pointer-events: auto; }`;
      document.head.append(inFront);
      const button = document.createElement("button");
      button.textContent = "Save";
      button.addEventListener("click", () => notify("Saved"));
      document.body.append(button);""")
    page.press("Save")
    page.wait("that it has come", lambda: page.has(".notice:hover"))
    run(page, "for (const action of window.timers.splice(0)) action();")
    assert not page.has(".notice"), "it waits for a pointer that nobody has moved to it"
    run(page, """
      const { fetch } = window;
      window.fetch = async () => { throw new TypeError("Failed to fetch"); };
      await window.attempt();
      window.fetch = fetch;""")
    page.text("Portolan does not answer.")
    run(page, "await window.attempt();")
    assert not page.has(".notice")


def dismiss_by_keyboard(page):
    """The focus of a message that a person is done with goes to the next one, and then to the screen."""
    run(page, """
      const { installNotices, showProblem } = await import("/page/notices.js");
      const main = document.createElement("main");
      main.tabIndex = -1;
      document.body.append(main);
      installNotices();
      for (const message of ["First.", "Second."]) showProblem({ message, kind: "failure" });
      const press = () => {
        const button = document.querySelector(".notice .icon-button");
        button.focus();
        button.click();
      };
      window.press = press;
      press();""")
    assert run(page, "return document.activeElement.closest('.notice').textContent;").startswith("Second.")
    run(page, "window.press();")
    assert run(page, "return document.activeElement.tagName;") == "MAIN"


def refuse_files(page):
    """A file that nothing takes, or that cannot be read, is no reason to leave the page or to call Portolan dead."""
    prevented = run(page, """
      const { createPackageDrop, refuseOtherDrops } = await import("/page/package-drop.js");
      refuseOtherDrops();
      const place = document.createElement("div");
      document.body.append(place);
      createPackageDrop(place);
      const drag = (target, name, data) => {
        const event = new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true });
        target.dispatchEvent(event);
        return event.defaultPrevented;
      };
      const files = new DataTransfer();
      files.items.add(new File(["PK"], "a.mmpk"));
      const text = new DataTransfer();
      text.setData("text/plain", "a");
      return [
        drag(document.body, "dragover", files), drag(document.body, "drop", files), drag(document.body, "drop", text),
      ];""")
    assert prevented == [True, True, False], prevented
    told = run(page, """
      const { sendFile } = await import("/page/api.js");
      const arrayBuffer = async () => { throw new DOMException("A folder.", "NotFoundError"); };
      return sendFile({ name: "folder", size: 4096, slice: () => ({ arrayBuffer }) }).catch(({ message }) => message);""")
    assert told == '"folder" cannot be read.', told
    assert run(page, "return window.asked;") == []


def import_several(page):
    """Of files that are dropped together all that became of them is told, however many cannot be imported."""
    run(page, """
      const { installNotices } = await import("/page/notices.js");
      const { createPackageDrop } = await import("/page/package-drop.js");
      installNotices();
      const place = document.createElement("div");
      document.body.append(place);
      createPackageDrop(place);
      const ask = window.fetch;
      window.fetch = (address, request) => String(address).includes("import-piece")
        ? Promise.resolve(new Response("{}")) : ask(address, request);
      let count = 0;
      window.answers["maps/import"] = () => {
        count += 1;
        return count % 3 === 0 ? { outcome: "stored", title: `Map ${count}`, warnings: [`Warning ${count}.`] }
          : { problem: { message: `File ${count} is damaged.`, suggestion: null, kind: "failure", actions: [] } };
      };
      const files = new DataTransfer();
      for (let index = 0; index < 7; index += 1) files.items.add(new File(["PK"], `${index}.mmpk`));
      place.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));""")
    page.text("5 files were not imported.")
    for count in (1, 2, 4, 5, 7):
        assert f"File {count} is damaged." in page.body(), count
    for count in (3, 6):
        assert f"\"Map {count}\" is on this device now. Warning {count}." in page.body(), count


def take_decimal_comma(page):
    """A comma is a decimal point where the reader's language has it so, and goes to Portolan as it is elsewhere."""
    for language, expected in (("de-DE", ["2.5", "-.5", "1.234,5", "2.5", "2,5,1"]),
                               ("en-US", ["2,5", "-,5", "1.234,5", "2.5", "2,5,1"])):
        taken = run(page, """
          const { enteredNumber } = await import("/page/format.js");
          Object.defineProperty(navigator, "language", { value: "%s", configurable: true });
          return ["2,5", "-,5", "1.234,5", " 2.5 ", "2,5,1"].map(enteredNumber);""" % language)
        assert taken == expected, (language, taken)


JOBS = """
  const { follow } = await import("/page/events.js");
  const { createJobsScreen } = await import("/page/jobs-screen.js");
  window.lines = [{ severity: "information", time: "2026-05-03T10:00:00Z", text: "Started" }];
  window.answers["jobs/log"] = () => ({ messages: window.lines });
  window.job = {
    id: "1", title: "Town", state: "running", created: null, actions: ["cancel"], subject: "a", waitingFor: null, ahead: 0,
    progress: { bytes: 0, fraction: 0, totalBytes: 2000 }, kind: "download",
  };
  follow();
  window.tell("jobs", [window.job]);
  document.body.replaceChildren(createJobsScreen().element);
"""


def follow_log(page):
    """A log that is open goes on with its job."""
    run(page, JOBS)
    page.press("Log of Town")
    page.text("Started")
    run(page, """
      window.lines = [...window.lines, { severity: "information", time: "2026-05-03T10:00:01Z", text: "Half of it" }];
      window.tell("jobs", [{ ...window.job, progress: { ...window.job.progress, fraction: 0.5 } }]);""")
    page.text("Half of it")
    count = "return window.asked.filter(([name]) => name === 'jobs/log').length;"
    before = run(page, count)
    page.press("Log of Town")
    run(page, """window.tell("jobs", [window.job]); await new Promise((resolve) => setTimeout(resolve, 700));""")
    assert run(page, count) == before, "a log that is closed is read"


def read_log_in_turn(page):
    """An answer about a log that comes late takes no lines away."""
    run(page, JOBS + """
      window.answers["jobs/log"] = () => new Promise((resolve) => { window.first = resolve; });""")
    page.press("Log of Town")
    page.wait("the question", lambda: run(page, "return Boolean(window.first);"))
    run(page, """
      const line = (text) => ({ severity: "information", time: "2026-05-03T10:00:00Z", text });
      window.answers["jobs/log"] = () => ({ messages: [line("Started"), line("Half of it")] });
      window.tell("jobs", [{ ...window.job, progress: { ...window.job.progress, fraction: 0.5 } }]);""")
    page.text("Half of it")
    run(page, """
      window.first({ messages: [{ severity: "information", time: "2026-05-03T10:00:00Z", text: "Started" }] });
      await pause(); await pause(); await pause();""")
    assert "Half of it" in page.body()


def keep_row_of_job(page):
    """A job that ends keeps its log open and the focus on its row, also where the control has gone that had it."""
    run(page, JOBS + """
      window.other = { ...window.job, id: "2", title: "Harbor", actions: ["pause", "cancel"] };
      window.job = { ...window.job, actions: ["pause", "cancel"] };
      window.tell("jobs", [window.other, window.job]);""")
    page.press("Log of Town")
    page.text("Started")
    focused = "return document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName;"
    run(page, """
      window.tell("jobs", [window.other, { ...window.job, actions: ["resume", "cancel"], state: "paused" }]);""")
    assert run(page, focused) == "Log of Town"
    run(page, """
      document.querySelector("[aria-label^='Resume'][aria-label*='Town']").focus();
      window.tell("jobs", [window.other, { ...window.job, actions: ["forget"], state: "done" }]);""")
    assert "Town" in run(page, focused), run(page, focused)
    assert "Started" in page.body()
    run(page, """
      const main = document.createElement("main");
      main.append(...document.body.children);
      document.body.append(main);
      document.querySelector("[aria-label*='Town'].push-end").focus();
      window.tell("jobs", [window.other]);""")
    assert run(page, focused) != "BODY"
    run(page, """
      document.activeElement.blur();
      document.querySelector(".job button").focus();
      window.tell("jobs", []);""")
    assert run(page, focused) != "BODY"


def name_worker(page):
    """A job that another process works on says what it waits for, and which process that is."""
    run(page, JOBS + """
      window.job = { ...window.job, state: "waiting", waitingFor: "network", worker: "process 4711 (portolan)" };
      window.tell("jobs", [window.job]);""")
    page.text("Waiting for a network")
    page.text("Worked on by process 4711 (portolan)")
    run(page, """window.tell("jobs", [{ ...window.job, worker: null }]);""")
    page.no_text("Worked on")


def end_question(page):
    """The question whether a job is to be cancelled goes once the job has ended, and cancels nothing."""
    run(page, JOBS + """
      window.job = { ...window.job, progress: { bytes: 5, fraction: 0.1, totalBytes: 2000 } };
      window.tell("jobs", [window.job]);
      window.asked = [];
      document.querySelector("[aria-label^='Cancel']").click();""")
    page.wait("the question", lambda: page.has("dialog[open]"))
    run(page, """window.tell("jobs", [{ ...window.job, actions: ["forget"], state: "done" }]); await pause();""")
    assert not page.has("dialog") and run(page, "return window.asked;") == []


def tell_once_what_is_found(page):
    """How many maps a search has found is told once, and not with each change of the list; without an answer they stay."""
    told = run(page, """
      const { createMapListBar } = await import("/page/map-list-bar.js");
      const { installNotices } = await import("/page/notices.js");
      installNotices();
      window.told = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) window.told += addedNodes.length;
      }).observe(document.querySelector("[role=status][aria-live]"), { childList: true });
      const rows = (bytes) => ["Town", "Tower", "Bay"].map((title) => ({ id: title, title, bytes }));
      window.answers["maps/find"] = () => ({ ids: ["Tower", "Town"] });
      const bar = createMapListBar(() => {}, new URLSearchParams("text=to"));
      const show = async (bytes) => {
        bar.rows(rows(bytes));
        await pause(); await pause(); await pause();
        return bar.rows(rows(bytes)).map(({ id }) => id);
      };
      for (const bytes of [1, 2, 3]) await show(bytes);
      window.answers["maps/find"] = () => ({ problem: { message: "Busy.", kind: "failure", actions: [] } });
      return [await show(4), window.told];""")
    assert told == [["Tower", "Town"], 1], told


def keep_row_of_storage(page):
    """The focus stays in a list that is drawn again: on the same row, or on the one that has taken its place."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { createStorageScreen } = await import("/page/storage-screen.js");
      follow();
      const map = (id, actions) => ({ id, title: id, state: "stored", actions });
      window.show = (...names) => {
        const sizes = { allocatedBytes: 5, reclaimableBytes: 5, bytes: 5 };
        window.answers["storage/usage"] = () => ({
          maps: names.map((id) => ({ id, title: id, ...sizes })), earlierVersions: [], deleted: [], messages: [],
          total: sizes, downloads: sizes, imports: sizes, temporary: sizes, kept: sizes, freeBytes: 9,
        });
        window.tell("maps", { items: names.map((id) => map(id, ["delete"])), deleted: [] });
      };
      window.answers["storage/kept"] = () => ({ kept: [] });
      window.show("Abbey", "Bay", "Cape");
      const main = document.createElement("main");
      main.append(createStorageScreen().element);
      document.body.replaceChildren(main);""")
    page.wait("the rows", lambda: page.count("tbody tr") == 3)
    focused = "return document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName;"
    run(page, "document.querySelector('[aria-label*=Bay]').focus();")
    for names, expected in (("'Aa', 'Abbey', 'Bay', 'Cape'", "Bay"), ("'Aa', 'Abbey', 'Cape'", "Cape"), ("", "H1")):
        run(page, f"window.show({names}); await pause(); await pause(); await pause();")
        page.wait("the focus", lambda: expected in run(page, focused))


def ask_once_for_details(page):
    """What a map holds and cannot be read is not asked for, nor told, with each progress of a download."""
    run(page, """
      const { createMapDetails } = await import("/page/map-details.js");
      window.answers["maps/details"] = () => ({ problem: { message: "Damaged.", actions: [] } });
      window.details = createMapDetails();
      window.row = { id: "a", title: "Town", state: "stored", installed: "1", bytes: 5 };
      window.details.update(window.row);
      document.body.replaceChildren(window.details.element);
      window.details.element.open = true;""")
    page.text("Damaged.")
    run(page, """
      for (let index = 0; index < 3; index += 1) {
        window.details.update({ ...window.row });
        await pause(); await pause();
      }""")
    asked = "return window.asked.length;"
    assert run(page, asked) == 1, run(page, asked)
    run(page, "window.details.element.open = false; await pause(); await pause();")
    run(page, "window.details.element.open = true;")
    page.wait("the second question", lambda: run(page, asked) == 2)


def keep_layers_left_out(page):
    """A layer that was left out of an area stays so while the layers are asked for again, and the start is told once."""
    run(page, """
      const { createOfflinePanel } = await import("/page/offline-panel.js");
      const { installNotices } = await import("/page/notices.js");
      const layer = (id) => ({ id, title: id, state: "yes", reason: null, isBasemap: false });
      window.answers["offline/capabilities"] = () => ({ layers: [layer("Lights"), layer("Towns")] });
      window.answers["offline/basemaps"] = () => ({ basemaps: [] });
      window.answers["offline/estimate"] = () => ({
        parts: [], leastBytes: 1, mostBytes: 2, isComplete: true, fits: true, freeBytes: 9, isPossible: true,
      });
      window.answers["offline/take"] = () => ({ isNew: true });
      const shape = { addTo: () => shape, remove() {} };
      const bounds = {
        getCenter: () => ({ lng: 0 }), getWest: () => 0, getEast: () => 1, getSouth: () => 0, getNorth: () => 1,
      };
      const view = { map: { getBounds: () => bounds }, leaflet: { polygon: () => shape } };
      const panel = createOfflinePanel(view, document.body);
      window.panel = panel;
      document.body.replaceChildren(panel.element);
      installNotices();
      panel.update({ webMap: "w", title: "Coast" });""")
    lights = "input[value='Lights']"
    page.wait("the layers", lambda: page.has(lights))
    page.press("", lights)
    # One that lacks a sign-in has a way to it; the layers are asked for again once that has changed.
    asked = "return window.asked.filter(([name]) => name === 'offline/capabilities').length;"
    before = run(page, asked)
    run(page, """
      window.refused = { title: "Moorings", reason: "It wants you to sign in.", server: "https://maps.test/arcgis" };
      window.panel.update({ webMap: "w", title: "Coast", problems: [window.refused] });""")
    assert page.named("Sign in to its server Moorings") and run(page, asked) == before + 1
    run(page, """window.panel.update({ webMap: "w", title: "Coast", problems: [] });""")
    assert not page.named("Sign in to its server Moorings") and run(page, asked) == before + 2
    page.wait("the layers", lambda: page.has(lights))
    run(page, """
      document.querySelector("details").open = true;
      const { answers } = window;
      answers["offline/capabilities"] = () => ({ problem: { message: "Busy.", actions: [] } });
      document.querySelector("[name=noBasemap]").click();""")
    page.text("Busy.")
    run(page, """
      const layer = (id) => ({ id, title: id, state: "yes", reason: null, isBasemap: false });
      window.answers["offline/capabilities"] = () => ({ layers: [layer("Lights"), layer("Towns")] });""")
    page.press("Try again")
    page.wait("the layers", lambda: page.has(lights))
    assert run(page, f"return document.querySelector(\"{lights}\").checked;") is False
    page.press("Use what is shown")
    page.wait("the sum", lambda: run(page, """
      return document.querySelector(".offline-footer button").getAttribute("aria-disabled") === null;"""))
    page.press("Take offline")
    page.wait("the request", lambda: run(page, "return window.asked.some(([name]) => name === 'offline/take');"))
    request = run(page, "return window.asked.find(([name]) => name === 'offline/take')[1];")
    assert request["without"] == ["Lights"], request
    page.wait("the message", lambda: page.has(".notice"))
    assert run(page, "return document.querySelectorAll('[role=status][aria-live] p').length;") == 1


def keep_area(page):
    """An area to be taken offline is there again once the page was loaded again, with its choices, until it is taken."""
    stage = VIEW + """
      const { createOfflinePanel } = await import("/page/offline-panel.js");
      const layer = (id) => ({ id, title: id, state: "yes", reason: null, isBasemap: false });
      window.answers["offline/capabilities"] = () => ({ layers: [layer("Lights"), layer("Towns")] });
      window.answers["offline/basemaps"] = () => ({ basemaps: [] });
      window.answers["offline/estimate"] = () => ({
        parts: [], leastBytes: 1, mostBytes: 2, isComplete: true, fits: true, freeBytes: 9, isPossible: true,
      });
      window.answers["offline/take"] = () => ({ isNew: true });
      window.panel = createOfflinePanel(window.view, document.body);
      document.body.replaceChildren(window.panel.element);
      window.asked = [];
      window.panel.update({ webMap: "w", title: "Coast" });
    """
    lights = "input[value='Lights']"
    estimate = "return window.asked.filter(([name]) => name === 'offline/estimate').at(-1)?.[1] ?? null;"
    run(page, "sessionStorage.clear();" + stage)
    page.wait("the layers", lambda: page.has(lights))
    page.press("", lights)
    page.type("input[type=text]", "Our coast" + Keys.TAB)
    run(page, "document.querySelector('select').value = '2';")
    page.press("Draw a polygon")
    run(page, "for (const [lng, lat] of [[0, 0], [1, 0], [1, 1]]) window.select({ lng, lat });")
    run(page, stage)
    request = page.wait("the estimate", lambda: run(page, estimate))
    assert request["parts"] == [[[0, 0], [1, 0], [1, 1]]], request
    assert (request["title"], request["without"], request["maxScale"]) == ("Our coast", ["Lights"], 20_000), request
    # Another map knows nothing of it, and takes nothing away; drawing goes on as long as its map is there.
    run(page, stage + """
      window.panel.remove();
      window.panel.update({ webMap: "v", title: "Other" });
      await pause();""")
    assert page.value("input[type=text]") == "Other" and "Draw an area first." in page.body()
    run(page, stage)
    page.wait("the estimate", lambda: run(page, estimate))
    page.press("Draw a polygon")
    run(page, """
      window.select({ lng: 0, lat: 1 });
      window.panel.remove();
      const { cancelSketch } = await import("/page/sketch.js");
      cancelSketch();
      await pause();""" + stage)
    request = page.wait("the estimate", lambda: run(page, estimate))
    assert request["parts"] == [[[0, 0], [1, 0], [1, 1], [0, 1]]], request
    page.wait("the sum", lambda: run(page, """
      return document.querySelector(".offline-footer button").getAttribute("aria-disabled") === null;"""))
    page.press("Take offline")
    page.wait("that it is kept no longer", lambda: run(page, "return sessionStorage.getItem('portolan-offline-area') === null;"))


def name_missing_parts(page):
    """A job that is done in part says what is missing and why; to cancel it gives nothing up that is on this device."""
    run(page, JOBS + """
      const failedItems = [{ name: "Harbor lights", failure: { kind: "sign-in", message: "It wants you to sign in." } }];
      window.part = { ...window.job, state: "done in part", failedItems };
      window.part.progress = { bytes: 5, fraction: null, totalBytes: null };
      window.tell("jobs", [window.part]);
      window.asked = [];""")
    page.text("1 part is missing")
    page.text("Harbor lights: It wants you to sign in.")
    page.press("Cancel Town")
    page.text("The map stays on this device as it is.")
    page.press("Keep them")
    assert run(page, "return window.asked;") == []
    run(page, """window.tell("jobs", [{ ...window.part, state: "done" }]);""")
    page.no_text("Harbor lights")


def tell_of_missing_parts(page):
    """A download that has ended on another screen is not told as whole where parts of it are missing."""
    run(page, """
      const { follow } = await import("/page/events.js");
      const { followMapNews } = await import("/page/map-news.js");
      const { installNotices } = await import("/page/notices.js");
      installNotices();
      follow();
      followMapNews();
      const items = (state, omissions) => ["Town", "Coast"].map((title, index) => ({
        id: title, title, state, omissions: index === 0 ? omissions : [],
      }));
      window.tell("maps", { items: items("downloading", []) });
      window.tell("maps", { items: items("stored", ["Harbor lights: It wants you to sign in."]) });""")
    page.text("\"Town\" is on this device now, but 1 part is missing.")
    page.text("\"Coast\" is on this device now.")


def leave_focus(page):
    """An item that comes late takes the focus from nothing that a person has gone to meanwhile."""
    run(page, """
      const { createItemScreen } = await import("/page/item-screen.js");
      window.answers["portal/item"] = () => new Promise((resolve) => { window.answer = resolve; });
      window.show = () => {
        const screen = createItemScreen("a");
        document.body.replaceChildren(screen.element);
        screen.heading.tabIndex = -1;
        screen.heading.focus();
      };
      window.item = {
        id: "a", title: "Town", type: "Map", owner: "o", snippet: "", description: "", termsOfUse: "", tags: [], size: 0,
        created: null, modified: null,
      };
      window.show();
      document.querySelector(".back-link").focus();
      window.answer(window.item); await pause(); await pause();""")
    page.wait("the item", lambda: page.read("h1") == "Town")
    assert run(page, "return document.activeElement.className;") == "back-link"
    run(page, "window.show(); window.answer(window.item); await pause(); await pause();")
    page.wait("the focus", lambda: run(page, "return document.activeElement.textContent;") == "Town")


LAYERS = """
  const { createLayersPanel } = await import("/page/layers-panel.js");
  const { installNotices } = await import("/page/notices.js");
  const layer = (id, on, exclusive = false, layers = []) => ({
    id, title: id, on, exclusive, layers, basemap: false, problem: null, minScale: 0, maxScale: 0,
  });
  const panel = createLayersPanel();
  document.body.replaceChildren(panel.element);
  installNotices();
  panel.update({
    layers: [layer("Grounds", true, false, [layer("Chart", true, true), layer("Photo", false, true)])], tables: [],
    omissions: [],
  }, 1000);
  window.answers["map/layer"] = () => ({ problem: { message: "Busy.", actions: [{ kind: "retry" }] } });
"""


def refuse_switch(page):
    """A layer that could not be switched on is shown as it is, and tried again as it was wanted."""
    run(page, LAYERS)
    checked = "return [...document.querySelectorAll('input:checked')].map(({ id }) => id);"
    page.press("", "#layer-Photo")
    page.text("Busy.")
    assert run(page, checked) == ["layer-Grounds", "layer-Chart"]
    run(page, """window.answers["map/layer"] = () => ({});""")
    page.press("Try again")
    asked = "return window.asked.filter(([name]) => name === 'map/layer').map(([, { isOn }]) => isOn);"
    page.wait("the second question", lambda: len(run(page, asked)) == 2)
    assert run(page, asked) == [True, True]


def keep_apart(page):
    """A part of the page that fails keeps a state from no other part, and Enter in a word that is composed sends nothing."""
    told = run(page, """
      const { follow, subscribe } = await import("/page/events.js");
      const told = [];
      window.addEventListener("error", (event) => { told.push(event.message); event.preventDefault(); });
      follow();
      subscribe("jobs", () => { throw new Error("broken"); });
      subscribe("jobs", () => told.push("drawn"));
      window.tell("jobs", []);
      return told;""")
    assert len(told) == 2 and told[-1] == "drawn", told
    told = run(page, """
      const { ask } = await import("/page/dom.js");
      const input = document.createElement("input");
      const told = [];
      ask({ title: "Name", body: input, choices: [{ value: 1, label: "Save", kind: "primary" }] })
        .then((value) => told.push(value));
      const press = (isComposing) => input.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing }));
      press(true);
      await pause();
      told.push("composed");
      press(false);
      await pause();
      return told;""")
    assert told == ["composed", 1], told


def show_open_tool(page):
    """The tool that is open is seen as a whole where the tools have room for some of them, however that has come."""
    run(page, """
      const { createMapTools } = await import("/page/map-tools.js");
      window.tools = createMapTools(document.createElement("h1"), {});
      document.body.replaceChildren(window.tools.element);
      window.row = document.querySelector(".tool-row");
      window.row.style.cssText = "display: flex; overflow-x: auto; width: 2000px";
      for (const tool of document.querySelectorAll(".tool")) tool.style.cssText = "flex: none; width: 100px";
      window.map = { editable: [{}], problems: [{}], undoCount: 0, webMap: null, id: "a" };
      window.tools.update(window.map);
      window.tools.markOpen("problems");""")
    is_seen = """
      const [own, frame] = ["[aria-expanded=true]", ".tool-row"].map((each) =>
        document.querySelector(each).getBoundingClientRect());
      return own.left >= frame.left && own.right <= frame.right;"""
    assert run(page, is_seen)
    run(page, "window.row.style.width = '250px';")
    page.drawn()
    page.wait("the tool that is open", lambda: run(page, is_seen))
    # A person looks at the others, which an event of the map leaves them.
    run(page, "window.row.scrollLeft = 0; window.tools.update(window.map);")
    assert not run(page, is_seen)
    run(page, "window.tools.update({ ...window.map, editable: [] });")
    assert run(page, is_seen)


HOSTILE = """
  const { sanitized, plainText } = await import("/page/sanitize.js");
  const { popupElement } = await import("/page/popup-elements.js");
  const { attachmentsSection } = await import("/page/attachments.js");
  window.isHit = false;
  const texts = [
    '<img src=x onerror="isHit=true">', '<svg onload="isHit=true">', '<a href=" java\\nscript:isHit=true">a</a>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=isHit=true&gt;">',
    '<iframe srcdoc="<script>parent.isHit=true</script>"></iframe>', '<p style="color:red" onclick="isHit=true">p</p>',
  ];
  for (const text of texts) {
    const values = [{ label: text, text, link: "javascript:isHit=true" }];
    const media = [{ title: text, caption: text, image: text, alt: text }];
    const files = [{ id: 1, name: `${text}.png`, contentType: "image/png", size: 1 }, { id: 2, name: text, size: 1 }];
    document.body.append(
      sanitized(text), popupElement({ type: "text", html: text }),
      popupElement({ type: "fields", title: text, summary: text, fields: values }),
      popupElement({ type: "media", title: text, media }),
      attachmentsSection({ canEdit: true, layerId: text, objectId: 1, attachments: files }, () => {}));
  }
  for (const each of document.querySelectorAll("a, p")) each.click();
  await new Promise((resolve) => setTimeout(resolve, 200));
  // Texts that never end what they begin, or have more in each other than anybody needs, are read whole, long before
  // the driver gives the script up.
  plainText("<".repeat(3_000_000));
  const deep = plainText(`${"<i>".repeat(50_000)}deep &amp; far${"</i>".repeat(50_000)}`);
  if (deep !== "deep & far") return [deep];
  return [window.isHit, document.querySelectorAll("script:not(:first-child), iframe, [onerror], [onclick], [style]").length];
"""


def read_hostile_texts(page):
    """Nothing in the texts, names and addresses of a map's author acts, nor keeps the page busy."""
    assert run(page, HOSTILE) == [False, 0]


def act_again(page):
    """These tests act on what is drawn anew while they look at it, and on what can be used only later."""
    draw = """
      const field = Object.assign(document.createElement("input"), { value: arguments[0] });
      field.addEventListener("change", () => { document.title = field.value; });
      document.body.replaceChildren(field);"""
    seen = []

    def act(element):
        seen.append(element)
        if len(seen) == 1:
            page.driver.execute_script(draw, "second")
        return element.get_property("value")

    page.driver.execute_script(draw, "first")
    assert page.on("input", act) == "second" and len(seen) == 2, seen
    page.type("input", "third" + Keys.ENTER)
    assert page.value("input") == page.driver.title == "third"
    run(page, """
      const button = Object.assign(document.createElement("button"), { textContent: "Go on" });
      button.setAttribute("aria-disabled", "true");
      button.addEventListener("click", () => { window.isUsed = !button.matches("[aria-disabled]"); });
      document.body.replaceChildren(button);""")
    assert not page.pressed("Go on") and page.pressed("Go elsewhere") is False
    run(page, "document.querySelector('button').removeAttribute('aria-disabled');")
    page.press("Go on")
    assert run(page, "return window.isUsed;") is True


def main():
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Files, directory=FILES))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    driver = browser()
    try:
        page = Page(driver)
        plays = (
            act_again, take_other_subtype, keep_half_a_date, send_what_is_chosen, take_template_in_turn, follow_changes, wait_for_answer,
            drop_late_answers, leave_turns_alone, show_what_was_edited, keep_form,
            enter_while_stored, enter_before_refusal, go_on_after_reload, keep_what_no_request_has, keep_sketch, keep_drawn_shape,
            keep_region, keep_settings_typed_since, keep_names_typed_since, keep_region_typed_since, keep_search_typed_since,
            keep_name_typed, sign_in_for_layer, leave_server_alone, sign_in_for_problem, list_servers, sign_in_for_job,
            sign_in_for_synchronization, resolve_own, tell_what_still_waits, resolve_changed, edit_conflict,
            keep_conflict_editors, keep_what_is_typed_after_deciding, let_go_what_was_given_up, show_related_edits,
            keep_half_a_date_of_conflict, keep_editors_without_answer, end_lost_synchronization, show_last_audit, tell_of_cache,
            set_apart_names, tell_of_place, let_notices_go, dismiss_by_keyboard, refuse_files, import_several, take_decimal_comma, follow_log,
            read_log_in_turn, keep_row_of_job, name_worker, end_question, tell_once_what_is_found, keep_row_of_storage, ask_once_for_details, keep_layers_left_out, keep_area,
            name_missing_parts, tell_of_missing_parts, leave_focus, refuse_switch,
            keep_apart, show_open_tool, read_hostile_texts)
        for play in plays:
            driver.get(f"http://127.0.0.1:{server.server_address[1]}/{play.__name__}")
            play(page)
            print(f"ok   {play.__doc__}", flush=True)
    finally:
        driver.quit()
        server.shutdown()


main()
