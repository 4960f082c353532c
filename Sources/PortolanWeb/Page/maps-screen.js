// The first screen: maps of the portal and of this device in one list.

import { post } from "./api.js";
import { button, emptyState, fill, h, keepingFocus, setText } from "./dom.js";
import { current, subscribe } from "./events.js";
import { restoreMap } from "./map-actions.js";
import { createMapCard } from "./map-card.js";
import { createMapListBar } from "./map-list-bar.js";
import { attempt, notify, problemBox, showProblem } from "./notices.js";
import { createPackageDrop } from "./package-drop.js";
import { t } from "./texts.js";
import { createWatchedFolder } from "./watched-folder.js";

/// The sections of the list and the rows of each.
const sections = [
  { name: "onDevice", holds: (row) => row.state === "stored" },
  { name: "fromPortal", holds: (row) => row.state !== "stored" },
];

export function createMapsScreen(_, parameters) {
  const heading = h("h1", { text: t("maps.title") });
  const refresh = button(t("maps.refresh"), "refresh", () => attempt(() => post("maps/refresh")), {
    class: "button is-plain", title: t("maps.refresh"),
  });
  const updateAll = button(t("maps.updateAll"), "download", updateMaps, { hidden: true });
  const banner = h("div", { class: "screen-banner" });
  const deleted = h("section", { class: "deleted", hidden: true });
  const empty = h("div", {});
  const cards = new Map();
  const lists = sections.map((section) => createSection(section, cards));
  const element = h("div", { class: "screen wide" });
  const packages = createPackageDrop(element);
  const watched = createWatchedFolder();
  const bar = createMapListBar(() => current("maps") && update(current("maps")), parameters);
  const noMatch = h("p", { class: "hint", text: t("maps.noMatch"), hidden: true });
  fill(
    element, h("div", { class: "screen-head" }, heading,
      h("div", { class: "actions" }, packages.element, watched.choose, updateAll, refresh)),
    watched.element, bar.element, banner, empty, noMatch,
    lists.map((list) => list.element), deleted);
  let lastBanner = null;
  let lastDeleted = null;
  const unsubscribe = [
    subscribe("maps", update),
    ...["session", "network", "hello"].map((name) => subscribe(name, () => drawEmpty(empty))),
  ];
  if (!current("maps")) fill(empty, skeleton());

  function update(maps) {
    const titles = new Map(maps.items.map((row) => [row.id, row.title]));
    const rows = bar.rows(maps.items);
    noMatch.hidden = rows.length > 0 || !bar.isSearch();
    const card = document.activeElement?.closest(".card");
    const stays = card && rows.some(({ id }) => cards.get(id)?.element === card);
    keepingFocus(stays ? card : element, () => {
      removeOtherCards(cards, new Set(rows.map((row) => row.id)));
      for (const list of lists) list.update(rows, titles);
    });
    drawEmpty(empty);
    setText(refresh.querySelector(".button-label"),
      t(maps.isRefreshing ? "maps.refreshing" : "maps.refresh"));
    updateAll.hidden = !maps.items.some((row) => row.hasUpdate);
    refresh.classList.toggle("busy", maps.isRefreshing);
    lastBanner = redraw(lastBanner, maps.banner, () => drawBanner(banner, maps.banner));
    lastDeleted = redraw(lastDeleted, maps.deleted, () => drawDeleted(deleted, maps.deleted));
  }

  return {
    element, heading, title: t("maps.title"), navigate: bar.navigate,
    remove: () => {
      packages.remove();
      watched.remove();
      bar.remove();
      unsubscribe.forEach((end) => end());
    },
  };
}

/// Asks for the newer versions of all maps, and says why one of them cannot be had.
function updateMaps() {
  return attempt(async () => {
    const { updates } = await post("maps/update-all");
    const count = updates.filter(({ outcome }) => outcome === "started").length;
    for (const { outcome, message } of updates) {
      if (outcome === "failed") showProblem({ kind: "failure", message });
    }
    const scheduled = updates.filter(({ outcome }) => outcome === "scheduled")
      .map(({ message }) => message);
    const others = scheduled.length > 0 ? scheduled.join(" ") : t("maps.noUpdates");
    notify(count > 0 ? t("maps.updatesStarted", { count }) : others);
  });
}

function redraw(last, content, draw) {
  const key = JSON.stringify(content ?? null);
  if (key !== last) draw();
  return key;
}

function removeOtherCards(cards, ids) {
  for (const [id, card] of cards) {
    if (ids.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
}

/// A section with a card per row. Cards are kept by id and shared by the sections, so that a row
/// that moves keeps its card.
function createSection({ name, holds }, cards) {
  const grid = h("div", { class: "cards" });
  const count = h("span", { class: "count" });
  const headingID = `maps-${name}`;
  const element = h(
    "section", { "aria-labelledby": headingID, hidden: true },
    h("h2", { id: headingID }, t(`maps.${name}`), " ", count), grid);

  function update(rows, titles) {
    const own = rows.filter(holds);
    element.hidden = own.length === 0;
    setText(count, String(own.length));
    count.setAttribute("aria-label", t("maps.count", { count: own.length }));
    own.forEach((row, index) => {
      if (!cards.has(row.id)) cards.set(row.id, createMapCard());
      const card = cards.get(row.id);
      card.update(row, titles.get(row.webMap));
      if (grid.children[index] !== card.element) {
        grid.insertBefore(card.element, grid.children[index] ?? null);
      }
    });
  }

  return { element, update };
}

function drawBanner(element, problem) {
  element.hidden = !problem;
  if (problem) fill(element, problemBox(problem));
}

function drawDeleted(element, maps) {
  keepingFocus(element, () => fillDeleted(element, maps));
}

function fillDeleted(element, maps) {
  element.hidden = maps.length === 0;
  fill(
    element, h("h2", { text: t("maps.deleted") }),
    h("p", { class: "hint", text: t("maps.deletedHint") }),
    h("ul", { class: "rows" }, maps.map((map) => h(
      "li", {}, h("span", { class: "row-title", text: map.title }),
      button(t("maps.restore"), "undo", () => restoreMap(map), {
        "aria-label": t("action.of", { action: t("maps.restore"), title: map.title }),
      })))));
}

/// Says what to do where the list is empty.
function drawEmpty(element) {
  const maps = current("maps");
  if (!maps) return;
  if (maps.items.length > 0) {
    element.replaceChildren();
    delete element.dataset.situation;
    return;
  }
  const situation = emptySituation(maps);
  if (element.dataset.situation === situation) return;
  element.dataset.situation = situation;
  fill(element, situation === "refreshing" ? skeleton() : emptyState({
    iconName: "map", title: t("maps.empty"), text: t(`maps.empty${situation}`),
    actions: emptyActions(situation),
  }));
}

function emptySituation(maps) {
  if (maps.isRefreshing) return "refreshing";
  if (current("network")?.online === false) return "Offline";
  if (current("session")?.phase === "signedIn") return "SignedIn";
  return current("hello")?.demo ? "Demo" : "SignedOut";
}

function emptyActions(situation) {
  const signIn = h("a", { class: "button primary", href: "#/sign-in", text: t("common.signIn") });
  const label = situation === "Demo" ? t("maps.lookAround") : t("maps.searchPortal");
  const search = h("a", { class: "button", href: "#/portal", text: label });
  if (situation === "Offline") return [];
  return situation === "SignedIn" ? [search] : [signIn, search];
}

function skeleton() {
  return h(
    "div", { class: "cards", role: "status", "aria-label": t("common.loading") },
    Array.from({ length: 4 }, () => h("div", { class: "card placeholder" })));
}
