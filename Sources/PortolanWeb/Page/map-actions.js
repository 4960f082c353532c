// What can be done with a row of the map list, and with a job.

import { post, saveFile } from "./api.js";
import { ask, confirm, h } from "./dom.js";
import { askForDownload } from "./download-options.js";
import { current, subscribe } from "./events.js";
import { bytes } from "./format.js";
import { attempt, isOfPortal, notify, showProblem, showProgress, signInToServer } from "./notices.js";
import { webAddress } from "./sanitize.js";
import { shareMap } from "./share-dialog.js";
import { t } from "./texts.js";

/// The icon and the look of each action.
const looks = {
  open: { iconName: "map", kind: "primary" },
  download: { iconName: "download", kind: "primary" },
  "download-options": { iconName: "settings", kind: "plain" },
  update: { iconName: "refresh", kind: "plain" },
  pause: { iconName: "pause", kind: "plain" },
  resume: { iconName: "resume", kind: "primary" },
  "run-next": { iconName: "resume", kind: "plain" },
  retry: { iconName: "refresh", kind: "primary" },
  "sign-in": { iconName: "signIn", kind: "primary" },
  accept: { iconName: "accept", kind: "plain" },
  cancel: { iconName: "cancel", kind: "plain" },
  delete: { iconName: "trash", kind: "quiet" },
  share: { iconName: "share", kind: "plain" },
  export: { iconName: "save", kind: "plain" },
  forget: { iconName: "close", kind: "quiet" },
};

/// The icon name and button class of an action.
export function actionLook(action) {
  return looks[action] ?? { iconName: null, kind: "plain" };
}

/// Performs an action of a row and shows its problem, if it has one.
export function performMapAction(action, row) {
  switch (action) {
    case "open": return attempt(() => openMap(row));
    case "download":
    case "update": return attempt(() => download(row));
    case "download-options": return downloadAsChosen(row);
    case "delete": return deleteMap(row);
    case "export": return exportMap(row);
    case "share": return shareMap(row, showRefusal);
    default: return row.transfer ? performJobAction(action, row.transfer) : Promise.resolve();
  }
}

/// Performs an action of a job; cancelling asks first when something was downloaded.
export async function performJobAction(action, transfer) {
  if (action === "sign-in") {
    await signInForJob(transfer);
    return;
  }
  if (action === "cancel" && transfer.progress.bytes > 0 && !await confirmCancelling(transfer)) return;
  await attempt(() => post(`jobs/${action}`, { id: transfer.id }));
}

/// What can be done with a job before all else: signing in, where it lacks that.
export function missingOf(transfer) {
  return transfer && (transfer.waitingFor === "sign-in" || refusalOf(transfer)) ? ["sign-in"] : [];
}

/// Signs in to the server that a job lacks an account at, and lets it go on. One that waits for that goes on by itself. The
/// portal's password is not asked for as that of a server: what the portal itself refuses leads to its screen.
async function signInForJob(job) {
  const server = serverOf(job);
  if (isOfPortal(server)) {
    location.hash = "#/sign-in";
    return;
  }
  await signInToServer({ server, reason: t("server.forJob", { title: job.title }) }, async () => {
    const actions = current("jobs")?.find(({ id }) => id === job.id)?.actions ?? [];
    const action = job.state !== "waiting" && ["retry", "resume"].find((each) => actions.includes(each));
    if (action) await post(`jobs/${action}`, { id: job.id });
  });
}

/// Why a job has ended without all that it was for, if it lacked a sign-in.
function refusalOf({ state, failure, failedItems = [] }) {
  const refusals = state === "failed" ? [{ failure }] : state === "done in part" ? failedItems : [];
  return refusals.find((item) => item.failure?.kind === "sign-in") ?? null;
}

/// The root of the server that a job lacks an account at, or its host where no more is known.
function serverOf(job) {
  const { address, failure } = refusalOf(job) ?? {};
  return rootOf(address) ?? job.host ?? failure?.actions?.find(({ kind }) => kind === "signIn")?.subject ?? "";
}

/// The root of the server of a service. Nothing is kept of a user in the address, which may look like a host.
function rootOf(address) {
  const known = webAddress(address);
  if (!known) return null;
  const { origin, pathname } = new URL(known);
  const end = pathname.toLowerCase().indexOf("/rest/");
  return end < 0 ? null : origin + pathname.slice(0, end);
}

/// Asks whether a job is to be cancelled, as long as it can be.
async function confirmCancelling({ id, title, state }) {
  const ending = new AbortController();
  let couldCancel = false;
  const unsubscribe = subscribe("jobs", (jobs) => {
    const canCancel = jobs.find((job) => job.id === id)?.actions.includes("cancel") === true;
    if (couldCancel && !canCancel) ending.abort();
    couldCancel = canCancel;
  });
  // What is done in part is on this device, and stays there.
  const key = state === "done in part" ? "jobs.cancelPart" : "jobs.cancel";
  const answer = await ask({
    title: t("jobs.cancelTitle", { title }), body: t(`${key}Text`), signal: ending.signal,
    choices: [
      { value: false, label: t(`${key}Keep`), kind: "plain", isDefault: true },
      { value: true, label: t(`${key}Confirm`), kind: "danger" },
    ],
  });
  unsubscribe();
  return answer === true;
}

async function openMap(row) {
  if (row.state === "online") await post("portal/open", { id: row.id });
  else await post("map/open", { id: row.id });
  location.hash = "#/map";
}

/// Saves a stored map as a file; a damaged one, which may hold unsent changes, only after a question.
async function exportMap(row) {
  try {
    await saveMap(row);
  } catch (problem) {
    if (!problem.actions?.some(({ kind }) => kind === "exportDamaged")) {
      showRefusal(problem, row, () => exportMap(row));
      return;
    }
    const isWanted = await confirm({
      title: t("maps.exportDamagedTitle", { title: row.title }),
      body: h("div", {}, h("p", { text: problem.message }),
        h("p", { text: t("maps.exportDamagedText") })),
      label: t("maps.exportDamagedConfirm"),
    });
    if (isWanted) await attempt(() => saveMap(row, { damaged: true }));
  }
}

/// Shows why something cannot be done with a stored map, and offers to do it again; one that is open and edited here
/// is closed before.
export function showRefusal(problem, { id }, again) {
  const isOpenHere = problem.code === "being-edited" && current("map")?.id === id;
  if (!isOpenHere) return showProblem(problem, again);
  return showProblem({ ...problem, message: problem.message, actions: [] }, null, [{
    label: t("maps.closeAndRetry"),
    action: () => attempt(async () => {
      await post("map/close");
      await again();
    }),
  }]);
}

/// Has a stored map written into a file, with its edits, and lets the browser save it.
async function saveMap({ id, title }, options = {}) {
  const progress = showProgress(t("save.running", { title }));
  try {
    const name = await saveFile("maps/export", { ...options, id });
    notify(t("save.done", { name }));
  } finally {
    progress.remove();
  }
}

async function downloadAsChosen(row) {
  const options = await askForDownload(row);
  if (options) await attempt(() => download(row, options));
}

async function download(row, options = {}) {
  const { isNew } = await post("maps/download", { ...options, id: row.id });
  const key = isNew === false ? "maps.downloadRunning" : "maps.downloadStarted";
  notify(t(key, { title: row.title }));
}

/// Deletes a stored map after a question that says what it frees. Unsent changes take two
/// questions.
async function deleteMap(row) {
  const preview = await deletionPreview(row);
  if (!preview) return;
  if (preview.problem && !await confirmDiscarding(row, preview.problem)) return;
  if (!preview.problem && !await confirmDeletion(preview)) return;
  await attempt(async () => {
    await post("maps/delete", { id: row.id, discardingEdits: Boolean(preview.problem) });
    notify(t("maps.deleteDone", { title: row.title }), {
      actionLabel: t("common.undo"), action: () => restoreMap(row),
    });
  });
}

/// What a deletion frees, or the edits that would be lost; `null` if something else is in its way.
async function deletionPreview(row) {
  try {
    return await post("maps/deletion", { id: row.id });
  } catch (problem) {
    if (problem.actions?.some(({ kind }) => kind === "discardEdits")) return { problem };
    showProblem(problem);
    return null;
  }
}

function confirmDeletion({ title, byteCount }) {
  return confirm({
    title: t("maps.deleteTitle", { title }),
    body: t("maps.deleteText", { size: bytes(byteCount) }),
    label: t("maps.deleteConfirm"), kind: "danger",
  });
}

async function confirmDiscarding(row, problem) {
  const sentences = [problem.message, problem.suggestion].filter(Boolean);
  const first = await confirm({
    title: t("maps.deleteTitle", { title: row.title }),
    body: h("div", {}, sentences.map((text) => h("p", { text })),
      h("p", { text: t("maps.discardText") })),
    label: t("maps.discardConfirm"), kind: "danger",
  });
  if (!first) return false;
  return confirm({
    title: t("maps.reallyDiscardTitle"),
    body: t("maps.reallyDiscardText", { title: row.title }),
    label: t("maps.discardConfirm"), kind: "danger",
  });
}

/// Brings a deleted map back.
export function restoreMap({ id }) {
  return attempt(async () => {
    const { title } = await post("maps/undo-deletion", { id });
    notify(t("maps.restored", { title }));
  });
}
