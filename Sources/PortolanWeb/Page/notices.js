// Short messages at the edge of the page, read out by screen readers.

import { button, h, iconButton } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";

/// Where on the page a person does what a problem asks for, by the kind of the next action.
const screensOfActions = {
  signIn: "#/sign-in", signInWithBrowser: "#/sign-in", freeSpace: "#/storage", repair: "#/storage",
  listDeleted: "#/storage", listKept: "#/storage", listJobs: "#/jobs", listMaps: "#/maps",
  listAreas: "#/maps", download: "#/maps", findWebMaps: "#/portal",
};

/// How long texts are read out together, in milliseconds.
const togetherDuration = 300;
const beingTold = new Set();

const durations = { plain: 6000, action: 10000 };

const messages = h("div", { class: "notices", role: "region", "aria-label": t("app.notices") });
const politeRegion = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
const urgentRegion = h("div", { class: "visually-hidden", role: "alert" });

/// Adds the regions to the page.
export function installNotices() {
  document.body.append(messages, politeRegion, urgentRegion);
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
  const notice = addNotice("info", [h("p", { text })], actionLabel, action);
  announce(text);
  removeLater(notice, action ? durations.action : durations.plain);
}

/// Shows what went wrong, until it is dismissed. A cancellation is not shown.
export function showProblem(problem) {
  if (problem.kind === "cancellation") return;
  if (!("kind" in problem)) console.error(problem);
  const texts = [h("p", { class: "notice-title", text: problem.message })];
  if (problem.suggestion) texts.push(h("p", { text: problem.suggestion }));
  const next = nextAction(problem);
  addNotice("problem", texts, next ? t(`next.${next.kind}`) : null, () => {
    location.hash = screensOfActions[next.kind];
  });
  announce([problem.message, problem.suggestion].filter(Boolean).join(" "), { isUrgent: true });
}

/// The first thing to do about a problem that another screen is for.
function nextAction({ kind, actions = [] }) {
  const all = kind === "signIn" ? [...actions, { kind: "signIn" }] : actions;
  return all.find((action) => {
    const screen = screensOfActions[action.kind];
    return screen && screen !== location.hash;
  });
}

/// Runs an action and shows its problem, if it has one. Returns its value, or `undefined`.
export async function attempt(action) {
  try {
    return await action();
  } catch (problem) {
    showProblem(problem);
    return undefined;
  }
}

function addNotice(kind, texts, actionLabel, action) {
  const key = texts.map((text) => text.textContent).join("\n");
  for (const other of [...messages.children]) {
    if (other.dataset.key === key || other.classList.contains("info")) other.remove();
  }
  const notice = h("div", { class: `notice ${kind}`, data: { key } });
  notice.append(
    icon(kind === "problem" ? "warning" : "info"), h("div", { class: "notice-text" }, texts));
  if (actionLabel) {
    notice.append(button(actionLabel, null, () => {
      notice.remove();
      return action();
    }, { class: "button small" }));
  }
  notice.append(iconButton(t("app.dismiss"), "close", () => notice.remove()));
  messages.append(notice);
  while (messages.children.length > 3) messages.firstElementChild.remove();
  return notice;
}

/// Removes the notice after a time in which it neither had the focus nor the pointer.
function removeLater(notice, duration) {
  setTimeout(() => {
    if (notice.matches(":hover, :focus-within")) removeLater(notice, 2000);
    else notice.remove();
  }, duration);
}

/// A problem inside a screen, such as the reason why a list could not be loaded, with the way to the
/// screen where something can be done about it.
export function problemBox(problem, actions = []) {
  const next = nextAction(problem);
  const ways = next ? [...actions, h("a", {
    class: "button", href: screensOfActions[next.kind], text: t(`next.${next.kind}`),
  })] : actions;
  return h(
    "div", { class: "problem-box" }, icon("warning"),
    h("div", {},
      h("p", { class: "notice-title", text: problem.message }),
      problem.suggestion ? h("p", { text: problem.suggestion }) : null,
      ways.length ? h("div", { class: "actions" }, ways) : null));
}
