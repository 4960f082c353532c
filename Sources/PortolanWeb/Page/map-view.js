// The Leaflet map: position, scale, selection of places by pointer and keyboard, and highlight.

import { h, setText } from "./dom.js";
import { scale as scaleText } from "./format.js";
import { createMapTiles } from "./map-tiles.js";
import { plainText } from "./sanitize.js";
import { language, t } from "./texts.js";

/// Meters per pixel at level 0 of Web Mercator, and the size of a pixel at 96 dpi.
const resolutionAtLevel0 = 156543.03392804097;
const metersPerPixel = 0.000264583;
const shallowestLevel = 1;
const deepestLevel = 23;
const noteDuration = 1800;
const highlightColor = "#00e0e6";

/// Where the last maps were left, so that they are shown there again, also when the page is loaded again.
const positionsKey = "portolan-positions";
const mostPositions = 20;
const positions = keptPositions();

/// What tells an open map from others: each map of a package is one of its own.
export function mapKey({ id, webMap, title, index }) {
  return JSON.stringify([id ?? webMap ?? title, index ?? 0]);
}

function keptPositions() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(positionsKey) ?? "[]"));
  } catch {
    return new Map();
  }
}

function keepPosition(key, map) {
  const { lat, lng } = map.getCenter();
  positions.delete(key);
  positions.set(key, { center: [lat, lng], zoom: map.getZoom() });
  const last = [...positions].slice(-mostPositions);
  sessionStorage.setItem(positionsKey, JSON.stringify(last));
}

/// Where the map of that key is to be shown, and shown again: { center: [latitude, longitude], zoom }.
export function setPosition(key, { center, zoom }) {
  positions.set(key, { center, zoom: Math.max(shallowestLevel, Math.min(deepestLevel, zoom)) });
}

/// Returns the view of a map in `container`. `events` are onPlace(latlng, isKeyboard), onMove() and
/// onScale(scale).
export function createMapView(leaflet, container, events) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = leaflet.map(container, {
    zoomControl: false, attributionControl: false, tap: false, minZoom: shallowestLevel,
    maxZoom: deepestLevel, zoomAnimation: !isCalm, fadeAnimation: false, inertia: !isCalm,
    markerZoomAnimation: !isCalm,
  });
  // What is drawn over the map is told in words beside it.
  map.getPanes().overlayPane.setAttribute("aria-hidden", "true");
  const tiles = createMapTiles(leaflet, map);
  const credits = creditsControl(leaflet, map);
  const scaleLabel = addControls(leaflet, map);
  let highlight = null;
  let note = null;
  let key = null;
  let handler = events.onPlace;

  map.on("click", (event) => handler(event.latlng, false));
  map.on("moveend", () => {
    if (!key) return;
    keepPosition(key, map);
    events.onMove();
  });
  map.on("zoomend", () => {
    setText(scaleLabel, t("map.scale", { scale: scaleText(scale()) }));
    events.onScale(scale());
  });
  container.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== container) return;
    event.preventDefault();
    if (!event.repeat) handler(map.getCenter(), true);
  });
  const resizing = new ResizeObserver(() => map.invalidateSize({ pan: false }));
  resizing.observe(container);

  /// Takes over a state of the map; another map is shown where it was left, or as a whole.
  function update(state) {
    const latest = mapKey(state);
    if (key !== latest) {
      key = null;
      map.invalidateSize();
      if (positions.has(latest)) showPosition(latest);
      else map.fitBounds(bounds(state.extent), { animate: false });
      key = latest;
    }
    tiles.show(state.revision);
    setText(credits.text, plainText(state.credits));
    credits.element.hidden = !state.credits;
  }

  /// Shows the map where it was left, or where its address says.
  function showPosition(wanted) {
    const { center, zoom } = positions.get(wanted);
    map.setView(center, zoom, { animate: false });
  }

  function scale() {
    return resolutionAtLevel0 / 2 ** map.getZoom() / metersPerPixel;
  }

  function showWhole(extent) {
    map.fitBounds(bounds(extent), { animate: !isCalm });
  }

  function goTo([longitude, latitude], denominator) {
    const level = denominator > 0
      ? Math.round(Math.log2(resolutionAtLevel0 / (denominator * metersPerPixel))) : map.getZoom();
    const zoom = Math.max(shallowestLevel, Math.min(deepestLevel, level));
    if (isCalm) map.setView([latitude, longitude], zoom, { animate: false });
    else map.flyTo([latitude, longitude], zoom, { duration: 1.2 });
  }

  function showHighlight(geometry) {
    highlight?.remove();
    highlight = geometry ? highlightLayer(leaflet, geometry).addTo(map) : null;
  }

  /// Moves the map just so far that the highlight is not covered by panels.
  function revealHighlight(padding) {
    const box = highlight?.getBounds();
    if (!box?.isValid()) return;
    const center = box.getCenter();
    if (typeof map.panInside === "function") {
      map.panInside(center, {
        paddingTopLeft: padding.topLeft, paddingBottomRight: padding.bottomRight, animate: !isCalm,
      });
    }
  }

  function zoomToHighlight() {
    const box = highlight?.getBounds();
    if (!box?.isValid()) return;
    const isPoint = box.getSouthWest().equals(box.getNorthEast());
    const zoom = isPoint ? Math.max(map.getZoom(), 14) : map.getBoundsZoom(box.pad(0.3));
    if (isCalm) map.setView(box.getCenter(), zoom, { animate: false });
    else map.flyTo(box.getCenter(), zoom, { duration: 0.9 });
  }

  /// Shows a word at a place for a moment.
  function showNote(latlng, text) {
    note?.remove();
    note = leaflet.tooltip({ direction: "top", className: "map-note", permanent: true, offset: [0, -4] })
      .setLatLng(latlng).setContent(h("span", { text })).addTo(map);
    const own = note;
    const remove = () => own.remove();
    setTimeout(remove, noteDuration);
    return remove;
  }

  function remove() {
    resizing.disconnect();
    map.remove();
  }

  return {
    leaflet, map, container, update, scale, showPosition, showWhole, goTo, showHighlight, revealHighlight,
    zoomToHighlight, showNote, remove,
    /// Where the map was moved to; `null` while it is shown as a whole.
    position: () => positions.get(key) ?? null,
    /// Who is told of the places that are selected, until it is called without.
    handlePlaces: (other) => { handler = other ?? events.onPlace; },
  };
}

function bounds([west, south, east, north]) {
  const limit = 85.05;
  return [[Math.max(south, -limit), west], [Math.min(north, limit), east]];
}

/// Zoom buttons, scale bar and the scale as a number; returns the element of the number.
function addControls(leaflet, map) {
  leaflet.control.zoom({
    position: "bottomright", zoomInTitle: t("map.zoomIn"), zoomOutTitle: t("map.zoomOut"),
  }).addTo(map);
  // As wide as its text needs, which may be large.
  const textSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  leaflet.control.scale({
    position: "bottomleft", maxWidth: 100 * textSize, imperial: /-(US|LR|MM)$/.test(navigator.language ?? language),
  }).addTo(map);
  const label = h("div", { class: "map-scale" });
  control(leaflet, label, "bottomleft").addTo(map);
  return label;
}

/// The attribution as text; Leaflet's own control would insert it as markup.
///
/// Where it would cover much of the map, as with large text on a phone, it is folded until it is asked for.
function creditsControl(leaflet, map) {
  const text = h("span");
  const element = h("details", { class: "map-credits" }, h("summary", { text: t("map.credits") }), text);
  const isSmall = window.matchMedia("(max-width: 20rem), (max-height: 20rem)");
  const fold = () => { element.open = !isSmall.matches; };
  fold();
  isSmall.addEventListener("change", fold);
  map.on("unload", () => isSmall.removeEventListener("change", fold));
  leaflet.DomEvent.disableClickPropagation(element);
  control(leaflet, element, "bottomright").addTo(map);
  return { element, text };
}

function control(leaflet, element, position) {
  const added = leaflet.control({ position });
  added.onAdd = () => element;
  return added;
}

/// The shape twice, as a dark edge below a bright line, so that it shows on any ground.
function highlightLayer(leaflet, geometry) {
  const layers = [
    { color: "#05263d", weight: 7, opacity: 0.75 }, { color: highlightColor, weight: 3.5, opacity: 1 },
  ].map((style) => leaflet.geoJSON(geometry, {
    interactive: false,
    style: { ...style, fillColor: highlightColor, fillOpacity: 0.12 },
    pointToLayer: (feature, place) =>
      leaflet.circleMarker(place, { ...style, radius: 19, fillOpacity: 0.06, interactive: false }),
  }));
  return leaflet.featureGroup(layers);
}
