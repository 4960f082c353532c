// The settings: what holds, where that comes from, and what can be changed.

import { confirm, fill, h, runBusy, setText } from "./dom.js";
import { subscribe } from "./events.js";
import { icon } from "./icons.js";
import { announce, notify, problemBox } from "./notices.js";
import { createSettingRow } from "./setting-row.js";
import { t } from "./texts.js";

/// The settings by what they are about; those that stand nowhere here come last.
const groups = [
  { name: "portal", keys: ["portal", "oauth-client-id", "search-text", "page-size", "bing-key"] },
  { name: "network", keys: ["background-sync", "parallel-downloads"] },
  { name: "tiles", keys: ["tile-cache-size", "tile-prediction"] },
  { name: "security", keys: ["any-certificate-hosts", "plain-http-hosts"] },
];

export function createSettingsScreen() {
  const heading = h("h1", { text: t("settings.title") });
  const faults = h("div", { class: "stack" });
  const place = h("p", { class: "hint" });
  const fields = h("div", { class: "stack" },
    h("p", { text: t("common.loading"), role: "status" }));
  const submit = h("button", { type: "submit", class: "button primary" }, icon("accept"),
    h("span", { class: "button-label", text: t("settings.save") }));
  const form = h("form", { class: "stack", novalidate: true }, fields,
    h("div", { class: "actions" }, submit));
  const element = h("div", { class: "screen" }, heading,
    h("p", { class: "lead", text: t("settings.intro") }), faults, form, place);
  const rows = new Map();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    runBusy(submit, () => save([...rows.values()]));
  });
  const unsubscribe = subscribe("settings", (latest) => {
    const { settings, faults: sentences, file } = latest;
    if (rows.size === 0) {
      for (const setting of settings) rows.set(setting.key, createSettingRow(setting));
      fill(fields, sections(rows));
    }
    for (const setting of settings) rows.get(setting.key)?.update(setting);
    fill(faults, sentences.map((message) => problemBox({ message })));
    setText(place, t("settings.place", { file }));
  });
  return {
    element, heading, title: t("settings.title"), remove: unsubscribe,
    mayLeave: () => mayDiscard([...rows.values()]),
  };
}

function sections(rows) {
  const grouped = new Set(groups.flatMap(({ keys }) => keys));
  const others = [...rows.keys()].filter((key) => !grouped.has(key));
  return [...groups, { name: "others", keys: others }].map(({ name, keys }) => {
    const own = keys.map((key) => rows.get(key)).filter(Boolean);
    return own.length === 0 ? null : h(
      "section", { class: "panel-card" }, h("h2", { text: t(`settings.group.${name}`) }),
      own.map((row) => row.element));
  });
}

/// Stores what was changed, one after the other; what is refused stays as it was typed, with the reason.
async function save(rows) {
  const changed = rows.filter((row) => row.isChanged());
  let refused = null;
  for (const row of changed) {
    if (!await row.store() && !refused) refused = row;
  }
  if (refused) {
    announce(t("settings.refused"), { isUrgent: true });
    refused.focus();
    return;
  }
  notify(t(changed.length === 0 ? "settings.nothingChanged" : "settings.saved"));
}

async function mayDiscard(rows) {
  if (!rows.some((row) => row.isChanged())) return true;
  return confirm({
    title: t("form.discardTitle"), body: t("form.discardText"), label: t("form.discard"),
    kind: "danger",
  });
}
