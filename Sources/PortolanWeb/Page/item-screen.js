// An item of the portal; of a web map also each layer and its state.

import { post } from "./api.js";
import { button, fill, focusOn, h, keepingFocus } from "./dom.js";
import { current, subscribe } from "./events.js";
import { bytes, day, number } from "./format.js";
import { icon } from "./icons.js";
import { actionLook, performMapAction } from "./map-actions.js";
import { attempt, notify, problemBox } from "./notices.js";
import { serverButton } from "./problems-panel.js";
import { plainText, sanitized } from "./sanitize.js";
import { t, textOr } from "./texts.js";

export function createItemScreen(id) {
  const heading = h("h1", { text: t("portal.item") });
  const content = h("div", { class: "item" }, h("p", { text: t("common.loading"), role: "status" }));
  const element = h(
    "div", { class: "screen" },
    h("a", { class: "back-link", href: "#/portal" }, icon("back"),
      h("span", { text: t("portal.backToSearch") })),
    heading, content);
  // What can be done with a package follows where it stands on this device.
  const actions = h("div", { class: "actions" });
  let item = null;
  let drawn = null;
  const draw = () => {
    const key = item && JSON.stringify(placeOf(item));
    if (!item || key === drawn) return;
    drawn = key;
    keepingFocus(actions, () => fill(actions, actionsFor(item)));
  };
  const unsubscribe = subscribe("maps", draw);
  load(id, heading, content, (latest) => {
    item = latest;
    draw();
    return actions;
  });
  return { element, heading, title: t("portal.item"), remove: unsubscribe };
}

/// Reads the item and draws it; `actionsOf(item)` gives what can be done with it.
async function load(id, heading, content, actionsOf) {
  try {
    const item = await post("portal/item", { id });
    if (!content.isConnected) return;
    heading.textContent = item.title;
    document.title = `${item.title} – ${t("app.name")}`;
    const isBusyElsewhere = ![heading, document.body].includes(document.activeElement)
      && !content.contains(document.activeElement);
    fill(content, itemView(item, actionsOf(item)));
    // What a person has gone to meanwhile keeps the focus.
    if (!isBusyElsewhere) focusOn(heading, { preventScroll: true });
  } catch (problem) {
    fill(content, problemBox(problem, [
      button(t("common.retry"), "refresh", () => load(id, heading, content, actionsOf)),
    ]));
  }
}

function actionsFor(item) {
  return item.type === "Web Map" ? webMapActions(item) : packageActions(item);
}

/// The row of the list of maps that stands for an item, as far as its actions depend on it.
function placeOf({ id }) {
  const row = current("maps")?.items.find((each) => each.id === id);
  return row ? { state: row.state, hasUpdate: row.hasUpdate, actions: row.actions } : null;
}

function itemView(item, actions) {
  const isWebMap = item.type === "Web Map";
  return [
    h("p", { class: "facts", text: [item.type, t("portal.by", { owner: item.owner })].join(" · ") }),
    item.problem ? problemBox(item.problem) : null,
    // Of another item by now, where another page has asked for one meanwhile.
    item.picture ? h("img", {
      class: "item-picture", src: item.picture, alt: "", onerror: ({ target }) => target.remove(),
    }) : null,
    item.snippet ? h("p", { class: "lead", text: item.snippet }) : null,
    actions,
    isWebMap ? layerSection(item) : null,
    textSection("portal.description", item.description),
    h("dl", { class: "facts-list" }, facts(item).map(([name, value]) =>
      h("div", {}, h("dt", { text: name }), h("dd", { text: value })))),
    textSection("portal.terms", item.termsOfUse),
  ];
}

function webMapActions(item) {
  return [
    button(t("portal.open"), "map", () => attempt(async () => {
      await post("portal/open", { id: item.id });
      location.hash = "#/map";
    }), { class: "button primary" }),
    button(t("portal.areas"), "download", () => attempt(() => showAreas(item))),
  ];
}

async function showAreas({ id }) {
  await post("portal/areas", { webMap: id });
  const count = (current("maps")?.items ?? []).filter((row) => row.webMap === id).length;
  notify(count === 0 ? t("maps.noAreas") : t("maps.areasFound", { count }));
  location.hash = "#/maps";
}

function packageActions(item) {
  if (item.type !== "Mobile Map Package") return [];
  const row = current("maps")?.items.find((each) => each.id === item.id);
  if (row?.state === "downloading") {
    return [h("span", { class: "state downloading", text: t("state.downloading") }),
      h("a", { class: "button", href: "#/jobs" }, icon("jobs"), h("span", { text: t("next.listJobs") }))];
  }
  if (row?.state === "stored") {
    const act = (action, kind = "plain") => button(
      t(`action.${action}`), actionLook(action).iconName, () => performMapAction(action, row),
      { class: `button ${kind}` });
    return [
      act("open", "primary"), row.actions.includes("update") ? act("update") : null,
      h("span", { class: "state stored", text: t("state.stored") }),
      row.hasUpdate ? h("span", { class: "state update", text: t("maps.updateAvailable") }) : null,
    ];
  }
  return [button(t("portal.download"), "download", () => attempt(async () => {
    const { isNew } = await post("maps/download", { id: item.id });
    const key = isNew === false ? "maps.downloadRunning" : "maps.downloadStarted";
    notify(t(key, { title: item.title }));
    location.hash = "#/maps";
  }), { class: "button primary" })];
}

function facts(item) {
  return [
    [t("portal.created"), day(item.created)],
    [t("portal.modified"), day(item.modified)],
    [t("portal.size"), item.size > 0 ? bytes(item.size) : ""],
    [t("portal.access"), item.access ? textOr(`access.${item.access}`, item.access) : ""],
    [t("portal.views"), Number.isFinite(item.views) ? number(item.views) : ""],
    [t("portal.tags"), [item.tags ?? []].flat().join(", ")],
    [t("portal.credits"), plainText(item.credits)],
  ].filter(([, value]) => value);
}

function textSection(key, html) {
  if (!plainText(html)) return null;
  return h("section", {}, h("h2", { text: t(key) }), h("div", { class: "prose" }, sanitized(html)));
}

/// The layers of a web map, which are read after the item.
function layerSection({ id }) {
  const list = h("div", {}, h("p", { role: "status", text: t("common.loading") }));
  const draw = ({ layers }) => keepingFocus(list, () => fill(list, h("ul", { class: "layer-list" }, layers.map(
    (layer) => layerRow(layer, () => retry(id, layer, draw))))));
  const load = async () => {
    try {
      draw(await post("portal/web-map", { id }));
    } catch (problem) {
      fill(list, problemBox(problem, [button(t("common.retry"), "refresh", load)]));
    }
  };
  load();
  return h("section", {}, h("h2", { text: t("portal.layers") }), list);
}

/// Asks for a layer again.
async function retry(webMap, layer, draw) {
  draw(await post("portal/retry-layer", { webMap, layer: layer.id }));
}

function layerRow(layer, again) {
  const facts = [
    textOr(`layerType.${layer.type}`, layer.type), ...(layer.groups ?? []), layer.basemap ? t("portal.basemap") : null,
  ].filter(Boolean);
  return h(
    "li", { class: `layer-row ${layer.status.replace(" ", "-")}` },
    h("div", {}, h("strong", { text: layer.title }),
      h("p", { class: "facts", text: facts.join(" · ") }),
      layer.problem ? h("p", { class: "failure", text:
        [layer.problem.message, layer.problem.suggestion].filter(Boolean).join(" ") }) : null,
      layer.problem ? button(t("common.retry"), "refresh", () => attempt(again), {
        class: "button small", "aria-label": t("action.of", {
          action: t("common.retry"), title: layer.title,
        }),
      }) : null,
      layer.server ? serverButton({ ...layer, reason: layer.problem.message }, again) : null),
    h("span", { class: "state", text: textOr(`layerStatus.${layer.status}`, layer.status) }));
}
