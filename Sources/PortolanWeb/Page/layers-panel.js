// The table of contents: groups and layers with a checkbox or a radio button each.

import { post } from "./api.js";
import { fill, h, newID, setText } from "./dom.js";
import { scale as scaleText } from "./format.js";
import { icon } from "./icons.js";
import { attempt } from "./notices.js";
import { t } from "./texts.js";

/// The groups that are folded, by id; they stay so when the panel is opened again.
const folded = new Set();

/// Returns { element, update(map, scale) }.
export function createLayersPanel() {
  const tree = h("div", { class: "layer-tree" });
  const tables = h("div", {});
  const omissions = h("div", {});
  const element = h("div", {}, tree, tables, omissions);
  let shape = null;
  let rows = new Map();
  /// Shows again what is on, where a switch was not accepted.
  let restore = () => {};

  function update(map, scale) {
    restore = () => refresh(map.layers, scale, true);
    const latest = JSON.stringify([
      map.layers.map(shapeOf), map.tables.map(shapeOf), map.omissions,
    ]);
    if (latest !== shape) {
      shape = latest;
      rows = new Map();
      draw(map);
    }
    restore();
  }

  function draw(map) {
    const hadFocus = tree.contains(document.activeElement) ? document.activeElement.id : null;
    fill(tree, map.layers.length === 0 ? h("p", { class: "hint", text: t("layers.empty") })
      : list(map.layers, "root"));
    fill(tables, map.tables.length === 0 ? null : [
      h("h3", { text: t("layers.tables") }),
      h("ul", { class: "plain-list" }, map.tables.map((table) => h("li", { text: table.title }))),
    ]);
    fill(omissions, map.omissions.length === 0 ? null : [
      h("h3", { text: t("layers.omissions") }),
      h("ul", { class: "plain-list" }, map.omissions.map((text) => h("li", { text }))),
    ]);
    if (hadFocus) document.getElementById(hadFocus)?.focus();
  }

  function list(layers, group) {
    return h("ul", { role: "list" }, layers.map((layer) => item(layer, group)));
  }

  function item(layer, group) {
    const row = createRow(layer, group, () => restore());
    rows.set(layer.id, row);
    const hasChildren = layer.layers.length > 0;
    const children = hasChildren ? childList(layer) : null;
    const fold = hasChildren ? foldButton(layer, children) : h("span", { class: "fold-space" });
    return h("li", {}, h("div", { class: "layer-line" }, fold, row.element), children);
  }

  /// Layers of which one is on at a time are a group of radio buttons.
  function childList(layer) {
    const children = list(layer.layers, layer.id);
    if (!layer.layers.some((child) => child.exclusive)) return children;
    return h("div", { role: "group", "aria-label": layer.title }, children);
  }

  function refresh(layers, scale, isGroupOn) {
    for (const layer of layers) {
      rows.get(layer.id)?.update(layer, scale, isGroupOn);
      refresh(layer.layers, scale, isGroupOn && layer.on);
    }
  }

  return { element, update };
}

function shapeOf(layer) {
  return [layer.id, layer.title, layer.exclusive, layer.basemap, layer.layers.map(shapeOf)];
}

function foldButton(layer, children) {
  children.id = newID("layers");
  children.hidden = folded.has(layer.id);
  const element = h("button", {
    type: "button", class: "fold", "aria-controls": children.id,
    "aria-expanded": String(!children.hidden),
    "aria-label": t("layers.expand", { title: layer.title }),
  }, icon("down"));
  element.addEventListener("click", () => {
    children.hidden = !children.hidden;
    element.setAttribute("aria-expanded", String(!children.hidden));
    if (children.hidden) folded.add(layer.id);
    else folded.delete(layer.id);
  });
  return element;
}

/// A layer's switch, its title, and why it is not drawn. `restore` shows what is on, since a switch was refused.
function createRow(layer, group, restore) {
  const reasonID = newID("reason");
  const control = h("input", {
    type: layer.exclusive ? "radio" : "checkbox", id: `layer-${layer.id}`,
    name: layer.exclusive ? `layers-of-${group}` : null, "aria-describedby": reasonID,
  });
  control.addEventListener("change", () => {
    const isOn = control.checked;
    attempt(async () => {
      try {
        await post("map/layer", { id: layer.id, isOn });
      } catch (problem) {
        restore();
        throw problem;
      }
    });
  });
  const reason = h("span", { class: "layer-reason", id: reasonID });
  const element = h(
    "div", { class: "layer-entry" }, control,
    h("label", { for: control.id }, h("span", { text: layer.title }),
      layer.basemap ? h("span", { class: "tag", text: t("layers.basemap") }) : null),
    reason);
  function update(latest, scale, isGroupOn) {
    control.checked = latest.on;
    const words = reasonFor(latest, scale, isGroupOn);
    setText(reason, words);
    reason.hidden = !words;
    element.classList.toggle("has-problem", Boolean(latest.problem));
    element.classList.toggle("is-hidden", Boolean(words) || !isGroupOn);
  }
  return { element, update };
}

function reasonFor(layer, scale, isGroupOn) {
  if (layer.problem) return layer.problem;
  if (!layer.on) return "";
  if (layer.minScale > 0 && scale > layer.minScale) {
    return t("layers.zoomIn", { scale: scaleText(layer.minScale) });
  }
  if (layer.maxScale > 0 && scale < layer.maxScale) {
    return t("layers.zoomOut", { scale: scaleText(layer.maxScale) });
  }
  return isGroupOn ? "" : t("layers.groupOff");
}
