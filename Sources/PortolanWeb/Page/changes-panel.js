// What was changed on this device since the last synchronization, or since the map came here.

import { post } from "./api.js";
import { button, fill, h, keepingFocus, setDisabled } from "./dom.js";
import { moment } from "./format.js";
import { problemBox } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }; `undo` takes the last change back.
export function createChangesPanel(undo) {
  const element = h("div", {}, h("p", { role: "status", text: t("common.loading") }));
  let drawn = null;
  let undoCount = 0;
  function update({ revision, undoCount: count }) {
    undoCount = count;
    const key = `${revision} ${undoCount}`;
    if (key === drawn) return;
    drawn = key;
    load();
  }
  async function load() {
    const own = drawn;
    try {
      const changes = await post("map/changes");
      if (own === drawn) keepingFocus(element, () => fill(element, view(changes, undoButton())));
    } catch (problem) {
      if (own === drawn) fill(element, problemBox(problem, [], load));
    }
  }
  function undoButton() {
    const control = button(t("map.undo"), "undo", undo);
    setDisabled(control, undoCount === 0);
    return control;
  }
  return { element, update };
}

function view({ lastSync, tables }, undoButton) {
  const changed = tables.filter((table) => table.changes.length > 0);
  return [
    h("p", { class: "hint", text: lastSync
      ? t("changes.lastSync", { date: moment(lastSync) }) : t("changes.neverSynced") }),
    changed.length === 0
      ? h("p", { text: lastSync ? t("changes.empty") : t("changes.none") }) : changed.map(tableView),
    h("div", { class: "actions" }, undoButton),
  ];
}

function tableView({ layer, changes }) {
  return h(
    "section", {}, h("h3", {}, layer, " ",
      h("span", { class: "count", "aria-label": t("changes.count", { count: changes.length }),
        role: "img", text: changes.length })),
    h("ul", { class: "change-list" }, changes.map(({ objectId, title, kind }) => h(
      "li", {}, h("span", { class: `change ${kind ?? "update"}`, text: t(`changes.${kind ?? "attachments"}`) }),
      h("span", { text: title ?? t("changes.feature", { id: objectId }) })))));
}
