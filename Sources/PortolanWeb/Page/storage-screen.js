// What takes space, and whether everything that is stored is sound.

import { post } from "./api.js";
import { button, confirm, fill, h, iconButton, keepingFocus } from "./dom.js";
import { current, subscribe } from "./events.js";
import { bytes } from "./format.js";
import { createKeptSection } from "./kept-section.js";
import { actionLook, performMapAction, restoreMap } from "./map-actions.js";
import { attempt, notify, problemBox } from "./notices.js";
import { t } from "./texts.js";
import { createTilesSetAside } from "./tiles-set-aside.js";

export function createStorageScreen() {
  const heading = h("h1", { text: t("storage.title") });
  const usage = h(
    "div", { class: "screen-part" }, h("p", { role: "status", text: t("common.loading") }));
  const kept = createKeptSection(() => loadUsage(usage));
  // What is repaired may move to the trash, or be set aside.
  const reload = () => Promise.all([loadUsage(usage), kept.load()]);
  const tiles = createTilesSetAside();
  const element = h(
    "div", { class: "screen" }, heading, usage, kept.element, tiles.element, auditSection(reload));
  loadUsage(usage);
  // What was downloaded, deleted or brought back meanwhile is told as well.
  let known = storedMaps();
  const unsubscribe = subscribe("maps", () => {
    const latest = storedMaps();
    if (latest !== known) reload();
    known = latest;
  });
  return {
    element, heading, title: t("storage.title"), remove: () => {
      unsubscribe();
      tiles.remove();
    },
  };
}

/// Which maps are on this device or in the trash, to be compared; `null` until that is known.
function storedMaps() {
  const maps = current("maps");
  if (!maps) return null;
  const stored = maps.items.filter((row) => row.state === "stored");
  return JSON.stringify([stored, maps.deleted].map((rows) => rows.map(({ id, actions }) => [id, actions])));
}

async function loadUsage(element) {
  const reload = () => loadUsage(element);
  try {
    const usage = await post("storage/usage");
    keepingFocus(element, () => fill(element, usageView(usage, reload)));
  } catch (problem) {
    keepingFocus(element, () => fill(element, problemBox(problem, [button(t("common.retry"), "refresh", reload)])));
  }
}

function usageView(usage, reload) {
  return [
    usageBar(usage),
    mapsSection(usage.maps),
    earlierSection(usage.earlierVersions ?? [], reload),
    trashSection(usage.deleted ?? [], reload),
    messagesSection(usage.messages ?? [], reload),
  ];
}

/// The pending messages to servers, and why they are put off.
function messagesSection(messages, reload) {
  if (messages.length === 0) return null;
  const hosts = [...new Set(messages.map(({ host }) => host))];
  return h(
    "section", {}, h("h2", { text: t("storage.messages") }),
    h("ul", { class: "rows" }, messages.map((message) => h(
      "li", {}, h("div", { class: "row-title" }, h("span", { text: message.purpose }),
        h("span", { class: "hint", text: message.host }), messageState(message))))),
    h("div", { class: "actions" }, hosts.map((host) => button(
      t("storage.dropMessages", { host }), "trash", () => dropMessages(host, reload),
      { class: "button small quiet" }))));
}

/// Why a message has not arrived; `null` where there is nothing to say.
function messageState({ givenUp, silences }) {
  if (givenUp) {
    const key = silences ? "storage.putOffSilent" : "storage.putOff";
    return h("span", { class: "hint", text: t(key, { reason: givenUp }) });
  }
  return silences ? h("span", { class: "hint", text: t("storage.silences", { count: silences }) }) : null;
}

async function dropMessages(host, reload) {
  const isSure = await confirm({
    title: t("storage.dropMessagesTitle", { host }), body: t("storage.dropMessagesText"),
    label: t("storage.dropMessages", { host }), kind: "danger",
  });
  if (!isSure) return;
  await attempt(async () => {
    await post("storage/drop-messages", { host });
    await reload();
  });
}

/// The parts of the bar with their sizes, which add up to the total; folders that are empty are none.
function partsOf(usage) {
  const sum = (maps = []) => maps.reduce((total, map) => total + map.allocatedBytes, 0);
  const size = (folder) => (folder.bytes > 0 ? folder.allocatedBytes : 0);
  const parts = [
    ["maps", sum(usage.maps)], ["earlier", sum(usage.earlierVersions)],
    ["trash", sum(usage.deleted)], ["downloads", size(usage.downloads)],
    ["imports", size(usage.imports)], ["temporary", size(usage.temporary)],
    ["kept", size(usage.kept)],
  ];
  const known = parts.reduce((total, [, bytes]) => total + bytes, 0);
  return [...parts, ["other", usage.total.allocatedBytes - known]].filter(([, bytes]) => bytes > 0);
}

function usageBar(usage) {
  const parts = partsOf(usage);
  const free = Number.isFinite(usage.freeBytes) ? t("storage.free", { free: bytes(usage.freeBytes) }) : null;
  const bar = h("div", { class: "usage-bar", "aria-hidden": "true" });
  for (const [name, size] of parts) {
    const part = h("span", { class: `usage-part ${name}` });
    part.style.flexGrow = String(size);
    bar.append(part);
  }
  return h(
    "section", { class: "panel-card usage", "aria-label": t("storage.usage") },
    h("p", { class: "usage-total" },
      h("strong", { text: t("storage.used", { total: bytes(usage.total.allocatedBytes) }) }),
      free ? h("span", { class: "hint", text: free }) : null),
    bar,
    h("ul", { class: "usage-legend" }, parts.map(([name, size]) => h(
      "li", {}, h("span", { class: `usage-key ${name}` }), h("span", { text: t(`storage.${name}`) }),
      h("span", { class: "usage-size", text: bytes(size) })))));
}

function mapsSection(maps) {
  if (maps.length === 0) return h("p", { class: "hint", text: t("storage.noMaps") });
  return h(
    "section", {}, h("h2", { text: t("storage.maps") }),
    h("div", { class: "table-scroll" }, h(
      "table", { class: "data-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", text: t("storage.map") }),
        h("th", { scope: "col", class: "numeric whole-size", text: t("storage.size") }),
        h("th", { scope: "col", class: "numeric", text: t("storage.reclaimable") }),
        h("td", {}))),
      h("tbody", {}, maps.map((map) => h(
        "tr", {}, h("th", { scope: "row" }, map.title, map.unsentEdits
          ? h("span", { class: "hint", text: ` ${t("maps.unsentEdits", { count: map.unsentEdits })}` }) : null),
        h("td", { class: "numeric whole-size", text: bytes(map.allocatedBytes) }),
        h("td", { class: "numeric", text: bytes(map.reclaimableBytes) }),
        h("td", { class: "row-action" }, deleteButton(map))))))));
}

/// Deletes a map from here; one that is open has none.
function deleteButton({ id, title }) {
  const row = current("maps")?.items.find((each) => each.id === id);
  if (!row?.actions.includes("delete")) return null;
  const label = t("action.of", { action: t("action.delete"), title });
  return iconButton(label, actionLook("delete").iconName, () => performMapAction("delete", row), {
    class: "icon-button danger",
  });
}

function earlierSection(versions, reload) {
  if (versions.length === 0) return null;
  return h(
    "section", {}, h("h2", { text: t("storage.earlier") }),
    h("p", { class: "hint", text: t("storage.earlierHint") }),
    h("ul", { class: "rows" }, versions.map((version) => sizedRow(
      version, button(t("storage.rollBack"), "undo", () => rollBack(version, reload), {
        "aria-label": t("action.of", { action: t("storage.rollBack"), title: version.title }),
      })))));
}

function sizedRow(map, action) {
  return h(
    "li", {}, h("div", { class: "row-title" }, h("span", { text: map.title }),
      h("span", { class: "hint", text: bytes(map.allocatedBytes) })), action);
}

async function rollBack({ id, title }, reload) {
  const isSure = await confirm({
    title: t("storage.rollBackTitle", { title }), body: t("storage.rollBackText"),
    label: t("storage.rollBack"),
  });
  if (!isSure) return;
  await attempt(async () => {
    await post("maps/roll-back", { id });
    notify(t("storage.rolledBack", { title }));
    await reload();
  });
}

function trashSection(maps, reload) {
  if (maps.length === 0) return null;
  const restore = async (map) => {
    await restoreMap(map);
    await reload();
  };
  return h(
    "section", {}, h("h2", { text: t("storage.trash") }),
    h("ul", { class: "rows" }, maps.map((map) => sizedRow(
      map, button(t("maps.restore"), "undo", () => restore(map), {
        "aria-label": t("action.of", { action: t("maps.restore"), title: map.title }),
      })))),
    h("div", { class: "actions" },
      button(t("storage.emptyTrash"), "trash", () => emptyTrash(reload))));
}

async function emptyTrash(reload) {
  const isSure = await confirm({
    title: t("storage.emptyTrashTitle"), body: t("storage.emptyTrashText"),
    label: t("storage.emptyTrash"), kind: "danger",
  });
  if (!isSure) return;
  await attempt(async () => {
    const { freed } = await post("storage/empty-trash");
    notify(t("storage.freed", { size: bytes(freed) }));
    await reload();
  });
}

function auditSection(onRepair) {
  const result = h("div", { class: "stack", "aria-live": "polite" });
  // Only the audit that was started last is shown: one that looks closely may end long after it.
  let started = 0;
  const audit = (deep) => attempt(async () => {
    started += 1;
    const own = started;
    fill(result, h("p", { class: "hint", text: t("storage.auditRunning") }));
    try {
      const { audit: number, findings } = await post("storage/audit", { deep });
      if (own !== started) return;
      fill(result, findings.length === 0 ? cleanResult()
        : findingsView(findings, number, () => Promise.all([audit(deep), onRepair()])));
    } catch (problem) {
      if (own === started) result.replaceChildren();
      throw problem;
    }
  });
  return h(
    "section", {}, h("h2", { text: t("storage.audit") }), h("p", { text: t("storage.auditText") }),
    h("div", { class: "actions" },
      button(t("storage.auditQuick"), "accept", () => audit(false)),
      button(t("storage.auditDeep"), "search", () => audit(true))),
    result);
}

function cleanResult() {
  return h("p", { class: "success", text: t("storage.auditClean") });
}

function findingsView(findings, audit, auditAgain) {
  const repair = () => attempt(async () => {
    const { failures } = await post("storage/repair", { audit });
    await auditAgain();
    notify(failures.length === 0 ? t("storage.repaired")
      : `${t("storage.repairFailures")}: ${failures.map(({ sentence, reason }) => `${sentence} ${reason}`).join(" ")}`);
  });
  return [
    h("p", { text: t("storage.findings", { count: findings.length }) }),
    h("ul", { class: "findings" }, findings.map((finding) => h(
      "li", {}, h("span", { text: finding.sentence }),
      finding.repair
        ? h("span", { class: "hint", text: t("storage.repairHint", { repair: finding.repair }) })
        : finding.advice ? h("span", { class: "hint", text: finding.advice }) : null))),
    findings.some((finding) => finding.repair)
      ? h("div", { class: "actions" },
        button(t("storage.repair"), "accept", repair, { class: "button primary" })) : null,
  ];
}
