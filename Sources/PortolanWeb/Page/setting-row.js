// A setting with its value, where that comes from, and what is wrong with what was typed.

import { post } from "./api.js";
import { button, h, newID, setText } from "./dom.js";
import { attempt, notify } from "./notices.js";
import { t, textOr } from "./texts.js";

/// Where a value comes from that is not changed here: it wins over the file.
const outside = ["environment", "flag"];

/// Returns { element, update(setting), isChanged(), store(), focus() }; `store` gives whether the value
/// was accepted.
export function createSettingRow(initial) {
  const { key } = initial;
  const name = textOr(`setting.${key}`, key);
  const control = controlFor(initial);
  const hint = h("span", { class: "hint", id: newID("hint"), text: hintFor(initial) });
  const origin = h("span", { class: "hint", id: newID("origin") });
  const problem = h("span", { class: "field-problem", id: newID("problem"), hidden: true });
  const reset = button(t("settings.useDefault"), "undo", () => attempt(useDefault), {
    class: "button small",
    "aria-label": t("action.of", { action: t("settings.useDefault"), title: name }),
  });
  control.id = newID("setting");
  control.setAttribute("aria-describedby", [hint, origin, problem].map(({ id }) => id).join(" "));
  const element = h("div", { class: "field setting" },
    h("label", { for: control.id, text: name }), control, hint, origin, problem,
    h("div", { class: "actions" }, reset));
  let setting = initial;
  let known = null;

  function update(latest) {
    setting = latest;
    setText(origin, originOf(setting));
    control.disabled = outside.includes(setting.origin);
    reset.hidden = setting.origin !== "file";
    // What is being typed stays, whatever another page has stored.
    if (!isChanged()) show(setting);
  }

  function show(latest) {
    control.value = textOf(latest);
    known = control.value;
    setProblem("");
  }

  function setProblem(message) {
    setText(problem, message);
    problem.hidden = !message;
    if (message) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }

  function isChanged() {
    return known !== null && !control.disabled && (control.value !== known || isUnreadable());
  }

  /// Whether the browser cannot read what is being typed, such as half a number, and takes it for nothing.
  function isUnreadable() {
    return control.validity.badInput;
  }

  async function store() {
    if (isUnreadable()) {
      setProblem(t("form.incomplete"));
      return false;
    }
    const sent = typed();
    try {
      take(await post("settings/set", { key, value: control.value.trim() }), sent);
      return true;
    } catch (reason) {
      setProblem([reason.message, reason.suggestion].filter(Boolean).join(" "));
      return false;
    }
  }

  async function useDefault() {
    const before = typed();
    take(await post("settings/unset", { key }), before);
    notify(t("settings.defaultHolds", { name, value: setting.text || t("settings.nothing") }));
    // The button has just gone.
    control.focus();
  }

  /// What is in the control, to be compared.
  function typed() {
    return JSON.stringify([control.value, isUnreadable()]);
  }

  /// Shows what holds after a change. What was typed since the control held what was sent stays, as the next change.
  function take({ settings }, sent) {
    const isLater = typed() !== sent;
    update(settings.find((each) => each.key === key));
    if (!isLater) {
      show(setting);
      return;
    }
    known = textOf(setting);
    setProblem("");
  }

  return { element, update, isChanged, store, focus: () => control.focus() };
}

/// What the control of a setting holds while nothing else is typed.
function textOf({ kind, text }) {
  return kind === "list" ? text.split(",").join(", ") : text;
}

function controlFor({ key, kind, least, most, choices, required }) {
  if (kind === "choice") {
    return h("select", { name: key }, choices.map((value) =>
      h("option", { value, text: textOr(`setting.${key}.${value}`, value) })));
  }
  const common = { name: key, autocomplete: "off", spellcheck: "false", autocapitalize: "none" };
  return kind === "number" ? h("input", { ...common, type: "number", min: least, max: most, step: 1 })
    : h("input", { ...common, type: "text", "aria-required": required ? "true" : null });
}

function hintFor({ key, summary, kind, least, most, holdsAtOnce }) {
  return [
    textOr(`setting.${key}.hint`, summary),
    kind === "number" ? t("form.range", { minimum: least, maximum: most }) : null,
    holdsAtOnce ? null : t("settings.atNextStart"),
  ].filter(Boolean).join(" ");
}

function originOf({ origin, variable, defaultText }) {
  switch (origin) {
    case "environment": return t("settings.origin.environment", { variable });
    case "flag": return t("settings.origin.flag");
    case "file": return defaultText ? t("settings.origin.file", { value: defaultText })
      : t("settings.origin.fileOnly");
    default: return t("settings.origin.default");
  }
}
