// Synchronizes the open map with its services, and decides on edits that both sides have made.

import { post } from "./api.js";
import { button, fill, h, setDisabled, setText } from "./dom.js";
import { current, subscribe } from "./events.js";
import { createFormField } from "./form-fields.js";
import { attempt, notify, problemBox } from "./notices.js";
import { t, textOr } from "./texts.js";
import { jobText } from "./transfer-view.js";

const finalStates = new Set(["done", "done in part", "failed", "cancelled"]);

/// Returns { element, update(map), remove }.
export function createSyncPanel() {
  const state = h("p", { role: "status" });
  const start = button(t("sync.start"), "refresh", () => attempt(synchronize),
    { class: "button primary" });
  const conflicts = h("div", { class: "conflicts" });
  const element = h(
    "div", { class: "sync-panel" }, h("p", { class: "hint", text: t("sync.hint") }),
    h("div", { class: "actions" }, start), state, conflicts);
  let id = null;
  let job = null;
  const unsubscribe = subscribe("jobs", follow);

  function update(map) {
    if (map.id === id) return;
    id = map.id;
    job = null;
    setDisabled(start, false);
    setText(state, "");
    fill(conflicts);
    loadConflicts();
  }

  async function synchronize() {
    const own = id;
    const known = new Map((current("jobs") ?? []).map((each) => [each.id, each.updated]));
    const { job: begun } = await post("sync/start", { id: own });
    // Another map may be open by now; its own synchronization is told here.
    if (own !== id) return;
    job = begun;
    setText(state, t("sync.running"));
    setDisabled(start, true);
    // It may have ended before its id was known here.
    follow((current("jobs") ?? []).filter((each) => known.get(each.id) !== each.updated));
  }

  /// Says how the synchronization that was asked for stands.
  function follow(jobs) {
    const own = jobs?.find((candidate) => candidate.id === job);
    if (!own) return;
    if (!finalStates.has(own.state)) {
      setText(state, jobText(own) || t("sync.running"));
      return;
    }
    job = null;
    setDisabled(start, false);
    setText(state, own.state === "failed" ? failure(own) : sentence(own.sync));
    loadConflicts();
  }

  async function loadConflicts() {
    if (!id) return;
    const own = id;
    try {
      const answer = await post("sync/conflicts", { id });
      if (own === id) draw(answer);
    } catch (problem) {
      if (own === id) fill(conflicts, problemBox(problem, [], loadConflicts));
    }
  }

  function draw({ conflicts: list }) {
    fill(
      conflicts, h("h3", { text: t("sync.conflicts") }),
      list.length === 0 ? h("p", { text: t("sync.noConflicts") }) : list.map(conflictView));
  }

  function conflictView(conflict) {
    const { table, objectId, edit, reason, differences, isMovedApart, shapeChangedHere, canEdit, values } = conflict;
    const name = nameOf(values);
    const heading = t(name ? "sync.namedFeature" : "sync.feature", { name, table, id: objectId });
    const rows = differences.map((difference) => [
      difference.label,
      difference.changedHere === false ? t("sync.unchangedHere") : difference.mine ?? "",
      difference.theirs ?? "",
    ]);
    if (isMovedApart) {
      const mine = shapeChangedHere === false ? t("sync.unchangedHere") : t("sync.mine");
      rows.push([t("sync.position"), mine, t("sync.theirs")]);
    }
    const choose = (resolution, key) => button(t(`sync.${key}`), null,
      () => attempt(() => resolve(conflict, { resolution })), {
        class: "button small", "aria-label": t("action.of", {
          action: t(`sync.${key}`), title: heading,
        }),
      });
    return h(
      "article", { class: "conflict", "aria-label": heading },
      h("h4", { text: heading }),
      h("p", { class: "hint", text: [textOr(`sync.edit.${edit}`, edit), reason].join(" · ") }),
      rows.length === 0 ? null : h(
        "table", { class: "conflict-values" },
        h("thead", {}, h("tr", {}, ["field", "mine", "theirs"].map((key) =>
          h("th", { scope: "col", text: t(`sync.${key}`) })))),
        h("tbody", {}, rows.map(([label, mine, theirs]) => h("tr", {},
          h("th", { scope: "row", text: label }), h("td", { text: mine }),
          h("td", { text: theirs }))))),
      h("div", { class: "actions" }, choose("mine", "takeMine"), choose("theirs", "takeTheirs")),
      canEdit && values.length > 0 ? editor(conflict) : null);
  }

  /// A form that changes one's own values before they are sent: those that differ come first.
  function editor(conflict) {
    const differing = new Set(conflict.differences.map(({ field }) => field));
    const values = [true, false].flatMap((wanted) =>
      conflict.values.filter(({ field }) => differing.has(field) === wanted));
    // Nothing is sent before all is.
    const fields = values.map((value) => ({ name: value.field, own: createFormField(value, async () => true) }));
    const send = button(t("sync.editAndSend"), "accept", () => attempt(() => {
      for (const { own } of fields) own.flush();
      const unreadable = fields.find(({ own }) => own.isUnreadable());
      if (unreadable) return unreadable.own.control.focus();
      const entries = fields.filter(({ own }) => own.isChanged()).map(({ name, own }) => [name, own.entry()]);
      if (entries.length === 0) return resolve(conflict, { resolution: "mine" });
      return resolve(conflict, {
        values: Object.fromEntries(entries.map(([name, { text }]) => [name, text])),
        codes: entries.filter(([, { isCode }]) => isCode).map(([name]) => name),
      });
    }), { class: "button small" });
    return h("details", {}, h("summary", { text: t("sync.editAgain") }),
      fields.map(({ own }) => own.element), h("div", { class: "actions" }, send));
  }

  async function resolve({ number, isSent }, choice) {
    const own = id;
    const answer = await post("sync/resolve", { id: own, number, ...choice });
    // The numbers of one map mean others of the next.
    if (own !== id) return undefined;
    draw(answer);
    if (choice.resolution === "theirs") return notify(t("sync.givenUp"));
    if (isSent === false) return notify(t("sync.resolvedHere"));
    return notify(t("sync.resolved"), {
      actionLabel: t("sync.start"), action: () => own === id && attempt(synchronize),
    });
  }

  return { element, update, remove: unsubscribe };
}

/// Why it failed, and what was exchanged all the same.
function failure(job) {
  const { sent = 0, added = 0, updated = 0, removed = 0 } = job.sync ?? {};
  const isDone = sent + added + updated + removed > 0;
  return [jobText(job), isDone ? sentence(job.sync) : null].filter(Boolean).join(" ");
}

/// What a feature is called here, by the field that sounds like a name; `null` if there is none.
function nameOf(values) {
  return values.find(({ field, text }) => text && /name|title|label/i.test(field))?.text ?? null;
}

function sentence(sync) {
  if (!sync) return t("sync.done");
  const { sent, sentAttachments = 0, added, updated, removed, waiting, withheld, staying } = sync;
  const received = added + updated + removed;
  const parts = [
    sent === 0 && received === 0 ? t("sync.nothing") : null,
    sent > sentAttachments ? t("sync.sent", { count: sent - sentAttachments }) : null,
    sentAttachments > 0 ? t("sync.sentAttachments", { count: sentAttachments }) : null,
    received > 0 ? t("sync.received", { count: received }) : null,
    sync.isRegisteredAgain ? t("sync.registeredAgain") : null,
    waiting > 0 ? t("sync.waiting", { count: waiting }) : null,
    withheld > 0 ? t("sync.withheld", { count: withheld }) : null,
    staying > 0 ? t("sync.staying", { count: staying }) : null,
  ];
  return parts.filter(Boolean).join(" ");
}
