// The bar of `preview`: how the package is whose specification is being edited, what is wrong with it,
// and a button that saves it.

import { saveFile } from "./api.js";
import { button, fill, h, setText } from "./dom.js";
import { subscribe } from "./events.js";
import { announce, attempt, notify, problemBox } from "./notices.js";
import { t } from "./texts.js";

/// A bar that is hidden unless a package is shown while it is edited.
export function createPreviewBar() {
  const state = h("span", { class: "demo-hint" });
  const save = button(t("preview.save"), "save", () => attempt(async () => {
    notify(t("save.done", { name: await saveFile("preview/save", {}) }));
  }), { class: "button small" });
  // It may be higher than there is room for, and is scrolled by keyboard.
  const details = h("div", {
    class: "preview-details", tabindex: "0", role: "group", "aria-label": t("preview.details"),
  });
  const element = h(
    "aside", { class: "demo-bar", "aria-label": t("preview.label"), hidden: true },
    h("span", { class: "demo-label", text: t("preview.label") }), state, save, details);
  let told = null;

  subscribe("preview", (preview) => {
    element.hidden = !preview;
    if (!preview) return;
    const text = stateText(preview);
    setText(state, text);
    save.hidden = !preview.canSave;
    const { problem, notes = [] } = preview;
    fill(
      details, problem ? problemBox(problem) : null,
      notes.length > 0 ? h("ul", {}, notes.map((note) => h("li", { text: note }))) : null);
    details.hidden = !problem && notes.length === 0;
    // Each change of a file makes the package again, which need not be read out.
    if (told !== null && told !== preview.state && preview.state !== "making") {
      announce(problem ? problem.message : text);
    }
    if (preview.state !== "making") told = preview.state;
  });
  return element;
}

function stateText({ state, specification, title }) {
  if (state === "shown") return t("preview.shown", { title, specification });
  return t(state === "failed" ? "preview.failed" : "preview.making", { specification });
}
