// Takes an area of an online map offline: the area is drawn, layers are chosen, and what it needs is
// told while it changes.

import { post } from "./api.js";
import { button, fill, h, keepingFocus, labelled, setDisabled, setText } from "./dom.js";
import { bytes, number } from "./format.js";
import { attempt, notify, problemBox } from "./notices.js";
import { offlineOptions } from "./offline-options.js";
import { problemList } from "./problems-panel.js";
import { finishSketch, sketch } from "./sketch.js";
import { t, textOr } from "./texts.js";

/// How long after the last change of the area its needs are asked for, in milliseconds.
const estimateDelay = 600;

/// The area that is being chosen, until it is taken offline.
const areaKey = "portolan-offline-area";

/// The scales that tiles can be taken down to, by the keys of their names.
const scales = [
  { key: "region", minScale: 5_000_000, maxScale: 1_000_000 },
  { key: "city", minScale: 5_000_000, maxScale: 150_000 },
  { key: "street", minScale: 5_000_000, maxScale: 20_000 },
  { key: "own" },
];

/// Returns { element, update(map), remove }. `view` is the map's view, `place` holds the tool bar of
/// drawing.
export function createOfflinePanel(view, place) {
  const title = h("input", { type: "text", maxlength: "120", autocomplete: "off" });
  const level = h("select", {}, scales.map(({ key }, index) =>
    h("option", { value: index, selected: key === "city", text: t(`offline.scale.${key}`) })));
  const options = offlineOptions((isOfLayers) => {
    if (isOfLayers) loadLayers();
    askSoon();
  });
  const layers = h("div", { class: "offline-layers" });
  const refusals = h("div", {});
  const estimate = h("div", { class: "offline-estimate" });
  const parts = h("section", { hidden: true }, h("h3", { text: t("offline.estimate") }), estimate);
  const total = h("div", { class: "offline-total", "aria-live": "polite" });
  const take = button(t("offline.take"), "download", () => attempt(takeOffline),
    { class: "button primary" });
  const form = h(
    "div", { class: "offline-form" },
    h("p", { class: "hint", text: t("offline.hint") }),
    h("div", { class: "actions" },
      button(t("offline.rectangle"), "grid", () => draw("rectangle"), { class: "button small" }),
      button(t("offline.polygon"), "edit", () => draw("polygon"), { class: "button small" }),
      button(t("offline.visible"), "map", () => useVisible(), { class: "button small" })),
    labelled(t("offline.name"), title), labelled(t("offline.scale"), level, t("offline.scaleHint")),
    options.element,
    h("h3", { text: t("offline.layers") }), layers, refusals, parts);
  // What it all comes to stays in view, also while the area is drawn.
  const element = h(
    "div", { class: "offline-panel" }, form,
    h("div", { class: "offline-footer" }, total, h("div", { class: "actions" }, take)));
  let webMap = null;
  let corners = null;
  // Whether the corners were drawn one by one, so that drawing goes on with them.
  let isDrawn = false;
  /// The area as it was before another one is being drawn.
  let before = null;
  let shape = null;
  let timer = null;
  let turn = 0;
  /// Counts how often the map went away: what was being drawn on it then is kept as it was.
  let leavings = 0;
  /// The layers that a person has chosen to leave out, also while they are asked for again.
  let left = new Set();
  /// The layers that lack a sign-in, as they were listed last.
  let refused = "[]";
  setDisabled(take, true);
  setText(total, t("offline.noArea"));
  level.addEventListener("change", () => {
    options.setScales(scales[Number(level.value)].key === "own");
    askSoon();
  });
  title.addEventListener("change", keepArea);

  function update(map) {
    listRefused(map);
    if (map.webMap === webMap) return;
    webMap = map.webMap;
    title.value = map.title;
    left = new Set();
    restoreArea();
    loadLayers();
    // Without them the basemap of the map itself is taken.
    options.loadBasemaps().catch(() => {});
  }

  /// Lists the layers that lack a sign-in to their server. Once that has changed, more or less can be taken.
  function listRefused({ problems = [], webMap: latest }) {
    const list = problems.filter(({ server }) => server);
    const key = JSON.stringify(list);
    if (key === refused) return;
    refused = key;
    keepingFocus(refusals, () => fill(refusals, list.length > 0 ? problemList(list) : null));
    if (latest !== webMap) return;
    loadLayers();
    askSoon();
  }

  async function loadLayers() {
    fill(layers, h("p", { role: "status", text: t("common.loading") }));
    const own = webMap;
    const wanted = options.layerValues();
    const isCurrent = () => own === webMap
      && JSON.stringify(wanted) === JSON.stringify(options.layerValues());
    try {
      const { layers: all } = await post("offline/capabilities", { webMap, ...wanted });
      if (!isCurrent()) return;
      fill(layers, h("ul", { class: "plain-list" }, all.map(layerRow)));
    } catch (problem) {
      if (!isCurrent()) return;
      fill(layers, problemBox(problem, [button(t("common.retry"), "refresh", loadLayers)]));
    }
  }

  function layerRow({ id, title: name, state, reason, isBasemap }) {
    const canTake = state === "yes" || state === "copy";
    const box = h("input", {
      type: "checkbox", value: id, checked: canTake && !left.has(id), disabled: !canTake, onchange: choose,
    });
    function choose() {
      if (box.checked) left.delete(id);
      else left.add(id);
      askSoon();
    }
    const notes = [
      isBasemap ? t("portal.basemap") : null,
      state === "yes" ? null : textOr(`offline.state.${state}`, state), reason,
    ].filter(Boolean).join(" · ");
    return h("li", {}, h("label", {}, box, " ", name),
      notes ? h("p", { class: "hint", text: notes }) : null);
  }

  async function draw(geometry) {
    const own = leavings;
    const isPolygon = geometry === "polygon";
    const wasDrawn = isDrawn;
    before = corners;
    const drawn = await sketch(view, place, {
      geometry, title: t("offline.draw"), parts: isPolygon && isDrawn && corners ? [corners] : [],
      isOnePart: true,
      onChange: (parts) => {
        isDrawn = isPolygon;
        setCorners(parts[0]?.length > 2 ? parts[0] : null);
      },
    });
    if (own !== leavings) return;
    if (!drawn?.[0]) isDrawn = wasDrawn;
    const latest = drawn?.[0] ?? before;
    before = null;
    setCorners(latest);
  }

  function useVisible() {
    const box = view.map.getBounds();
    const shift = 360 * Math.round(box.getCenter().lng / 360);
    const [west, east] = [Math.max(box.getWest() - shift, -180), Math.min(box.getEast() - shift, 180)];
    const [south, north] = [Math.max(box.getSouth(), -85), Math.min(box.getNorth(), 85)];
    isDrawn = false;
    setCorners([[west, south], [east, south], [east, north], [west, north]]);
  }

  function setCorners(vertices) {
    corners = vertices;
    shape?.remove();
    shape = null;
    if (corners) {
      shape = view.leaflet.polygon(corners.map(([x, y]) => [y, x]), {
        color: "#e8590c", weight: 2, fillOpacity: 0.08, interactive: false,
      }).addTo(view.map);
    }
    askSoon();
  }

  /// Keeps the area and what was chosen with it for when the map is shown again, as after the page was loaded again; what has
  /// no room in the browser is not kept.
  function keepArea() {
    if (!webMap) return;
    const values = { webMap, corners: corners ?? before, isDrawn, title: title.value, level: level.value, left: [...left] };
    try {
      if (values.corners) sessionStorage.setItem(areaKey, JSON.stringify(values));
      else forgetArea();
    } catch {
      forgetArea();
    }
  }

  function restoreArea() {
    const kept = keptArea();
    if (kept?.webMap !== webMap) {
      askSoon();
      return;
    }
    left = new Set(kept.left);
    title.value = kept.title;
    level.value = kept.level;
    options.setScales(scales[Number(level.value)].key === "own");
    isDrawn = kept.isDrawn;
    setCorners(kept.corners);
  }

  /// Forgets the area of this map; that of another one stays.
  function forgetArea() {
    if (keptArea()?.webMap === webMap) sessionStorage.removeItem(areaKey);
  }

  /// The layers that are left out; all that were chosen as long as it is not known which there are.
  function leftOut() {
    if (!layers.querySelector("input")) return [...left];
    return [...layers.querySelectorAll("input:not(:checked):not(:disabled)")].map((box) => box.value);
  }

  /// What is wanted, as the actions of Portolan take it.
  function request() {
    const chosen = scales[Number(level.value)];
    const { minScale, maxScale } = chosen.key === "own" ? options.typedScales() : chosen;
    return {
      ...options.values(),
      webMap, parts: corners ? [corners] : undefined, minScale, maxScale, title: title.value.trim(),
      without: leftOut(),
    };
  }

  function askSoon() {
    clearTimeout(timer);
    turn += 1;
    keepArea();
    setDisabled(take, true);
    parts.hidden = true;
    if (!corners) {
      setText(total, t("offline.noArea"));
      return;
    }
    setText(total, t("offline.estimating"));
    timer = setTimeout(ask, estimateDelay);
  }

  async function ask() {
    const own = turn;
    try {
      const answer = await post("offline/estimate", request());
      if (own !== turn) return;
      fill(estimate, partsView(answer));
      fill(total, totalView(answer));
      parts.hidden = false;
      setDisabled(take, !answer.isPossible);
    } catch (problem) {
      if (own === turn) fill(total, problemBox(problem, [], ask));
    }
  }

  async function takeOffline() {
    const wanted = request();
    // Taking an area offline means that it was drawn.
    finishSketch();
    const area = corners;
    const { isNew } = await post("offline/take", wanted);
    // What was drawn meanwhile is another area.
    if (corners === area) forgetArea();
    notify(t(isNew === false ? "offline.running" : "offline.started", { title: title.value }), {
      actionLabel: t("nav.jobs"), action: () => { location.hash = "#/jobs"; },
    });
  }

  function remove() {
    clearTimeout(timer);
    leavings += 1;
    turn += 1;
    webMap = null;
    before = null;
    shape?.remove();
    shape = null;
    corners = null;
  }

  return { element, update, remove };
}

function keptArea() {
  return JSON.parse(sessionStorage.getItem(areaKey) ?? "null");
}

/// What each part needs.
function partsView({ parts }) {
  return [
    h("table", { class: "offline-parts" },
      h("thead", {}, h("tr", {}, ["part", "count", "size"].map((key) =>
        h("th", { scope: "col", text: t(`offline.${key}`) })))),
      h("tbody", {}, parts.map((part) => h("tr", {},
        h("td", { text: part.title }), h("td", { text: countOf(part) }),
        h("td", { text: part.mostBytes === null ? t("offline.unknown")
          : t("offline.range", { least: bytes(part.leastBytes), most: bytes(part.mostBytes) }) }))))),
    parts.filter(({ reason }) => reason).map(({ title, reason }) =>
      h("p", { class: "hint", text: `${title}: ${reason}` })),
  ].flat();
}

/// What all of it needs, and whether it fits.
function totalView({ parts, leastBytes, mostBytes, isComplete, fits, freeBytes }) {
  const sizes = { least: bytes(leastBytes), most: bytes(mostBytes) };
  const limited = parts.find((part) => part.exceedsLimit);
  return [
    h("p", {}, h("strong", {
      text: t(isComplete ? "offline.total" : "offline.totalAtLeast", sizes),
    })),
    limited ? h("p", { class: "failure", text:
      t("offline.tooManyTiles", { title: limited.title, limit: number(limited.tileLimit) }) })
      : h("p", { class: fits ? "hint" : "failure", text: verdict(fits, isComplete, freeBytes) }),
  ];
}

function verdict(fits, isComplete, freeBytes) {
  if (!fits) return t("offline.doesNotFit", { free: bytes(freeBytes) });
  return t(isComplete ? "offline.fits" : "offline.cannotTell");
}

function countOf({ tiles, features }) {
  if (Number.isFinite(tiles)) return t("offline.tiles", { count: tiles });
  if (Number.isFinite(features)) return t("offline.features", { count: features });
  return t("offline.unknown");
}
