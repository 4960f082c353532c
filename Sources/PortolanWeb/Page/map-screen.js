// The map: Leaflet with the tiles that Portolan draws, its tools, and the panels over it.

import { createAddPanel } from "./add-panel.js";
import { keepAddress } from "./address.js";
import { post } from "./api.js";
import { createBookmarksPanel } from "./bookmarks-panel.js";
import { createChangesPanel } from "./changes-panel.js";
import { button, emptyState, fill, h } from "./dom.js";
import { current, subscribe, subscribeToConnection } from "./events.js";
import { createFeatures } from "./features.js";
import { createLayersPanel } from "./layers-panel.js";
import { loadLeaflet } from "./leaflet-loader.js";
import { createLegendPanel } from "./legend-panel.js";
import { mapAddress, mapOfAddress, meansOpenMap, openMapOfAddress } from "./map-address.js";
import { createMapView, mapKey, setPosition } from "./map-view.js";
import { createOfflinePanel } from "./offline-panel.js";
import { attempt, problemBox } from "./notices.js";
import { createProblemsPanel } from "./problems-panel.js";
import { createSearchPanel } from "./search-panel.js";
import { createSidePanels } from "./side-panels.js";
import { createSyncPanel } from "./sync-panel.js";
import { createTilesPanel } from "./tiles-panel.js";
import { createMapChoice } from "./map-choice.js";
import { createMapTools } from "./map-tools.js";
import { t } from "./texts.js";

/// The map that was open last, which another Portolan can open again.
const lastMapKey = "portolan-last-map";

/// How long the state of a map that was opened may take to come, and how long the map is moved before its address
/// follows, in milliseconds.
const openingPatience = 3000;
const addressDelay = 250;

export function createMapScreen(_, parameters) {
  const heading = h("h1", { class: "map-title", text: t("map.region") });
  const element = h("div", { class: "map-screen" });
  const screen = { element, heading, title: current("map")?.title ?? t("nav.map") };
  let opened = null;
  let isRemoved = false;
  let isLoading = false;
  /// The map that the address names, until it is the one that is open.
  let wanted = mapOfAddress(parameters);
  let isOpening = false;
  let patience = null;
  /// The map that was open when Portolan was lost; another Portolan opens it again.
  let lost = null;

  function update(map) {
    if (isRemoved) return;
    if (!map && lost && !wanted) {
      // What is in a form is kept until then.
      opened?.remove();
      opened = null;
      drawLoading();
      wanted = lost;
    }
    lost = null;
    if (wanted) {
      if (!meansOpenMap(wanted, map)) {
        openWanted();
        return;
      }
      if (map && wanted.position) setPosition(mapKey(map), wanted.position);
      forgetWanted();
    }
    draw(map);
  }

  function draw(map) {
    if (!map) {
      opened?.remove();
      opened = null;
      drawEmpty(element, heading);
      return;
    }
    remember(map);
    if (opened) opened.update(map);
    else if (!isLoading) open();
  }

  /// Opens the map that the address names; if it cannot be opened, what is open is shown.
  async function openWanted() {
    if (isOpening) return;
    isOpening = true;
    const named = wanted;
    const open = async () => {
      await openMapOfAddress(named);
      return true;
    };
    // That a demo does not know the map of the one before needs no words.
    const isOpen = await (named.isLost ? open().catch(() => false) : attempt(open));
    if (isRemoved || wanted !== named) return;
    patience = setTimeout(() => {
      forgetWanted();
      draw(current("map"));
    }, isOpen ? openingPatience : 0);
  }

  function forgetWanted() {
    clearTimeout(patience);
    wanted = null;
    isOpening = false;
  }

  /// Takes over another address, after a question where what is open would be left and something lost.
  async function navigate(latest) {
    const named = mapOfAddress(latest);
    if (!meansOpenMap(named, current("map")) && !await screen.mayLeave()) return false;
    forgetWanted();
    wanted = named;
    update(current("map"));
    // Another map is shown there once it is open.
    if (named.position && meansOpenMap(named, current("map"))) opened?.showPosition();
    return true;
  }

  async function open() {
    isLoading = true;
    try {
      const leaflet = await loadLeaflet();
      const map = current("map");
      if (isRemoved || !map) return;
      opened = createOpenedMap(leaflet, element, heading);
      opened.update(map);
    } catch (error) {
      console.error(error);
      fill(element, problemBox({
        message: t("map.loadFailed"), suggestion: t("problem.notRunningSuggestion"),
      }));
    } finally {
      isLoading = false;
    }
  }

  function drawLoading() {
    fill(element, h("div", { class: "map-loading" }, heading,
      h("p", { role: "status", text: t("common.loading") })));
  }

  drawLoading();
  const unsubscribe = [
    subscribe("map", update),
    subscribeToConnection((connection) => {
      const map = current("map");
      if (connection !== "connected" && map) lost = { ...map, index: map.index ?? 0, isLost: true };
    }),
  ];
  const beforeUnload = (event) => { if (opened?.hasChanges()) event.preventDefault(); };
  window.addEventListener("beforeunload", beforeUnload);
  const pageHide = () => opened?.keepForm();
  const pageShow = ({ persisted }) => { if (persisted) opened?.forgetForm(); };
  window.addEventListener("pagehide", pageHide);
  window.addEventListener("pageshow", pageShow);
  screen.navigate = navigate;
  screen.mayLeave = () => opened?.closeForm() ?? Promise.resolve(true);
  screen.remove = () => {
    isRemoved = true;
    clearTimeout(patience);
    window.removeEventListener("beforeunload", beforeUnload);
    window.removeEventListener("pagehide", pageHide);
    window.removeEventListener("pageshow", pageShow);
    unsubscribe.forEach((end) => end());
    opened?.remove();
  };
  return screen;
}

function drawEmpty(element, heading) {
  const hadFocus = document.activeElement === heading;
  heading.textContent = t("map.none");
  heading.className = "";
  const empty = emptyState({
    iconName: "map", title: t("map.none"), text: t("map.noneText"), level: "p",
    actions: [
      h("a", { class: "button primary", href: "#/maps", text: t("map.toMaps") }), openAgain(),
    ].filter(Boolean),
  });
  empty.querySelector("p").replaceWith(heading);
  fill(element, empty);
  if (hadFocus) heading.focus({ preventScroll: true });
}

function remember({ id, webMap, title, index }) {
  sessionStorage.setItem(lastMapKey, JSON.stringify({ id, webMap, title, index }));
}

/// A button that opens the last map again, unless the person has closed it.
function openAgain() {
  const last = JSON.parse(sessionStorage.getItem(lastMapKey) ?? "{}");
  if (!last.id && !last.webMap) return null;
  return button(t("map.openAgain", { title: last.title }), "map", () => attempt(
    () => openMapOfAddress(last)));
}

/// The map with all that stands over it: { update(map), showPosition(), closeForm(), hasChanges(), keepForm(), forgetForm(),
/// remove() }.
function createOpenedMap(leaflet, element, heading) {
  const helpID = "map-help";
  const canvas = h("div", {
    class: "map-canvas", tabindex: "0", role: "application", "aria-label": t("map.region"),
    "aria-describedby": helpID,
  });
  const detail = h("div", { class: "detail-slot" });
  const side = h("div", { class: "side-slot" });
  const toolPlace = h("div", { class: "map-tools-place" });
  const hadFocus = document.activeElement === heading;
  heading.className = "map-title";
  fill(element, toolPlace, h("div", { class: "map-panels" }, side, detail),
    h("div", { class: "map-frame" }, canvas, h("div", { class: "crosshair", "aria-hidden": "true" })),
    h("p", { class: "visually-hidden", id: helpID, text: t("map.help") }));
  const siblings = createMapChoice({ mayLeave: () => features.closeForm() });
  const view = createMapView(leaflet, canvas, {
    onPlace: (place, isKeyboard) => features.identify(place, isKeyboard), onScale: tellScale,
    onMove: tellAddress,
  });
  const features = createFeatures(view, element, {
    show: (panel) => {
      if (isNarrow()) panels.close({ keepsFocus: true });
      if (detail.firstElementChild !== panel) fill(detail, panel);
    },
    clear: () => detail.replaceChildren(),
    padding: () => paddingBeside(toolPlace, detail, side),
  });
  const tilesPanel = createTilesPanel(view, element, {
    closePanel: {
      ifNarrow: () => isNarrow() && panels.close({ keepsFocus: true }),
      reopen: () => panels.open("tiles"),
    },
  });
  const offline = createOfflinePanel(view, element);
  const sync = createSyncPanel(features.editWith);
  const panels = createSidePanels(side, {
    offline, sync,
    search: createSearchPanel(({ place, popups }) => {
      if (isNarrow()) panels.close();
      if (place.center) view.goTo(place.center, place.scale);
      features.present(popups, place);
    }),
    layers: createLayersPanel(), legend: createLegendPanel(),
    bookmarks: createBookmarksPanel((center, scale) => {
      if (isNarrow()) panels.close();
      view.goTo(center, scale);
    }, () => {
      const { lat, lng } = view.map.getCenter();
      return { longitude: lng - Math.round(lng / 360) * 360, latitude: lat, scale: view.scale() };
    }),
    add: createAddPanel((form, layer) => add(form, layer)),
    changes: createChangesPanel(() => features.undo()), problems: createProblemsPanel(),
    tiles: tilesPanel,
  }, (name) => tools.markOpen(name));
  const tools = createMapTools(heading, {
    toggle: async (name) => {
      if (name !== "add" || await features.closeForm()) panels.toggle(name);
    },
    undo: () => features.undo(),
    whole: () => view.showWhole(current("map").extent),
    close: () => attempt(async () => {
      if (!await features.closeForm()) return;
      await post("map/close");
      sessionStorage.removeItem(lastMapKey);
      location.hash = "#/maps";
    }),
  });
  heading.after(siblings.element);
  fill(toolPlace, tools.element);
  if (hadFocus) heading.focus({ preventScroll: true });
  let key = null;
  let opening = null;
  let scaleTimer = null;
  let addressTimer = null;

  async function add(form, layer) {
    panels.close({ keepsFocus: true });
    const title = t("form.addTitle", { layer: layer.title });
    features.startForm(form, { title, geometry: layer.geometry, layer: layer.id, objectID: null });
    if (layer.geometry && !form.geometry) detail.querySelector(".form-shape button")?.click();
  }

  /// Tells the scale once zooming has ended; the layers in range and the legend follow from it.
  function tellScale(scale) {
    panels.update(current("map"), scale);
    clearTimeout(scaleTimer);
    scaleTimer = setTimeout(() => post("map/scale", { scale }).catch(() => {}), 120);
  }

  /// Lets the address follow the map once it stands still.
  function tellAddress() {
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      const map = current("map");
      if (map && mapKey(map) === key) keepAddress(mapAddress(map, view.position()));
    }, addressDelay);
  }

  function update(map) {
    const latest = mapKey(map);
    // The same map that was opened once more knows nothing of the forms of before.
    const isOther = key !== latest || opening !== map.opening;
    if (key !== null && isOther) {
      features.leave(key);
      offline.remove();
      panels.close({ keepsFocus: true });
    }
    key = latest;
    opening = map.opening;
    heading.textContent = map.title;
    document.title = `${map.title} – ${t("app.name")}`;
    canvas.setAttribute("aria-label", map.title);
    view.update(map);
    tellAddress();
    tools.update(map);
    siblings.update(map);
    // The choice says which map it is.
    heading.classList.toggle("visually-hidden", !siblings.element.hidden);
    panels.update(map, view.scale());
    if (isOther) features.recover(latest);
    else features.checkPopup();
  }

  function remove() {
    clearTimeout(scaleTimer);
    clearTimeout(addressTimer);
    features.leave(key);
    tilesPanel.remove();
    offline.remove();
    sync.remove();
    view.remove();
  }

  return {
    update, remove, showPosition: () => view.showPosition(key), closeForm: features.closeForm,
    hasChanges: features.hasChanges, keepForm: () => features.keep(key), forgetForm: features.forget,
  };
}

function isNarrow() {
  return matchMedia("(max-width: 47.99rem)").matches;
}

/// How much of the map the panels cover, in pixels.
function paddingBeside(tools, detail, side) {
  const margin = 40;
  const top = tools.getBoundingClientRect().height + margin;
  const panel = detail.firstElementChild?.getBoundingClientRect();
  const list = side.firstElementChild?.getBoundingClientRect();
  if (isNarrow()) {
    return { topLeft: [margin, top], bottomRight: [margin, (panel?.height ?? 0) + margin] };
  }
  return {
    topLeft: [(list?.width ?? 0) + margin, top], bottomRight: [(panel?.width ?? 0) + margin, margin],
  };
}
