// Short messages at the edge of the page, read out by screen readers.

import { route } from "./address.js";
import { button, h, iconButton } from "./dom.js";
import { current, subscribeToConnection } from "./events.js";
import { icon } from "./icons.js";
import { askForServer } from "./server-sign-in.js";
import { t } from "./texts.js";

/// Where on the page a person does what a problem asks for, by the kind of the next action.
const screensOfActions = {
  signIn: "#/sign-in", signInWithBrowser: "#/sign-in", freeSpace: "#/storage", repair: "#/storage",
  listDeleted: "#/storage", listKept: "#/storage", listJobs: "#/jobs", listMaps: "#/maps",
  listAreas: "#/maps", download: "#/maps", findWebMaps: "#/portal",
};

/// What may go better the next time.
const retriedActions = new Set(["retry", "goOnline"]);

/// How long texts are read out together, in milliseconds.
const togetherDuration = 300;
const beingTold = new Set();

const durations = { plain: 6000, action: 10000 };

/// How long a problem was seen that is not taken along to another screen, in milliseconds.
const seenDuration = 3000;

const messages = h("div", { class: "notices", role: "region", "aria-label": t("app.notices") });
const politeRegion = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
const urgentRegion = h("div", { class: "visually-hidden", role: "alert" });

/// Adds the regions to the page. That Portolan does not answer is no longer said once it does.
export function installNotices() {
  document.body.append(messages, politeRegion, urgentRegion);
  subscribeToConnection((connection) => {
    if (connection === "connected") removeUnanswered();
  });
}

/// Removes what says that Portolan does not answer.
function removeUnanswered() {
  for (const notice of messages.querySelectorAll("[data-code='not-running']")) notice.remove();
}

/// Reads a text out without showing it, after those that have just been told.
export function announce(text, { isUrgent = false } = {}) {
  const region = isUrgent ? urgentRegion : politeRegion;
  if (!beingTold.has(region)) {
    region.replaceChildren();
    beingTold.add(region);
    setTimeout(() => beingTold.delete(region), togetherDuration);
  }
  region.append(h("p", { text }));
}

/// Shows a message; with an action it stays longer.
export function notify(text, { actionLabel, action } = {}) {
  const notice = addNotice("info", [h("p", { text })], action ? [{ label: actionLabel, action }] : []);
  announce(text);
  removeLater(notice, action ? durations.action : durations.plain);
}

/// Shows that something goes on that takes its time, until it ends. Returns { update(fraction), remove }.
export function showProgress(text) {
  const bar = h("progress", { max: "1", "aria-label": text });
  const notice = addNotice("running", [h("p", { text }), bar], []);
  notice.querySelector(".icon-button").remove();
  announce(text);
  return { update: (fraction) => { bar.value = fraction; }, remove: () => notice.remove() };
}

/// Shows what went wrong, until it is dismissed. A cancellation is not shown. `again` does the same once more, where
/// that may help; `others` are further ways out, as { label, action }.
export function showProblem(problem, again = null, others = []) {
  if (problem.kind === "cancellation") return;
  if (!("kind" in problem)) console.error(problem);
  const texts = [h("p", { class: "notice-title", text: problem.message })];
  if (problem.suggestion) texts.push(h("p", { text: problem.suggestion }));
  const next = nextAction(problem);
  const ways = [...others];
  if (next) ways.push({
    label: t(`next.${next.kind}`), action: () => { location.hash = screensOfActions[next.kind]; },
  });
  if (hostOf(problem)) ways.push({ label: t("next.signInToServer"), action: () => signInFor(problem, again) });
  if (again && isWorthRetrying(problem)) ways.push({ label: t("common.retry"), action: again });
  const notice = addNotice("problem", texts, ways);
  if (problem.code) notice.dataset.code = problem.code;
  announce([problem.message, problem.suggestion].filter(Boolean).join(" "), { isUrgent: true });
}

/// The first thing to do about a problem that another screen is for.
function nextAction({ kind, actions = [] }) {
  const all = kind === "signIn" ? [...actions, { kind: "signIn" }] : actions;
  return all.find((action) => {
    const screen = screensOfActions[action.kind];
    return screen && route(screen).name !== route().name;
  });
}

/// The host that wants a sign-in, if it may be a server with accounts of its own: that of the portal has a screen, as has
/// what the one for signing in shows.
function hostOf({ actions = [] }) {
  if (route().name === "sign-in") return null;
  const host = actions.find(({ kind, subject }) => kind === "signIn" && subject)?.subject ?? null;
  return isOfPortal(host) ? null : host;
}

/// Whether a host is that of the portal in use, which has a sign-in of its own.
export function isOfPortal(host) {
  const portal = current("session")?.portal;
  return Boolean(portal) && new URL(portal).hostname === host;
}

/// Signs in to the server that has refused something for want of that, and does it once more.
function signInFor(problem, again) {
  return signInToServer({ server: hostOf(problem), reason: problem.message }, again);
}

/// Asks for a person's account at a server as `askForServer` does, and does what it was lacking for once it is there.
export async function signInToServer(options, again = null) {
  const server = await askForServer(options);
  if (!server) return;
  notify(t("server.signedIn", { server }));
  if (again) await attempt(again);
}

/// Whether the same may succeed another time, as after an interruption.
function isWorthRetrying({ actions = [] }) {
  return actions.some(({ kind }) => retriedActions.has(kind));
}

/// Removes the problems that were seen on a screen which is left now.
export function dismissSeen() {
  for (const notice of messages.querySelectorAll(".problem")) {
    if (Date.now() - Number(notice.dataset.since) > seenDuration) notice.remove();
  }
}

/// Runs an action and shows its problem, if it has one, with a way to run it again where that may help. Returns its
/// value, or `undefined`.
export async function attempt(action) {
  try {
    const value = await action();
    removeUnanswered();
    return value;
  } catch (problem) {
    showProblem(problem, () => attempt(action));
    return undefined;
  }
}

/// `ways` are what can be done about it: [{ label, action }].
function addNotice(kind, texts, ways) {
  const key = texts.map((text) => text.textContent).join("\n");
  for (const other of [...messages.children]) {
    if (other.dataset.key === key || other.classList.contains("info")) other.remove();
  }
  const notice = h("div", { class: `notice ${kind}`, data: { key, since: String(Date.now()) } });
  const controls = ways.map(({ label, action }) => button(label, null, () => {
    dismiss(notice);
    return action();
  }, { class: "button small" }));
  const isProblem = kind === "problem";
  // A problem takes several lines, below which they have room.
  notice.append(icon(isProblem ? "warning" : "info"), h(
    "div", { class: "notice-text" }, texts,
    isProblem && controls.length > 0 ? h("div", { class: "actions" }, controls) : null));
  if (!isProblem) notice.append(...controls);
  notice.append(iconButton(t("app.dismiss"), "close", () => dismiss(notice)));
  messages.append(notice);
  const others = messages.querySelectorAll(".notice:not(.running)");
  for (let index = 0; index < others.length - 3; index += 1) others[index].remove();
  return notice;
}

/// Removes a notice that a person is done with. The focus goes to the latest of the others, else to the screen.
function dismiss(notice) {
  const hadFocus = notice.contains(document.activeElement);
  notice.remove();
  if (!hadFocus) return;
  const next = messages.querySelector(".notice:last-child .icon-button") ?? document.querySelector("main");
  next?.focus({ preventScroll: true });
}

/// Removes the notice after a time in which it neither had the focus nor a pointer that was moved to it: one that was
/// where the notice appeared, as after a tap, is not there for its sake.
function removeLater(notice, duration) {
  let isPointedAt = false;
  notice.addEventListener("pointermove", ({ pointerType }) => { isPointedAt = pointerType !== "touch"; });
  const check = () => {
    if (notice.matches(":focus-within") || (isPointedAt && notice.matches(":hover"))) setTimeout(check, 2000);
    else notice.remove();
  };
  setTimeout(check, duration);
}

/// A problem inside a screen, such as the reason why a list could not be loaded, with the way to the
/// screen where something can be done about it. `again` does the same once more, where that may help.
export function problemBox(problem, actions = [], again = null) {
  const ways = [...actions];
  const next = nextAction(problem);
  if (next) ways.push(h("a", {
    class: "button", href: screensOfActions[next.kind], text: t(`next.${next.kind}`),
  }));
  if (hostOf(problem)) ways.push(button(t("next.signInToServer"), "signIn", () => signInFor(problem, again)));
  if (again && isWorthRetrying(problem)) ways.push(button(t("common.retry"), "refresh", again));
  return h(
    "div", { class: "problem-box" }, icon("warning"),
    h("div", {},
      h("p", { class: "notice-title", text: problem.message }),
      problem.suggestion ? h("p", { text: problem.suggestion }) : null,
      ways.length ? h("div", { class: "actions" }, ways) : null));
}
