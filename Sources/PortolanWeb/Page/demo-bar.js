// The bar of demo mode: what to try next, and buttons that cut the network and restore it.

import { post } from "./api.js";
import { button, h, setText } from "./dom.js";
import { current, subscribe } from "./events.js";
import { attempt, notify } from "./notices.js";
import { t } from "./texts.js";

/// A bar that is hidden unless Portolan runs as a demo.
export function createDemoBar() {
  const hint = h("span", { class: "demo-hint" });
  const cut = button(t("demo.cut"), "offline", () => attempt(async () => {
    await post("network/cut");
    notify(t("demo.cutDone"));
  }), { class: "button small", hidden: true });
  const restore = button(t("demo.restore"), "refresh", () => attempt(async () => {
    await post("network/restore");
    notify(t("demo.restoreDone"));
  }), { class: "button small", hidden: true });
  const element = h(
    "aside", { class: "demo-bar", "aria-label": t("demo.label"), hidden: true },
    h("span", { class: "demo-label", text: t("demo.label") }), hint, cut, restore);
  const update = () => {
    const demo = current("hello")?.demo;
    element.hidden = !demo;
    if (!demo) return;
    setText(hint, nextStep(demo));
    if (demo.canCutNetwork) exchange(...isOnline() ? [restore, cut] : [cut, restore]);
  };
  for (const name of ["hello", "session", "network", "maps", "map"]) subscribe(name, update);
  return element;
}

/// Shows a button in the place of another one; the focus goes along.
function exchange(hidden, shown) {
  const hadFocus = hidden === document.activeElement;
  shown.hidden = false;
  hidden.hidden = true;
  if (hadFocus) shown.focus({ preventScroll: true });
}

function isOnline() {
  return current("network")?.online !== false;
}

function nextStep(demo) {
  const rows = current("maps")?.items ?? [];
  if (!isOnline()) return t(current("map") ? "demo.stepIdentify" : "demo.stepOpen");
  if (rows.some((row) => row.state === "stored")) return t("demo.stepCut");
  if (rows.some((row) => row.state === "downloading")) return t("demo.stepWait");
  if (current("session")?.phase === "signedIn") return t("demo.stepDownload");
  return t("demo.stepSignIn", demo.accounts[0] ?? { username: "", password: "" });
}
