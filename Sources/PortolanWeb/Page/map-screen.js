// The map: Leaflet with the tiles that Portolan draws, its tools, and the panels over it.

import { createAddPanel } from "./add-panel.js";
import { post } from "./api.js";
import { createBookmarksPanel } from "./bookmarks-panel.js";
import { createChangesPanel } from "./changes-panel.js";
import { button, emptyState, fill, h } from "./dom.js";
import { current, subscribe } from "./events.js";
import { createFeatures } from "./features.js";
import { createLayersPanel } from "./layers-panel.js";
import { loadLeaflet } from "./leaflet-loader.js";
import { createLegendPanel } from "./legend-panel.js";
import { createMapView, mapKey } from "./map-view.js";
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

export function createMapScreen() {
  const heading = h("h1", { class: "map-title", text: t("map.region") });
  const element = h("div", { class: "map-screen" });
  const screen = { element, heading, title: current("map")?.title ?? t("nav.map") };
  let opened = null;
  let isRemoved = false;
  let isLoading = false;

  async function update(map) {
    if (isRemoved) return;
    if (!map) {
      opened?.remove();
      opened = null;
      drawEmpty(element, heading);
      return;
    }
    remember(map);
    if (opened) opened.update(map);
    else if (!isLoading) await open();
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

  fill(element, h(
    "div", { class: "map-loading" }, heading, h("p", { role: "status", text: t("common.loading") })));
  const unsubscribe = subscribe("map", update);
  const beforeUnload = (event) => { if (opened?.hasChanges()) event.preventDefault(); };
  window.addEventListener("beforeunload", beforeUnload);
  screen.mayLeave = () => opened?.closeForm() ?? Promise.resolve(true);
  screen.remove = () => {
    isRemoved = true;
    window.removeEventListener("beforeunload", beforeUnload);
    unsubscribe();
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
  const { id, webMap, title, index } = JSON.parse(sessionStorage.getItem(lastMapKey) ?? "{}");
  if (!id && !webMap) return null;
  return button(t("map.openAgain", { title }), "map", () => attempt(
    () => (id ? post("map/open", { id, index }) : post("portal/open", { id: webMap }))));
}

/// The map with all that stands over it: { update(map), closeForm(), hasChanges(), remove() }.
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
  const sync = createSyncPanel();
  const panels = createSidePanels(side, {
    offline, sync,
    search: createSearchPanel(({ place, popups }) => {
      if (isNarrow()) panels.close();
      if (place.center) view.goTo(place.center, place.scale);
      features.present(popups);
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
  tools.element.append(siblings.element);
  fill(toolPlace, tools.element);
  if (hadFocus) heading.focus({ preventScroll: true });
  let key = null;
  let scaleTimer = null;

  async function add(form, layer) {
    panels.close({ keepsFocus: true });
    const title = t("form.addTitle", { layer: layer.title });
    features.startForm(form, { title, geometry: layer.geometry });
    if (layer.geometry && !form.geometry) detail.querySelector(".form-shape button")?.click();
  }

  /// Tells the scale once zooming has ended; the layers in range and the legend follow from it.
  function tellScale(scale) {
    panels.update(current("map"), scale);
    clearTimeout(scaleTimer);
    scaleTimer = setTimeout(() => post("map/scale", { scale }).catch(() => {}), 120);
  }

  function update(map) {
    const latest = mapKey(map);
    if (key !== null && key !== latest) {
      features.leave();
      offline.remove();
      panels.close({ keepsFocus: true });
    }
    key = latest;
    heading.textContent = map.title;
    document.title = `${map.title} – ${t("app.name")}`;
    canvas.setAttribute("aria-label", map.title);
    view.update(map);
    tools.update(map);
    siblings.update(map);
    panels.update(map, view.scale());
  }

  function remove() {
    clearTimeout(scaleTimer);
    features.leave();
    tilesPanel.remove();
    offline.remove();
    sync.remove();
    view.remove();
  }

  return { update, remove, closeForm: features.closeForm, hasChanges: features.hasChanges };
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
