// What a stored map holds, read when a person asks for it.

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { problemBox } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(row) }; hidden unless the row is on this device.
export function createMapDetails() {
  const content = h("div", { class: "stack", "aria-live": "polite" });
  const summary = h("summary", { text: t("details.title") });
  const element = h("details", { class: "map-details", hidden: true }, summary, content);
  let row = null;
  let read = null;
  let hasFailed = false;

  function update(latest) {
    row = latest;
    element.hidden = row.state !== "stored";
    summary.setAttribute("aria-label", t("action.of", {
      action: t("details.title"), title: row.title,
    }));
    if (element.open && read !== keyOf(row)) load();
  }

  async function load() {
    read = keyOf(row);
    hasFailed = false;
    const own = read;
    if (!content.firstChild) fill(content, h("p", { class: "hint", text: t("common.loading") }));
    try {
      const details = await post("maps/details", { id: row.id });
      if (own === read) fill(content, detailsView(details));
    } catch (problem) {
      if (own !== read) return;
      // Asked for again by a person: the list changes many times while something is downloaded.
      hasFailed = true;
      fill(content, problemBox(problem, [], load));
    }
  }

  element.addEventListener("toggle", () => {
    if (element.open && !element.hidden && (hasFailed || read !== keyOf(row))) load();
  });
  return { element, update };
}

/// Changes when another version has been stored.
function keyOf({ id, installed, bytes }) {
  return JSON.stringify([id, installed, bytes]);
}

function detailsView({ maps, warnings, version }) {
  return [
    warnings.map((text) => h("p", { class: "failure", text })),
    h("p", { class: "hint", text: t("details.maps", { count: maps.length }) }),
    h("ul", { class: "plain-list" }, maps.map(({ title, layers, bookmarks, problem }) => h(
      "li", {}, h("strong", { text: title }), h("p", {
        class: problem ? "failure" : "hint", text: problem ? problem.message : [
          t("details.layers", { count: layers }), t("details.bookmarks", { count: bookmarks }),
        ].join(" · "),
      })))),
    version ? h("p", { class: "hint", text: t("details.version", { version }) }) : null,
  ];
}
