// A card of the map list. It is updated in place, so that progress does not disturb the focus.

import { button, fill, h, iconButton, setText } from "./dom.js";
import { bytes, day } from "./format.js";
import { compassRose } from "./icons.js";
import { actionLook, missingOf, performMapAction } from "./map-actions.js";
import { createMapDetails } from "./map-details.js";
import { post } from "./api.js";
import { current } from "./events.js";
import { attempt, notify } from "./notices.js";
import { t, textOr } from "./texts.js";
import { createTransferView } from "./transfer-view.js";

/// When a picture that did not come is asked for again, in milliseconds after each try.
const pictureDelays = [700, 1500, 3000, 6000, 12000];

/// Returns { element, update(row, parentTitle) }.
export function createMapCard() {
  const picture = h("div", { class: "card-picture" });
  const badges = h("div", { class: "badges" });
  const title = h("h3", {});
  const facts = h("p", { class: "facts" });
  const summary = h("p", { class: "summary" });
  const expiry = h("p", {});
  const news = h("p", { class: "hint" });
  const failure = h("p", { class: "failure" });
  const omissions = h("div", { class: "omissions" });
  const actions = h("div", { class: "actions" });
  const transfer = createTransferView();
  const details = createMapDetails();
  const element = h(
    "article", { class: "card" }, picture,
    h("div", { class: "card-body" },
      badges, title, facts, summary, expiry, news, failure, omissions, details.element, transfer.element, actions));
  let drawn = {};
  let row = null;

  function update(latest, parentTitle) {
    row = latest;
    element.dataset.state = row.state;
    element.setAttribute("aria-label", row.title);
    setText(title, row.title);
    setText(facts, factsOf(row, parentTitle).join(" · "));
    setOptional(summary, row.summary);
    setOptional(expiry, expiryOf(row));
    expiry.className = row.isExpired ? "failure" : "hint";
    setOptional(news, newsOf(row));
    setOptional(failure, row.failure?.message ?? damageOf(row) ?? row.contentsProblem?.message);
    redraw("picture", [row.thumbnail, row.state === "stored"], () => drawPicture(picture, row));
    redraw(
      "badges", [row.state, row.isOpen, row.hasUpdate, row.isExpired, row.unsentEdits, row.damage],
      () => fill(badges, badgesOf(row)));
    redraw("omissions", row.omissions, () => drawOmissions(omissions, row));
    details.update(row);
    redraw("actions", [missingOf(row.transfer), row.actions, row.hasUpdate, row.title, offersAreas(row), row.state], () => drawActions());
    transfer.element.hidden = !row.transfer;
    if (row.transfer) transfer.update(row.transfer);
  }

  /// Draws a part only when what it shows has changed.
  function redraw(name, content, draw) {
    const key = JSON.stringify(content ?? null);
    if (drawn[name] === key) return;
    drawn = { ...drawn, [name]: key };
    draw();
  }

  /// Replaces the buttons; the focus goes to the same action or to the first one.
  function drawActions() {
    const focused = actions.contains(document.activeElement)
      ? document.activeElement.dataset.action : null;
    const isStored = row.state === "stored";
    const small = [
      row.kind === "area" && row.actions.includes("download") ? smallButton("download-options") : null,
      isSmall("update") ? smallButton("update") : null,
      isStored ? [smallButton("export"), smallButton("share")] : null,
      isSmall("delete") ? smallButton("delete", "danger") : null,
    ].flat().filter(Boolean);
    const names = [...missingOf(row.transfer), ...row.actions.filter((action) => !isSmall(action))];
    fill(actions, names.map(actionButton),
      offersAreas(row) ? areasButton() : null,
      small.length > 0 ? h("div", { class: "small-actions" }, small) : null);
    if (!focused) return;
    const next = actions.querySelector(`[data-action="${focused}"]`) ?? actions.querySelector("button");
    next?.focus();
  }

  /// Whether an action of the row is seldom wanted, as downloading again what has not changed is.
  function isSmall(action) {
    return row.actions.includes(action)
      && (action === "delete" || (action === "update" && !row.hasUpdate));
  }

  function actionButton(action) {
    const { iconName, kind } = actionLook(action);
    const label = t(`action.${action}`);
    return button(label, iconName, () => performMapAction(action, row), {
      class: `button ${kind}`, data: { action },
      "aria-label": t("action.of", { action: label, title: row.title }),
    });
  }

  /// What is seldom wanted has an icon only, so that all actions stand in one line.
  function smallButton(action, kind = "") {
    const label = t("action.of", { action: t(`action.${action}`), title: row.title });
    return iconButton(label, actionLook(action).iconName, () => performMapAction(action, row), {
      class: `icon-button ${kind}`, data: { action },
    });
  }

  function areasButton() {
    return button(t("maps.findAreas"), "search", () => attempt(() => findAreas(row)), {
      data: { action: "areas" },
      "aria-label": t("action.of", { action: t("maps.findAreas"), title: row.title }),
    });
  }

  return { element, update };
}

/// Whether the areas of a web map can be looked for.
function offersAreas(row) {
  return row.kind === "web-map" && row.state === "online";
}

async function findAreas({ id }) {
  await post("portal/areas", { webMap: id });
  const count = (current("maps")?.items ?? []).filter((row) => row.webMap === id).length;
  notify(count === 0 ? t("maps.noAreas") : t("maps.areasFound", { count }));
}

function factsOf(row, parentTitle) {
  return [
    parentTitle && row.kind === "area"
      ? t("maps.areaOf", { title: parentTitle }) : t(`kind.${row.kind}`),
    row.mapCount > 0 ? t("details.maps", { count: row.mapCount }) : null,
    row.transfer ? null : bytes(row.bytes),
    row.installed ? t("maps.installed", { date: day(row.installed) })
      : row.modified ? t("maps.modified", { date: day(row.modified) }) : null,
  ].filter(Boolean);
}

/// Until when the author wants the map to be used, in the author's own words too.
function expiryOf({ expires, isExpired, preventsAccess, expirationMessage }) {
  if (!expires) return null;
  const key = isExpired ? (preventsAccess ? "expired.closed" : "expired")
    : preventsAccess ? "expires.closes" : "expires";
  return [t(`maps.${key}`, { date: day(expires) }), expirationMessage].filter(Boolean).join(" ");
}

/// What the last audit has found wrong with the files of the map.
function damageOf({ damage }) {
  return damage ? t("maps.damaged", { reason: damage }) : null;
}

/// What the portal has for a map on this device that is newer, or why that is not known.
function newsOf({ update, hasUpdate, transfer }) {
  if (!update || transfer) return null;
  const { storedModified, portalModified, scheduledUpdates, scheduledComesWithSync, problem } = update;
  const dates = { latest: day(portalModified), own: day(storedModified) };
  return [
    hasUpdate && portalModified && storedModified ? t("maps.newer", dates) : null,
    scheduledUpdates > 0
      ? t(scheduledComesWithSync ? "maps.scheduled" : "maps.scheduledLeftOut", { count: scheduledUpdates })
      : null,
    update.update === "withdrawn" ? t("maps.withdrawn") : null,
    problem && current("network")?.online !== false ? t("maps.updateUnknown", { reason: problem }) : null,
  ].filter(Boolean).join(" ") || null;
}

function setOptional(element, text) {
  setText(element, text ?? "");
  element.hidden = !text;
}

function drawPicture(element, { thumbnail, kind }) {
  element.dataset.kind = kind;
  if (!thumbnail) {
    fill(element, compassRose());
    return;
  }
  const image = h("img", { src: thumbnail, alt: "", loading: "lazy", decoding: "async" });
  image.addEventListener("error", () => {
    fill(element, compassRose());
    awaitPicture(element, thumbnail, pictureDelays);
  });
  fill(element, image);
}

/// Asks for a picture again that the portal may still be sending, since rows are listed before it.
function awaitPicture(element, thumbnail, [delay, ...later]) {
  if (delay === undefined) return;
  setTimeout(() => {
    if (!element.isConnected) return;
    const image = h("img", { src: thumbnail, alt: "", decoding: "async" });
    image.addEventListener("load", () => fill(element, image));
    image.addEventListener("error", () => awaitPicture(element, thumbnail, later));
  }, delay);
}

function badgesOf(row) {
  const badge = (name, text) => h("span", { class: `state ${name}`, text });
  return [
    badge(row.state, textOr(`state.${row.state}`, row.state)),
    row.isOpen ? badge("open", t("maps.openNow")) : null,
    row.hasUpdate ? badge("update", t("maps.updateAvailable")) : null,
    row.unsentEdits ? badge("edited", t("maps.unsentEdits", { count: row.unsentEdits })) : null,
    row.unsentEdits === null ? badge("edited", t("maps.editsUnknown")) : null,
    row.damage ? badge("failed", t("maps.damagedNow")) : null,
    row.isExpired ? badge("failed", t("maps.expiredNow")) : null,
  ];
}

function drawOmissions(element, { omissions = [] }) {
  element.hidden = omissions.length === 0;
  if (omissions.length === 0) return;
  fill(element, h(
    "details", {}, h("summary", { text: t("maps.partly", { count: omissions.length }) }),
    h("ul", {}, omissions.map((text) => h("li", { text })))));
}
