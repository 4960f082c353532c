// Draws a point, a line or an area on the map by pointer, touch or keyboard.

import { button, focusOn, h, setDisabled, setText } from "./dom.js";
import { announce } from "./notices.js";
import { t } from "./texts.js";

const leastCounts = { point: 1, multipoint: 1, polyline: 2, polygon: 3 };
const lineStyle = {
  color: "#e8590c", weight: 3, fillColor: "#e8590c", fillOpacity: 0.18, interactive: false,
};

/// How long after the end of a drag a click still belongs to it, in milliseconds.
const clickAfterDrag = 80;

/// The vertices of a shape of one part without holes; `null` for any other, which cannot be drawn.
export function verticesOf(geometry) {
  const { type, coordinates } = geometry;
  const flat = (vertices) => vertices.map(([longitude, latitude]) => [longitude, latitude]);
  const ring = (rings) => (rings.length === 1 ? flat(rings[0].slice(0, -1)) : null);
  switch (type) {
    case "Point": return flat([coordinates]);
    case "MultiPoint":
    case "LineString": return flat(coordinates);
    case "MultiLineString": return coordinates.length === 1 ? flat(coordinates[0]) : null;
    case "Polygon": return ring(coordinates);
    case "MultiPolygon": return coordinates.length === 1 ? ring(coordinates[0]) : null;
    default: return null;
  }
}

/// Lets a person draw on `view`; the result is the vertices as [longitude, latitude], or `null` if
/// drawing was cancelled. The tool bar is put into `place`.
export function sketch(view, place, { geometry, title, vertices: initial = [] }) {
  cancelSketch();
  return new Promise((resolve) => {
    active = new Sketch(view, place, { geometry, title, initial, resolve });
  });
}

/// Ends a sketch that is being drawn, as its Cancel button does.
export function cancelSketch() {
  active?.finish(null);
}

let active = null;

class Sketch {
  constructor(view, place, { geometry, title, initial, resolve }) {
    Object.assign(this, { view, place, geometry, resolve });
    this.opener = document.activeElement;
    this.vertices = initial.map((vertex) => [...vertex]);
    this.layer = view.leaflet.featureGroup().addTo(view.map);
    this.bar = this.toolBar(title);
    place.append(this.bar);
    place.classList.add("is-sketching");
    view.handlePlaces((latlng) => this.select(latlng));
    view.map.doubleClickZoom.disable();
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.draw();
    focusOn(view.container, { preventScroll: true });
    announce(t(`sketch.${geometry}`));
  }

  toolBar(title) {
    const small = { class: "button small" };
    const isPoint = this.geometry === "point";
    this.countLabel = h("span", { class: "sketch-count", role: "status" });
    this.removeButton = button(t("sketch.removeLast"), "undo", () => this.removeLast(), small);
    this.doneButton = button(t("sketch.done"), "accept", () => this.finish(this.vertices),
      { class: "button small primary" });
    return h(
      "div", { class: "sketch-bar", role: "region", "aria-label": t("sketch.title") },
      h("p", { class: "sketch-hint" }, h("strong", { text: title }), " ",
        h("span", { text: t(`sketch.${this.geometry}`) })),
      h("div", { class: "actions" },
        button(t(isPoint ? "sketch.moveToCenter" : "sketch.addAtCenter"), "crosshair",
          () => this.add(this.view.map.getCenter()), small),
        isPoint ? null : this.removeButton, this.doneButton,
        button(t("sketch.cancel"), "close", () => this.finish(null), small), this.countLabel));
  }

  /// Adds the selected place. The click that ends a drag of a vertex is none.
  select(latlng) {
    if (performance.now() - (this.dragEnd ?? -Infinity) > clickAfterDrag) this.add(latlng);
  }

  add({ lng, lat }) {
    if (this.geometry === "point") this.vertices = [[lng, lat]];
    else this.vertices.push([lng, lat]);
    announce(t("sketch.added", { index: this.vertices.length }));
    this.draw();
  }

  removeLast() {
    if (this.vertices.length === 0) return;
    this.vertices.pop();
    announce(t("sketch.removed"));
    this.draw();
  }

  key(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.finish(null);
    } else if (event.key === "Backspace" && event.target === this.view.container) {
      event.preventDefault();
      this.removeLast();
    }
  }

  draw() {
    const { leaflet } = this.view;
    this.layer.clearLayers();
    this.shape = this.shapeLayer(leaflet)?.addTo(this.layer);
    this.vertices.forEach((vertex, index) => this.handle(leaflet, vertex, index).addTo(this.layer));
    const count = this.vertices.length;
    setDisabled(this.doneButton, !this.isComplete);
    setDisabled(this.removeButton, count === 0);
    setText(this.countLabel, this.geometry === "point" ? "" : t("sketch.count", { count }));
  }

  shapeLayer(leaflet) {
    const places = this.vertices.map(([longitude, latitude]) => [latitude, longitude]);
    if (this.geometry === "polyline") return leaflet.polyline(places, lineStyle);
    return this.geometry === "polygon" ? leaflet.polygon(places, lineStyle) : null;
  }

  /// A handle that moves its vertex.
  handle(leaflet, [longitude, latitude], index) {
    const isLast = index === this.vertices.length - 1;
    const marker = leaflet.marker([latitude, longitude], {
      draggable: true, keyboard: false, title: t("sketch.vertex", { index: index + 1 }),
      icon: leaflet.divIcon({
        className: `vertex${isLast ? " last" : ""}${this.geometry === "point" ? " point" : ""}`,
        iconSize: [22, 22],
      }),
    });
    marker.on("drag", () => {
      const { lng, lat } = marker.getLatLng();
      this.vertices[index] = [lng, lat];
      this.shape?.setLatLngs(this.vertices.map(([x, y]) => [y, x]));
    });
    marker.on("dragend", () => { this.dragEnd = performance.now(); });
    marker.on("click", () => this.finishAt(index));
    return marker;
  }

  /// A click on the first or the last vertex ends a line or an area, and so does a double click.
  finishAt(index) {
    const isEnd = index === this.vertices.length - 1 || (index === 0 && this.geometry === "polygon");
    const isShape = ["polyline", "polygon"].includes(this.geometry);
    if (isShape && isEnd && this.isComplete) this.finish(this.vertices);
  }

  get isComplete() {
    return this.vertices.length >= leastCounts[this.geometry];
  }

  finish(vertices) {
    if (active === this) active = null;
    this.view.map.doubleClickZoom.enable();
    document.removeEventListener("keydown", this.onKey);
    this.view.handlePlaces(null);
    this.layer.remove();
    this.bar.remove();
    this.place.classList.remove("is-sketching");
    if (this.opener?.isConnected) this.opener.focus({ preventScroll: true });
    this.resolve(vertices && inOneWorld(vertices));
  }
}

/// The vertices in the world that the first one is in, since the map repeats east and west.
function inOneWorld(vertices) {
  const turns = Math.round((vertices[0]?.[0] ?? 0) / 360);
  return vertices.map(([longitude, latitude]) => [longitude - turns * 360, latitude]);
}
