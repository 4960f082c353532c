// Jobs, active and finished, with their log.

import { post } from "./api.js";
import { button, emptyState, fill, h, iconButton, keepingFocus, newID, setText } from "./dom.js";
import { current, subscribe } from "./events.js";
import { moment, timeOfDay } from "./format.js";
import { actionLook, missingOf, performJobAction, performMapAction } from "./map-actions.js";
import { attempt } from "./notices.js";
import { t } from "./texts.js";
import { createTransferView } from "./transfer-view.js";

/// How long after a change of a job its log is read again, in milliseconds.
const logDelay = 500;

/// How many parts that are missing are listed at once; more are shown when a person asks for them.
const mostShown = 5;

const finishedStates = new Set(["done", "done in part", "failed", "cancelled"]);

export function createJobsScreen() {
  const heading = h("h1", { text: t("jobs.title") });
  const empty = h("div", {});
  const rows = new Map();
  const active = createSection(t("jobs.active"), rows);
  const finished = createSection(t("jobs.finished"), rows);
  const element = h("div", { class: "screen" }, heading, empty, active.element, finished.element);
  const draw = (jobs) => {
    const row = document.activeElement?.closest(".job");
    const stays = row && jobs.some(({ id }) => rows.get(id)?.element === row);
    keepingFocus(stays ? row : element, () => {
      removeOtherRows(rows, new Set(jobs.map((job) => job.id)));
      active.update(jobs.filter((job) => !finishedStates.has(job.state)));
      finished.update(jobs.filter((job) => finishedStates.has(job.state)).sort(latestFirst));
    });
    if (jobs.length > 0) empty.replaceChildren();
    else if (!empty.firstChild) fill(empty, emptyState({
      iconName: "jobs", title: t("jobs.empty"), text: t("jobs.emptyText"),
      actions: [h("a", { class: "button primary", href: "#/maps", text: t("map.toMaps") })],
    }));
  };
  const unsubscribe = [
    subscribe("jobs", draw),
    // Which maps are on this device says what can be opened.
    subscribe("maps", () => current("jobs") && draw(current("jobs"))),
  ];
  return {
    element, heading, title: t("jobs.title"), remove: () => unsubscribe.forEach((end) => end()),
  };
}

function latestFirst(left, right) {
  return (right.updated ?? "").localeCompare(left.updated ?? "");
}

function removeOtherRows(rows, ids) {
  for (const [id, row] of rows) {
    if (ids.has(id)) continue;
    row.element.remove();
    rows.delete(id);
  }
}

/// A section with a row per job. Rows are kept by id and shared by the sections, so that a job that ends keeps its log open.
function createSection(title, rows) {
  const list = h("ul", { class: "job-list" });
  const element = h("section", { hidden: true }, h("h2", { text: title }), list);
  function update(jobs) {
    element.hidden = jobs.length === 0;
    jobs.forEach((job, index) => {
      if (!rows.has(job.id)) rows.set(job.id, createJobRow());
      const row = rows.get(job.id);
      row.update(job);
      if (list.children[index] !== row.element) {
        list.insertBefore(row.element, list.children[index] ?? null);
      }
    });
  }
  return { element, update };
}

function createJobRow() {
  const title = h("h3", {});
  const created = h("p", { class: "facts" });
  const actions = h("div", { class: "actions" });
  const transfer = createTransferView();
  const missing = createMissingParts();
  const log = createLog(() => job.id);
  const element = h(
    "li", { class: "job" }, h("div", { class: "job-head" }, title, created), transfer.element,
    missing.element, actions, log.element);
  let job = null;
  let drawnActions = null;
  function update(latest) {
    const isSame = JSON.stringify(job) === JSON.stringify(latest);
    job = latest;
    if (!isSame) log.follow();
    setText(title, job.title);
    setText(created, job.created ? t("jobs.created", { date: moment(job.created) }) : "");
    transfer.update(job);
    missing.update(job);
    log.setTitle(job.title);
    const others = job.actions.filter((action) => action !== "forget");
    const actionNames = [...missingOf(job), ...waitsForOthers(job) ? ["run-next"] : [], ...others];
    const key = [...job.actions, ...actionNames, isOpenable(job)].join();
    if (key === drawnActions) return;
    drawnActions = key;
    keepingFocus(actions, () => fill(
      actions, isOpenable(job) ? openButton(() => job) : null,
      actionNames.map((action) => actionButton(action, () => job)), log.toggle,
      job.actions.includes("forget") ? forgetButton(() => job) : null));
  }
  return { element, update };
}

/// What a job that is done in part lacks, and why: { element, update(job) }.
function createMissingParts() {
  const summary = h("summary", {});
  const list = h("ul", { class: "plain-list" });
  const element = h("details", { class: "omissions", hidden: true }, summary, list);
  let drawn = null;
  function update({ state, failedItems = [] }) {
    const items = state === "done in part" ? failedItems : [];
    const texts = items.map(({ name, failure }) => [name, failure?.message].filter(Boolean).join(": "));
    const key = JSON.stringify(texts);
    if (key === drawn) return;
    drawn = key;
    element.hidden = texts.length === 0;
    element.open = texts.length <= mostShown;
    setText(summary, t("jobs.missing", { count: texts.length }));
    fill(list, texts.map((text) => h("li", { text })));
  }
  return { element, update };
}

/// Whether others are to run before it.
function waitsForOthers({ waitingFor, ahead }) {
  return waitingFor === "slot" && ahead > 0;
}

/// Whether the map of a job is on this device, so that it can be opened from here.
function isOpenable({ state, subject }) {
  return state.startsWith("done") && Boolean(storedRow(subject));
}

function storedRow(id) {
  return current("maps")?.items.find((row) => row.id === id && row.state === "stored");
}

function openButton(job) {
  const { iconName } = actionLook("open");
  const label = t("action.open");
  return button(label, iconName, () => performMapAction("open", storedRow(job().subject)), {
    class: "button", "aria-label": t("action.of", { action: label, title: job().title }),
  });
}

/// Nothing is lost but the entry, and it is seldom wanted.
function forgetButton(job) {
  const label = t("action.of", { action: t("action.forget"), title: job().title });
  return iconButton(label, actionLook("forget").iconName, () => performJobAction("forget", job()), {
    class: "icon-button push-end",
  });
}

function actionButton(action, job) {
  const { iconName, kind } = actionLook(action);
  const label = t(`action.${action}`);
  return button(label, iconName, () => performJobAction(action, job()), {
    class: `button ${kind}`, "aria-label": t("action.of", { action: label, title: job().title }),
  });
}

/// The log of a job, read when it is opened and, until it is closed again, whenever the job has changed.
function createLog(jobID) {
  const list = h("ol", { tabindex: "0" });
  const element = h("div", { class: "log", id: newID("log"), hidden: true });
  const toggle = button(t("jobs.log"), "legend", () => {
    element.hidden = !element.hidden;
    toggle.setAttribute("aria-expanded", String(!element.hidden));
    return element.hidden ? undefined : attempt(load);
  }, { "aria-expanded": "false", "aria-controls": element.id });
  let drawn = null;
  let timer = null;
  let questions = 0;
  async function load() {
    questions += 1;
    const question = questions;
    const { messages } = await post("jobs/log", { id: jobID() });
    // What was read before knows less.
    if (question !== questions) return;
    const key = JSON.stringify(messages);
    if (key === drawn) return;
    drawn = key;
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    const isFirst = !list.isConnected;
    fill(list, messages.map((message, index) => logLine(message, messages[index - 1]?.time ?? null)));
    if (messages.length === 0) fill(element, h("p", { class: "hint", text: t("jobs.logEmpty") }));
    else if (isFirst) fill(element, list);
    if (isAtEnd && !isFirst) list.scrollTop = list.scrollHeight;
  }
  function follow() {
    if (element.hidden || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      // What cannot be read now is read after the next change.
      if (element.isConnected && !element.hidden) load().catch(() => {});
    }, logDelay);
  }
  return {
    element, toggle, follow,
    setTitle: (title) => {
      for (const each of [toggle, list]) each.setAttribute("aria-label", t("jobs.logOf", { title }));
    },
  };
}

function logLine({ severity, time, text }, before) {
  return h(
    "li", { class: `log-line ${severity}` },
    h("time", { datetime: time, title: moment(time), text: timeOfDay(time, before) }),
    h("span", { text }));
}
