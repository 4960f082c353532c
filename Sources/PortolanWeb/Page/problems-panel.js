// What of the map could not be drawn, and why.

import { fill, h } from "./dom.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }.
export function createProblemsPanel() {
  const element = h("div", {});
  let drawn = null;
  function update({ problems }) {
    const key = JSON.stringify(problems);
    if (key === drawn) return;
    drawn = key;
    fill(element, h("h3", { text: t("map.problemsTitle") }),
      h("ul", { class: "findings" }, problems.map(({ title, reason }) =>
        h("li", {}, h("strong", { text: title }), h("span", { text: reason })))));
  }
  return { element, update };
}
