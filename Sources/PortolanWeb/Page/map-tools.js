// The tools above the map.

import { h, iconButton, runBusy, setDisabled } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";

const panelTools = [
  { name: "search", iconName: "search" },
  { name: "layers", iconName: "layers" },
  { name: "legend", iconName: "legend" },
  { name: "bookmarks", iconName: "bookmark" },
  { name: "tiles", iconName: "grid" },
  { name: "add", iconName: "plus", needsEditing: true },
  { name: "changes", iconName: "changes", needsEditing: true },
  { name: "offline", iconName: "download", needsWebMap: true },
  { name: "sync", iconName: "refresh", needsEditing: true, needsStored: true },
  { name: "problems", iconName: "warning", needsProblems: true },
];

/// Returns { element, update(map), markOpen(name) }. `actions` are toggle(name), undo, whole, close.
export function createMapTools(heading, actions) {
  const toggles = new Map(panelTools.map(({ name, iconName }) => [
    name,
    toolButton(t(`map.${name}`), iconName, () => actions.toggle(name), { "aria-expanded": "false" }),
  ]));
  const undo = toolButton(t("map.undo"), "undo", actions.undo);
  const row = h("div", { class: "tool-row", role: "group", "aria-label": t("map.tools") }, [...toggles.values()], undo);
  let openTool = null;
  // On a phone the tools are a strip that scrolls; turning it, or larger text, moves the open one out of sight.
  new ResizeObserver(showOpenTool).observe(row);
  const element = h(
    "div", { class: "map-tools" },
    h("div", { class: "map-tools-head" }, heading,
      iconButton(t("map.wholeMap"), "globe", actions.whole),
      iconButton(t("map.close"), "close", actions.close)),
    row);

  function update({ editable, problems, undoCount, webMap, id }) {
    const width = row.scrollWidth;
    for (const tool of panelTools) {
      const { name, needsEditing, needsProblems, needsWebMap, needsStored } = tool;
      toggles.get(name).hidden = (needsEditing && editable.length === 0)
        || (needsWebMap && !webMap) || (needsStored && !id)
        || (needsProblems && problems.length === 0);
    }
    undo.hidden = editable.length === 0 && undoCount === 0;
    setDisabled(undo, undoCount === 0);
    setBadge(undo, undoCount);
    setBadge(toggles.get("problems"), problems.length);
    // A strip that a person has scrolled stays where it is, unless other tools have come.
    if (row.scrollWidth !== width) showOpenTool();
  }

  function markOpen(open) {
    for (const [name, tool] of toggles) tool.setAttribute("aria-expanded", String(name === open));
    openTool = toggles.get(open) ?? null;
    showOpenTool();
  }

  /// Scrolls the strip of tools until the open one is seen as a whole; nothing else moves.
  function showOpenTool() {
    if (!openTool || row.scrollWidth <= row.clientWidth) return;
    const [own, frame] = [openTool.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += (own.left + own.right - frame.left - frame.right) / 2;
  }

  return { element, update, markOpen };
}

function toolButton(label, iconName, action, properties = {}) {
  const element = h(
    "button", { type: "button", class: "tool", title: label, ...properties }, icon(iconName),
    h("span", { class: "tool-label", text: label }), h("span", { class: "badge" }));
  element.addEventListener("click", () => runBusy(element, action));
  return element;
}

function setBadge(element, count) {
  element.querySelector(".badge").textContent = count > 0 ? String(count) : "";
}
