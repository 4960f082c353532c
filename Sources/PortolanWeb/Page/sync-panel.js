// Synchronizes the open map with its services, and decides on edits that both sides have made.

import { post } from "./api.js";
import { createConflictView, nameOf } from "./conflict-view.js";
import { arrange, button, focusOn, h, setDisabled, setText } from "./dom.js";
import { current, subscribe } from "./events.js";
import { missingOf, performJobAction } from "./map-actions.js";
import { attempt, notify, problemBox } from "./notices.js";
import { t } from "./texts.js";
import { jobText } from "./transfer-view.js";

const finalStates = new Set(["done", "done in part", "failed", "cancelled"]);

/// Returns { element, update(map), remove }. `edit(feature, changes)` opens the form of a feature, which is
/// { layer, objectID, name }, with what was entered for it, and tells whether it did.
export function createSyncPanel(edit) {
  const state = h("p", { role: "status" });
  const start = button(t("sync.start"), "refresh", () => attempt(synchronize),
    { class: "button primary" });
  const signIn = button(t("action.sign-in"), "signIn", () => performJobAction("sign-in", lacking), { hidden: true });
  const heading = h("h3", { text: t("sync.conflicts") });
  const none = h("p", { text: t("sync.noConflicts") });
  const conflicts = h("div", { class: "conflicts" });
  const element = h(
    "div", { class: "sync-panel" }, h("p", { class: "hint", text: t("sync.hint") }),
    h("div", { class: "actions" }, start), state, h("div", { class: "actions" }, signIn), conflicts);
  let id = null;
  /// The job that lacks a sign-in, with how it stands.
  let lacking = null;
  let job = null;
  /// The job whose end is told.
  let told = null;
  /// Whether the job was among those that Portolan tells of.
  let isKnown = false;
  /// How the conflicts are shown, by what identifies them.
  let views = new Map();
  let hasConflicts = false;
  /// Counts the questions for the conflicts; only the answer to the last one is drawn.
  let questions = 0;
  const unsubscribe = subscribe("jobs", follow);

  function update(map) {
    if (map.id === id) return;
    id = map.id;
    job = null;
    told = null;
    setDisabled(start, false);
    setText(state, "");
    offerSignIn(null);
    views = new Map();
    arrange(conflicts);
    loadConflicts();
  }

  async function synchronize() {
    const own = id;
    const known = new Map((current("jobs") ?? []).map((each) => [each.id, each.updated]));
    const { job: begun } = await post("sync/start", { id: own });
    // Another map may be open by now; its own synchronization is told here.
    if (own !== id) return;
    begin(begun);
    // It may have ended before its id was known here.
    follow((current("jobs") ?? []).filter((each) => known.get(each.id) !== each.updated));
  }

  function begin(begun) {
    job = begun;
    told = null;
    isKnown = false;
    setText(state, t("sync.running"));
    setDisabled(start, true);
  }

  /// Offers to sign in where a job lacks that.
  function offerSignIn(own) {
    lacking = missingOf(own).length > 0 ? own : null;
    if (!lacking && signIn.contains(document.activeElement)) focusOn(start);
    signIn.hidden = !lacking;
  }

  /// Says how the synchronization that was asked for stands.
  function follow(jobs) {
    // One that has ended may be made to go on.
    const resumed = jobs?.find((candidate) => candidate.id === lacking?.id);
    if (!job && resumed && !finalStates.has(resumed.state)) begin(resumed.id);
    const own = jobs?.find((candidate) => candidate.id === job);
    if (!own) {
      if (jobs && isKnown) forget();
      return;
    }
    isKnown = true;
    offerSignIn(own);
    if (!finalStates.has(own.state)) {
      setText(state, jobText(own) || t("sync.running"));
      return;
    }
    job = null;
    setDisabled(start, false);
    told = own;
    setText(state, ending(own));
    loadConflicts();
  }

  /// The job is on no list any more, as after it was removed from the list by another page.
  function forget() {
    job = null;
    setDisabled(start, false);
    setText(state, "");
    offerSignIn(null);
    loadConflicts();
  }

  async function loadConflicts() {
    if (!id) return;
    questions += 1;
    const question = questions;
    try {
      const answer = await post("sync/conflicts", { id });
      if (question === questions) draw(answer);
    } catch (problem) {
      if (question === questions) drawProblem(problem);
    }
  }

  /// Lists the conflicts. What is being entered for one of them stays.
  function draw({ conflicts: list }) {
    const former = views;
    views = new Map();
    for (const conflict of list) {
      const key = keyOf(conflict, views);
      const view = former.get(key) ?? createConflictView(conflict, { resolve, edit: openForm, forget: forgetView });
      view.update(conflict);
      views.set(key, view);
    }
    // What was entered after a conflict was decided on is not taken away with it.
    for (const [key, view] of former) {
      if (views.has(key) || !view.hasMore()) continue;
      view.settle();
      views.set(key, view);
    }
    hasConflicts = list.length > 0;
    showList();
  }

  function showList() {
    show([heading, hasConflicts ? null : none]);
  }

  function forgetView(view) {
    views = new Map([...views].filter(([, each]) => each !== view));
    showList();
  }

  /// Opens the form of the feature of a conflict with what was entered for it.
  async function openForm({ table, objectId, values, layer: title }, changes) {
    const layer = current("map")?.editable.find((each) => each.table.toLowerCase() === table.toLowerCase());
    if (!layer) return false;
    const name = nameOf(values) ?? t("sync.feature", { layer: title, id: objectId });
    return edit({ layer: layer.id, objectID: objectId, name }, changes);
  }

  /// Says why the conflicts are not known, above those that were listed before.
  function drawProblem(problem) {
    show([problemBox(problem, [], loadConflicts), views.size > 0 ? heading : null]);
  }

  function show(above) {
    const hadFocus = conflicts.contains(document.activeElement);
    arrange(conflicts, above, [...views.values()].map(({ element: view }) => view));
    if (hadFocus && !conflicts.contains(document.activeElement)) focusOn(conflicts.querySelector("h3, .problem-box"));
  }

  async function resolve({ number, seen, isSent }, choice) {
    const own = id;
    const answer = await post("sync/resolve", { id: own, number, seen, ...choice }).catch((problem) => {
      // Another page has changed or resolved it: what has become of it is decided on.
      if (own === id && ["changed-meanwhile", "not-found"].includes(problem.code)) loadConflicts();
      throw problem;
    });
    // The numbers of one map mean others of the next.
    if (own !== id) return undefined;
    // What was asked for before does not know of it yet.
    questions += 1;
    draw(answer);
    // What was decided on waits no longer.
    if (told) setText(state, ending(told, Math.min(told.sync?.waiting ?? 0, answer.conflicts.length)));
    if (choice.resolution === "theirs") return notify(t("sync.givenUp"));
    if (isSent === false) return notify(t("sync.resolvedHere"));
    return notify(t("sync.resolved"), {
      actionLabel: t("sync.start"), action: () => own === id && attempt(synchronize),
    });
  }

  return { element, update, remove: unsubscribe };
}

/// What a job that has ended has done. `waiting` is how many edits wait for a decision by now.
function ending(job, waiting = job.sync?.waiting ?? 0) {
  return job.state === "failed" ? failure(job, waiting) : sentence(job.sync, waiting);
}

/// Why it failed, and what was exchanged all the same.
function failure(job, waiting) {
  const { sent = 0, added = 0, updated = 0, removed = 0 } = job.sync ?? {};
  const isDone = sent + added + updated + removed > 0;
  return [jobText(job), isDone ? sentence(job.sync, waiting) : null].filter(Boolean).join(" ");
}

/// What identifies a conflict from one list to the next, after a synchronization also with another number.
function keyOf({ table, objectId, edit, number }, taken) {
  const key = JSON.stringify([table, objectId, edit]);
  return taken.has(key) ? JSON.stringify([table, objectId, edit, number]) : key;
}

function sentence(sync, waiting) {
  if (!sync) return t("sync.done");
  const { sent, sentAttachments = 0, added, updated, removed, withheld, staying } = sync;
  const received = added + updated + removed;
  const isComplete = !sync.waiting && !withheld && !staying;
  const nothing = isComplete ? t("sync.nothing") : t("sync.notExchanged");
  const parts = [
    sent === 0 && received === 0 ? nothing : null,
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
