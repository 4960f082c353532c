// Shares a map of this device on the portal: asks how, and shows how far it is.

import { post } from "./api.js";
import { ask, h, labelled, setText } from "./dom.js";
import { subscribe } from "./events.js";
import { bytes } from "./format.js";
import { announce, notify } from "./notices.js";
import { t } from "./texts.js";

/// Who may see what is shared; the first stands for what the portal does unless told.
const accesses = ["", "private", "org", "public"];

/// Asks how a stored map is to be shared, and shares it; `showRefusal(problem, row, again)` shows why it cannot be.
export async function shareMap({ id, title }, showRefusal) {
  const form = createForm(title);
  const isWanted = await ask({
    title: t("share.title", { title }), body: form.element,
    choices: [
      { value: false, label: t("common.cancel") },
      { value: true, label: t("share.submit"), kind: "primary" },
    ],
  });
  if (isWanted) await share({ id, title }, form.value(), showRefusal);
}

async function share({ id, title }, options, showRefusal) {
  const progress = showProgress(title);
  try {
    const result = await post("maps/share", { id, ...options });
    const key = result.replaced ? "share.replaced" : "share.done";
    const refused = result.notSharedWith.map((group) => t("share.refused", { group }));
    notify([t(key, { title: result.title }), ...refused].join(" "));
  } catch (problem) {
    showRefusal(problem, { id }, () => share({ id, title }, options, showRefusal));
  } finally {
    progress.close();
  }
}

function createForm(title) {
  const name = h("input", { type: "text", value: title, autocomplete: "off" });
  const summary = h("input", { type: "text", autocomplete: "off" });
  const tags = h("input", { type: "text", autocomplete: "off" });
  const groups = h("input", { type: "text", autocomplete: "off" });
  const access = h("select", {}, accesses.map((value) =>
    h("option", { value, text: t(`share.access.${value || "unchanged"}`) })));
  const overwrite = h("input", { type: "checkbox" });
  const element = h(
    "div", { class: "stack" }, h("p", { text: t("share.text") }),
    labelled(t("share.name"), name), labelled(t("share.summary"), summary),
    labelled(t("share.tags"), tags, t("share.commas")), labelled(t("share.access"), access),
    labelled(t("share.groups"), groups, t("share.groupsHint")),
    h("label", { class: "check" }, overwrite, h("span", { text: t("share.overwrite") })));
  const value = () => ({
    title: name.value.trim() || title, summary: summary.value.trim() || null,
    tags: words(tags), groups: words(groups), access: access.value, overwrite: overwrite.checked,
  });
  return { element, value };
}

/// What is written in a field, separated by commas.
function words(field) {
  return field.value.split(",").map((word) => word.trim()).filter(Boolean);
}

/// A dialog with how far it is; sharing goes on when it is closed.
function showProgress(title) {
  const bar = h("progress", { max: "1", "aria-label": t("share.running", { title }) });
  const facts = h("p", { class: "hint", text: t("share.writing") });
  const body = h("div", { class: "stack" }, bar, facts);
  announce(t("share.running", { title }));
  const unsubscribe = subscribe("sharing", (state) => {
    if (!state?.totalBytes) return;
    bar.value = state.bytes / state.totalBytes;
    setText(facts, t("share.sent", {
      done: bytes(state.bytes), total: bytes(state.totalBytes),
    }));
  });
  ask({
    title: t("share.running", { title }), body,
    choices: [{ value: null, label: t("share.hide"), isDefault: true }],
  });
  const close = () => {
    unsubscribe();
    body.closest("dialog")?.querySelector(".actions button")?.click();
  };
  return { close };
}
