// The legend of the layers that are drawn at this scale.

import { fill, h } from "./dom.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }.
export function createLegendPanel() {
  const element = h("div", { class: "legend" });
  let drawn = null;
  function update({ legend }) {
    const key = JSON.stringify(legend);
    if (key === drawn) return;
    drawn = key;
    fill(element, legend.length === 0 ? h("p", { class: "hint", text: t("legend.empty") })
      : legend.map(section));
  }
  return { element, update };
}

function section({ title, groups, entries }) {
  return h(
    "section", {},
    groups?.length ? h("p", { class: "legend-groups", text: groups.join(" › ") }) : null,
    h("h3", { text: title }),
    h("ul", { class: "legend-list" }, entries.map(({ label, picture }) => h(
      "li", {}, h("span", { class: "swatch" }, h("img", { src: picture, alt: "" })),
      h("span", { text: label || title })))));
}
