// Regions of tiles: drawn on the map, counted and estimated while they are drawn, downloaded,
// followed, and shown with what is here.

import { post } from "./api.js";
import { button, confirm, fill, h, keepingFocus, labelled, setDisabled, setText } from "./dom.js";
import { current, subscribe } from "./events.js";
import { bytes, number, percent, rate, timeLeft } from "./format.js";
import { actionLook } from "./map-actions.js";
import { attempt, notify, problemBox } from "./notices.js";
import { sketch } from "./sketch.js";
import { t } from "./texts.js";
import { createTileCoverage } from "./tile-coverage.js";
import { createTileExplanation } from "./tile-explanation.js";
import { createTileFailures } from "./tile-failures.js";
import { createTileImport, exportRegion } from "./tile-files.js";
import { createTileServing } from "./tile-serving.js";
import { hostWaitText } from "./transfer-view.js";

/// The region that is being drawn, until its download begins.
const regionKey = "portolan-region";

/// How long a person may pause before what is drawn is counted, in milliseconds.
const countDelay = 150;

/// Returns { element, update(), remove() }. `view` is the map, and `place` where its tools stand.
export function createTilesPanel(view, place, { closePanel }) {
  const coverage = createTileCoverage(view);
  const form = createRegionForm(view, place, closePanel, (name) => {
    begun = name;
    showBegun();
  });
  const list = h("ul", { class: "job-list" });
  const empty = h("p", { class: "hint", text: t("tiles.noRegions") });
  const fault = h("div", { role: "status" });
  const updateAll = button(t("tiles.updateAll"), "refresh", updateRegions, { class: "button small" });
  const explanation = createTileExplanation(view, place, closePanel);
  const serving = createTileServing();
  const usage = h("p", { class: "facts" });
  const regions = h(
    "section", { class: "tiles-section" }, h("h3", { text: t("tiles.regions") }), fault, empty, list,
    h("div", { class: "actions" }, createTileImport(), updateAll), usage);
  const element = h(
    "div", { class: "tiles-panel" }, form.element, regions, explanation.element, serving.element);
  const rows = new Map();
  // The region that was just begun, until it is seen.
  let begun = null;
  let shownIn = null;
  let told = null;
  post("tiles/load").catch(() => {});
  const unsubscribe = subscribe("tiles", draw);

  function draw(tiles) {
    if (!tiles) return;
    form.update(tiles);
    explanation.update(tiles);
    serving.update(tiles);
    drawFault(tiles);
    empty.hidden = tiles.regions.length > 0 || (Boolean(tiles.problem) && !tiles.isLoaded);
    updateAll.hidden = !tiles.regions.some(({ actions }) => actions.includes("update"));
    setText(usage, tiles.usage ? t("tiles.usage", {
      all: bytes(tiles.usage.bytes), regions: bytes(tiles.usage.regionBytes),
    }) : "");
    const names = new Set(tiles.regions.map((region) => region.name));
    keepingFocus(list, () => {
      for (const [name, row] of rows) {
        if (names.has(name)) continue;
        row.element.remove();
        rows.delete(name);
      }
    });
    tiles.regions.forEach((region, index) => {
      if (!rows.has(region.name)) rows.set(region.name, createRow(coverage));
      const row = rows.get(region.name);
      row.update(region);
      if (list.children[index] !== row.element) {
        list.insertBefore(row.element, list.children[index] ?? null);
      }
    });
    coverage.follow(tiles.regions);
    showBegun();
  }

  /// Says why the cache cannot be used, or a download has ended where its region does not say so.
  function drawFault({ problem, regions: all }) {
    const shown = problem && !all.some(({ reason }) => reason === problem.message) ? problem : null;
    const key = JSON.stringify(shown);
    if (key === told) return;
    told = key;
    fill(fault, shown ? problemBox(shown, [], () => attempt(() => post("tiles/load"))) : null);
  }

  function showBegun() {
    const row = rows.get(begun);
    if (!row?.element.isConnected) return;
    begun = null;
    row.element.scrollIntoView({ block: "nearest" });
  }

  /// What is here comes first, once there is something; nothing moves while the panel is open.
  function arrange() {
    const hasRegions = (current("tiles")?.regions.length ?? 0) > 0;
    if (hasRegions) element.prepend(regions);
    else element.prepend(form.element);
  }

  function updateRegions() {
    return attempt(async () => {
      const { regions } = await post("tiles/update-all");
      notify(t("tiles.updateStarted", { count: regions.length }));
    });
  }

  return {
    element, update: () => {
      // It is called for all changes of the map, the first time when the panel opens.
      if (element.parentElement !== shownIn) arrange();
      shownIn = element.parentElement;
    },
    remove: () => {
      unsubscribe();
      coverage.remove();
    },
  };
}

// MARK: A new region

/// `onBegin(name)` is told of a download that has begun.
function createRegionForm(view, place, closePanel, onBegin) {
  const address = h("input", { type: "url", autocomplete: "off", spellcheck: "false" });
  const source = h("select", {});
  const name = h("input", { type: "text", autocomplete: "off" });
  const from = h("input", { type: "number", min: "0", max: "25", value: "8" });
  const to = h("input", { type: "number", min: "0", max: "25", value: "12" });
  const allowed = h("input", { type: "checkbox", id: "tiles-allowed" });
  const allowedRow = h(
    "p", { class: "check" }, allowed, h("label", { for: "tiles-allowed", text: t("tiles.allowed") }));
  const figures = createDraftView();
  const drawButton = button(t("tiles.draw"), "edit", drawRegion, { class: "button" });
  const start = button(t("tiles.download"), "download", download, { class: "button primary" });
  const element = h(
    "form", { class: "tiles-form", onsubmit: (event) => event.preventDefault() },
    h("h3", { text: t("tiles.new") }),
    labelled(t("tiles.source"), source),
    h("div", { class: "tiles-address" },
      labelled(t("tiles.address"), address, t("tiles.addressHint")),
      button(t("tiles.addSource"), "plus", () => attempt(addSource), { class: "button small" })),
    labelled(t("tiles.name"), name),
    h("div", { class: "tiles-levels" }, labelled(t("tiles.from"), from), labelled(t("tiles.to"), to)),
    allowedRow, figures.element, h("div", { class: "actions" }, drawButton, start));
  /// What this page calls itself: what other pages draw is nothing of it.
  const drawer = Math.random().toString(36).slice(2);
  /// The rings that were drawn; what lies inside of an odd number of them is taken.
  let rings = null;
  let timer = null;
  let known = null;
  /// The source of what was drawn before the page was loaded again, until it is in the list.
  let keptSource = restoreRegion();
  for (const field of [source, from, to, allowed, name]) {
    field.addEventListener("change", () => count());
  }
  source.addEventListener("change", () => { keptSource = null; });
  setDisabled(start, true);

  async function addSource() {
    const [typed, chosen] = [address.value, source.value];
    const added = await post("tiles/add-source", { address: typed.trim() });
    // What was typed or chosen meanwhile stays.
    if (address.value === typed) address.value = "";
    if (source.value === chosen) source.value = added.name;
    count();
  }

  /// Draws, and counts at each change; the panel makes room for the map meanwhile where both do not
  /// fit.
  async function drawRegion() {
    closePanel.ifNarrow();
    const before = rings;
    const drawn = await sketch(view, place, {
      geometry: "polygon", title: t("tiles.drawTitle"), parts: rings ?? [], onChange: take,
      summary: figures.sentence,
    });
    if (drawn) take(drawn);
    else rings = before;
    count();
    closePanel.reopen();
  }

  /// Keeps what is drawn for when the page is loaded again; what has no room in the browser is not kept.
  function keepRegion() {
    const values = { rings, source: keptSource ?? source.value, name: name.value, from: from.value, to: to.value };
    try {
      if (rings) sessionStorage.setItem(regionKey, JSON.stringify(values));
      else sessionStorage.removeItem(regionKey);
    } catch {
      sessionStorage.removeItem(regionKey);
    }
  }

  function restoreRegion() {
    const kept = JSON.parse(sessionStorage.getItem(regionKey) ?? "null");
    if (!kept) return null;
    rings = kept.rings;
    for (const [field, value] of [[name, kept.name], [from, kept.from], [to, kept.to]]) field.value = value;
    return kept.source;
  }

  function take(parts) {
    const whole = parts.filter((part) => part.length >= 3);
    rings = whole.length > 0 ? whole : null;
    count();
  }

  function parameters() {
    return {
      name: name.value.trim() || suggestedName(), source: source.value, from: Number(from.value),
      to: Number(to.value), allowsBulk: allowed.checked, drawer,
      extent: { polygon: rings.map((ring) => [...ring, ring[0]]) },
    };
  }

  function count() {
    clearTimeout(timer);
    keepRegion();
    if (!rings || !source.value) return;
    timer = setTimeout(() => rings && post("tiles/draw", parameters()).catch(() => {}), countDelay);
  }

  function download() {
    clearTimeout(timer);
    return attempt(async () => {
      const region = parameters();
      const [drawn, typed] = [rings, name.value];
      await post("tiles/download", region);
      // What was drawn or typed meanwhile is for another region.
      if (rings === drawn) {
        rings = null;
        setDisabled(start, true);
      }
      if (name.value === typed) name.value = "";
      keepRegion();
      notify(t("tiles.started", { name: region.name }));
      onBegin(region.name);
    });
  }

  function suggestedName() {
    const names = new Set((current("tiles")?.regions ?? []).map((region) => region.name));
    let index = 1;
    while (names.has(t("tiles.defaultName", { index }))) index += 1;
    return t("tiles.defaultName", { index });
  }

  function update({ sources, drafts }) {
    const draft = drafts[drawer];
    const usable = sources.filter((each) => !each.imported);
    const key = usable.map((each) => each.name).join("\n");
    if (key !== known) {
      known = key;
      const chosen = source.value;
      fill(source, usable.length ? usable.map((each) => h(
        "option", { value: each.name, text: each.name }))
        : h("option", { value: "", text: t("tiles.noSource") }));
      if (usable.some((each) => each.name === chosen)) source.value = chosen;
    }
    if (keptSource && usable.some((each) => each.name === keptSource)) {
      source.value = keptSource;
      keptSource = null;
      count();
    }
    const mayDownload = usable.find((each) => each.name === source.value)?.bulkLevels;
    allowedRow.hidden = Boolean(mayDownload) || !source.value;
    figures.update(rings ? draft : null);
    setDisabled(start, !(rings && draft?.canDownload));
    setDisabled(drawButton, !source.value);
    name.placeholder = suggestedName();
  }

  return { element, update };
}

/// How many tiles and bytes what is drawn would take: { element, sentence, update(draft) }.
function createDraftView() {
  const total = h("p", { class: "tiles-total", role: "status" });
  const levels = h("p", { class: "hint" });
  const obstacle = h("p", { class: "field-problem" });
  const sentence = h("span", { class: "sketch-count" });
  const element = h("div", { class: "tiles-draft" }, total, levels, obstacle);
  function update(draft) {
    setText(total, draft ? figuresOf(draft) : t("tiles.notDrawn"));
    setText(levels, draft ? draft.levels.map(({ level, count }) =>
      t("tiles.level", { level, number: number(count, 0) })).join(" · ") : "");
    const reason = draft?.obstacle;
    setText(obstacle, reason ? [reason.message, reason.suggestion].filter(Boolean).join(" ")
      : draft?.sizeProblem ?? "");
    setText(sentence, draft ? figuresOf(draft) : "");
  }
  return { element, sentence, update };
}

function figuresOf({ count, leastBytes, mostBytes }) {
  const tiles = t("tiles.count", { count, number: number(count, 0) });
  if (mostBytes === null) return tiles;
  return t("tiles.estimate", { tiles, least: bytes(leastBytes), most: bytes(mostBytes) });
}

// MARK: A region

function createRow(coverage) {
  const title = h("h4", {});
  const bar = h("progress", { max: "1" });
  const state = h("span", { class: "transfer-state" });
  const share = h("span", { class: "transfer-share" });
  const figures = h("p", { class: "transfer-figures" });
  const reason = h("p", { class: "field-problem" });
  const failures = createTileFailures();
  const actions = h("div", { class: "actions" });
  const element = h(
    "li", { class: "job" }, title,
    h("div", { class: "transfer" },
      h("div", { class: "transfer-head" }, state, share), bar, figures, reason), failures.element, actions);
  let region = null;
  let drawn = null;
  let countdown = 0;

  function update(latest) {
    region = latest;
    clearTimeout(countdown);
    // How long a host is still waited for changes by itself.
    if (region.hostWait) {
      countdown = setTimeout(() => element.isConnected && update(region), 1000);
    }
    setText(title, region.name);
    bar.value = region.fraction;
    bar.setAttribute("aria-label", t("job.progress", { title: region.name }));
    setText(state, t(`tiles.${region.status}`));
    setText(share, percent(region.fraction));
    setText(figures, rowFigures(region).join(" · "));
    setText(reason, region.reason ?? "");
    failures.update(region);
    const key = region.actions.join();
    if (key === drawn) return;
    drawn = key;
    keepingFocus(actions, () => fill(actions,
      button(t("tiles.showShort"), "map", () => attempt(() => coverage.show(region)), {
        class: "button small", "aria-label": t("action.of", {
          action: t("tiles.show"), title: region.name,
        }),
      }), region.actions.map(actionButton)));
  }

  function actionButton(action) {
    const { iconName, kind } = actionLook(action);
    const label = t(`action.${action}`);
    return button(label, iconName, () => perform(action), {
      class: `button small ${kind}`,
      "aria-label": t("action.of", { action: label, title: region.name }),
    });
  }

  async function perform(action) {
    if (action === "export") return exportRegion(region);
    if (action !== "delete") {
      return attempt(() => post(`tiles/${action}`, { name: region.name }));
    }
    const isSure = await confirm({
      title: t("tiles.deleteTitle", { name: region.name }),
      body: t("tiles.deleteText", { size: bytes(region.bytes) }), label: t("action.delete"),
      kind: "danger",
    });
    if (!isSure) return undefined;
    coverage.hide(region.name);
    const freed = await attempt(() => post("tiles/delete", { name: region.name }));
    if (freed) {
      notify(t(freed.sharedBytes ? "tiles.freedShared" : "tiles.freed", {
        size: bytes(freed.bytes), shared: bytes(freed.sharedBytes),
      }));
    }
    return undefined;
  }

  return { element, update };
}

function rowFigures({ tiles, bytes: size, savedBytes, pace, hostWait }) {
  const parts = [t("tiles.of", {
    done: number(tiles.stored + tiles.absent + tiles.blank, 0), all: number(tiles.planned, 0),
  }), bytes(size)];
  if (tiles.failed) parts.push(t("tiles.failedCount", { count: tiles.failed }));
  if (tiles.absent) parts.push(t("tiles.absentCount", { count: tiles.absent }));
  if (savedBytes) parts.push(t("tiles.saved", { size: bytes(savedBytes) }));
  if (hostWait) return [...parts, hostWaitText(hostWait)];
  if (pace?.bytesPerSecond) parts.push(rate(pace.bytesPerSecond));
  if (pace?.remainingSeconds) parts.push(timeLeft(pace.remainingSeconds));
  return parts;
}
