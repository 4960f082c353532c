// The choice of the layers in which places are searched for.

import { fill, h, keepingFocus, setText } from "./dom.js";
import { t } from "./texts.js";

/// Returns { element, chosen(), update(layers) }. `chosen` gives the ids of the layers, and `null` for
/// all; `onChange` is called when others are.
export function createSearchLayers(onChange) {
  const summary = h("summary", {});
  const list = h("ul", { class: "plain-list" });
  const element = h("details", { class: "search-layers", hidden: true }, summary, list);
  const left = new Set();
  let known = "";
  let all = [];

  function update(layers = []) {
    // A choice of one layer is none.
    element.hidden = layers.length < 2;
    const key = JSON.stringify(layers);
    if (key === known) return;
    known = key;
    all = layers;
    keepingFocus(list, () => fill(list, layers.map(row)));
    tell();
  }

  function row({ id, title }) {
    const box = h("input", { type: "checkbox", checked: !left.has(id) });
    box.addEventListener("change", () => {
      if (box.checked) left.delete(id);
      else left.add(id);
      tell();
      onChange();
    });
    return h("li", {}, h("label", { class: "check" }, box, h("span", { text: title })));
  }

  function chosen() {
    const ids = all.map((layer) => layer.id).filter((id) => !left.has(id));
    return ids.length === all.length ? null : ids;
  }

  function tell() {
    const ids = chosen();
    setText(summary, ids === null
      ? t("search.allLayers") : t("search.someLayers", { count: ids.length, all: all.length }));
  }

  return { element, chosen, update };
}
