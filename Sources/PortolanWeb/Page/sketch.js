// Draws a point, a line or an area on the map by pointer, touch or keyboard.

import { button, confirm, focusOn, h, newID, setDisabled, setText } from "./dom.js";
import { announce } from "./notices.js";
import { inOneWorld } from "./shape-parts.js";
import { t } from "./texts.js";
import { followKeys } from "./vertex-keys.js";

const leastCounts = { point: 1, multipoint: 1, polyline: 2, polygon: 3, rectangle: 2 };
const lineStyle = {
  color: "#e8590c", weight: 3, fillColor: "#e8590c", fillOpacity: 0.18, interactive: false,
};

/// How long after the end of a drag a click still belongs to it, in milliseconds.
const clickAfterDrag = 80;

/// How near to the crosshair a vertex is on it, in pixels: the map moves in steps.
const reach = 12;

/// Lets a person draw on `view`; the result is the parts, each a list of [longitude, latitude], or
/// `null` if drawing was cancelled. The tool bar is put into `place`; `summary` is an element in it,
/// and `onChange(parts)` is told of each vertex. A rectangle is drawn by two corners; its part has four.
/// If one vertex `isEnough`, the first one ends the drawing; with `isOnePart` there is no other part.
/// With `isBegun` the parts were drawn before, as where the page was loaded again meanwhile.
export function sketch(view, place, {
  geometry, title, parts: initial = [], onChange = null, summary = null, isEnough = false,
  isOnePart = false, isBegun = false,
}) {
  cancelSketch();
  return new Promise((resolve) => {
    active = new Sketch(view, place, {
      geometry, title, initial, onChange, summary, isEnough, isOnePart, isBegun, resolve,
    });
  });
}

/// Ends a sketch that is being drawn, as its Cancel button does.
export function cancelSketch() {
  active?.finish(null);
}

/// The parts that are being drawn; `null` if nothing was drawn yet.
export function partsSoFar() {
  return active?.isChanged ? inOneWorld(active.drawnParts) : null;
}

/// Ends a sketch that is being drawn, as its Done button does.
export function finishSketch() {
  if (active?.isComplete) active.finish(active.drawnParts);
}

let active = null;

class Sketch {
  constructor(view, place, {
    geometry, title, initial, onChange, summary, isEnough, isOnePart, isBegun, resolve,
  }) {
    Object.assign(this, { view, place, geometry, onChange, summary, isEnough, isOnePart, resolve });
    this.opener = document.activeElement;
    this.parts = initial.map((part) => part.map((vertex) => [...vertex]));
    if (this.parts.length === 0) this.parts.push([]);
    this.partIndex = this.parts.length - 1;
    this.first = isBegun ? null : JSON.stringify(this.drawnParts);
    this.layer = view.leaflet.featureGroup().addTo(view.map);
    this.bar = this.toolBar(title);
    place.append(this.bar);
    place.classList.add("is-sketching");
    this.mapHelp = view.container.getAttribute("aria-describedby");
    view.container.setAttribute("aria-describedby", this.keysID);
    view.handlePlaces((latlng, isKeyboard) => this.select(latlng, isKeyboard));
    view.map.doubleClickZoom.disable();
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.draw();
    focusOn(view.container, { preventScroll: true });
    announce(t(`sketch.${geometry}`));
  }

  toolBar(title) {
    const isPoint = this.geometry === "point";
    this.keysID = newID("sketch-keys");
    // The labels are in the tooltips as well, for where there is room for the icons only.
    const tool = (label, iconName, action, kind = "") =>
      button(label, iconName, action, { class: `button small ${kind}`, title: label });
    this.countLabel = h("span", { class: "sketch-count", role: "status" });
    this.removeButton = tool(t("sketch.removeLast"), "undo", () => this.removeLast());
    this.partButton = tool(t("sketch.addPart"), "plus", () => this.addPart());
    this.doneButton = tool(
      t("sketch.done"), "accept", () => this.finish(this.drawnParts), "primary");
    return h(
      "div", { class: "sketch-bar", role: "region", "aria-label": t("sketch.title") },
      h("p", { class: "sketch-hint" }, h("strong", { text: title }), " ",
        h("span", { text: t(`sketch.${this.geometry}`) })),
      h("p", { class: "sketch-keys hint", id: this.keysID, text: t(this.keysText) }),
      h("div", { class: "actions" },
        tool(t(isPoint ? "sketch.moveToCenter" : "sketch.addAtCenter"), "crosshair",
          () => this.add(this.view.map.getCenter())),
        isPoint ? null : this.removeButton, this.mayHaveParts ? this.partButton : null,
        this.isEnough ? null : this.doneButton,
        tool(t("sketch.cancel"), "close", () => this.finish(null)), this.countLabel,
        this.summary));
  }

  /// What the keys do while the map has the focus.
  get keysText() {
    if (this.isEnough) return "sketch.keysPlace";
    return ["point", "polygon"].includes(this.geometry) ? `sketch.keys.${this.geometry}` : "sketch.keys";
  }

  /// Adds the selected place. The click that ends a drag of a vertex is none.
  select(latlng, isKeyboard = false) {
    if (isKeyboard) this.selectByKey(latlng);
    else if (performance.now() - (this.dragEnd ?? -Infinity) > clickAfterDrag) this.add(latlng);
  }

  /// Adds the place under the crosshair, or ends the drawing where its first or last vertex is.
  selectByKey(latlng) {
    const index = this.vertexAt(latlng);
    if (index < 0) {
      const { isComplete } = this;
      this.add(latlng);
      if (!isComplete && this.isComplete && active === this) announce(t("sketch.canFinish"));
    } else if (this.isComplete && this.isEnd(index)) this.finish(this.drawnParts);
    else announce(t("sketch.occupied", { index: index + 1 }));
  }

  /// The vertex of the part that is being drawn at a place, the last one first; -1 if there is none.
  vertexAt(latlng) {
    const { map } = this.view;
    const place = map.latLngToContainerPoint(latlng);
    return this.vertices.findLastIndex(([longitude, latitude]) =>
      map.latLngToContainerPoint([latitude, longitude]).distanceTo(place) <= reach);
  }

  add({ lng, lat }) {
    if (this.geometry === "point") this.parts = [[[lng, lat]]];
    else if (this.geometry === "rectangle") this.parts = [[...this.vertices.slice(0, 1), [lng, lat]]];
    else this.vertices.push([lng, lat]);
    if (this.isEnough) return this.finish(this.drawnParts);
    announce(t("sketch.added", { index: this.vertices.length }));
    this.draw();
    return undefined;
  }

  /// Begins another line, area or hole; what is drawn inside of an area is a hole.
  addPart() {
    if (this.vertices.length < leastCounts[this.geometry]) return;
    this.parts.push([]);
    this.partIndex = this.parts.length - 1;
    announce(t("sketch.partAdded", { index: this.parts.length }));
    this.draw();
  }

  /// Removes the last vertex of the part that is being drawn, and the part with its last one.
  removeLast() {
    if (this.parts.every((part) => part.length === 0)) return;
    announce(t("sketch.removed"));
    this.remove(this.partIndex, this.vertices.length - 1);
  }

  /// Removes a vertex, if there is one, and the part with its last one.
  remove(partIndex, index) {
    const part = this.parts[partIndex];
    if (index >= 0) part.splice(index, 1);
    if (part.length === 0 && this.parts.length > 1) {
      this.parts.splice(partIndex, 1);
      this.partIndex = this.parts.length - 1;
    }
    const hadFocus = this.view.container.contains(document.activeElement);
    this.draw();
    if (hadFocus) this.view.container.focus({ preventScroll: true });
  }

  /// Cancels after a question where something was drawn.
  async askToCancel() {
    if (this.isChanged && !await confirm({
      title: t("sketch.discardTitle"), body: t("sketch.discardText"), label: t("form.discard"), kind: "danger",
    })) return;
    // It may have ended while the question was there.
    if (active === this) this.finish(null);
  }

  key(event) {
    if (event.target.closest?.("dialog")) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.askToCancel();
    } else if (event.target !== this.view.container) return;
    else if (event.key === "Backspace") {
      event.preventDefault();
      this.removeLast();
    } else if (event.key === " ") {
      // Without this the page would scroll.
      event.preventDefault();
      if (!event.repeat) this.selectByKey(this.view.map.getCenter());
    }
  }

  draw() {
    const { leaflet } = this.view;
    this.layer.clearLayers();
    this.shape = this.shapeLayer(leaflet)?.addTo(this.layer);
    this.parts.forEach((part, partIndex) => part.forEach((vertex, index) =>
      this.handle(leaflet, vertex, index, partIndex).addTo(this.layer)));
    const count = this.parts.reduce((sum, part) => sum + part.length, 0);
    setDisabled(this.partButton, this.vertices.length < leastCounts[this.geometry]);
    setDisabled(this.doneButton, !this.isComplete);
    setDisabled(this.removeButton, count === 0);
    this.bar.classList.toggle("is-begun", count > 0);
    setText(this.countLabel, this.geometry === "point" ? "" : t("sketch.count", { count }));
    this.tellChange();
  }

  tellChange() {
    this.onChange?.(inOneWorld(this.drawnParts));
  }

  shapeLayer(leaflet) {
    if (this.geometry === "polyline") return leaflet.polyline(this.places, lineStyle);
    // Leaflet fills by the even-odd rule, so that it does not matter which rings are holes.
    const isArea = ["polygon", "rectangle"].includes(this.geometry);
    return isArea ? leaflet.polygon(this.places, lineStyle) : null;
  }

  /// A handle that moves its vertex.
  handle(leaflet, [longitude, latitude], index, partIndex) {
    const isLast = partIndex === this.partIndex && index === this.vertices.length - 1;
    const marker = leaflet.marker([latitude, longitude], {
      draggable: true, keyboard: true, title: t("sketch.vertex", { index: index + 1 }),
      icon: leaflet.divIcon({
        className: `vertex${isLast ? " last" : ""}${this.geometry === "point" ? " point" : ""}`,
        iconSize: [22, 22],
      }),
    });
    const moved = () => {
      const { lng, lat } = marker.getLatLng();
      this.parts[partIndex][index].splice(0, 2, lng, lat);
      this.shape?.setLatLngs(this.places);
      this.tellChange();
    };
    marker.on("drag", moved);
    marker.on("add", () => followKeys(this.view.map, marker, {
      moved, remove: () => this.remove(partIndex, index),
    }));
    marker.on("dragend", () => { this.dragEnd = performance.now(); });
    marker.on("click", () => {
      if (partIndex === this.partIndex) return this.finishAt(index);
      this.partIndex = partIndex;
      this.draw();
    });
    return marker;
  }

  /// A click on the first or the last vertex ends a line or an area, and so does a double click.
  finishAt(index) {
    const isShape = ["polyline", "polygon"].includes(this.geometry);
    if (isShape && this.isEnd(index) && this.isComplete) this.finish(this.drawnParts);
  }

  isEnd(index) {
    return index === this.vertices.length - 1 || (index === 0 && this.geometry === "polygon");
  }

  /// The vertices of the part that is being drawn.
  get vertices() {
    return this.parts[this.partIndex];
  }

  /// Whether something else is drawn than what it began with.
  get isChanged() {
    return JSON.stringify(this.drawnParts) !== this.first;
  }

  get mayHaveParts() {
    return !this.isOnePart && ["polyline", "polygon"].includes(this.geometry);
  }

  /// The parts without one that was begun and has nothing yet.
  get drawnParts() {
    return this.parts.filter((part) => part.length > 0).map((part) => this.outline(part));
  }

  /// The corners of a rectangle; other parts as they are.
  outline(part) {
    if (this.geometry !== "rectangle" || part.length < 2) return part;
    const [[x1, y1], [x2, y2]] = part;
    return [[x1, y1], [x2, y1], [x2, y2], [x1, y2]];
  }

  /// The vertices as Leaflet has them.
  get places() {
    return this.drawnParts.map((part) =>
      part.map(([longitude, latitude]) => [latitude, longitude]));
  }

  get isComplete() {
    const least = leastCounts[this.geometry];
    return this.drawnParts.length > 0 && this.drawnParts.every((part) => part.length >= least);
  }

  finish(parts) {
    if (active === this) active = null;
    this.view.map.doubleClickZoom.enable();
    document.removeEventListener("keydown", this.onKey);
    this.view.handlePlaces(null);
    this.layer.remove();
    this.bar.remove();
    this.place.classList.remove("is-sketching");
    this.view.container.setAttribute("aria-describedby", this.mapHelp);
    announce(t(parts ? "sketch.finished" : "sketch.cancelled"));
    if (this.opener?.isConnected) this.opener.focus({ preventScroll: true });
    this.resolve(parts && inOneWorld(parts));
  }
}
