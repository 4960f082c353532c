// The fields of a feature form.

import { h, newID, setText } from "./dom.js";
import { enteredNumber, moment, plainNumber, timeZone } from "./format.js";
import { t } from "./texts.js";

/// The most characters that are entered in a single line.
const longestLine = 150;

/// Returns { element, control, update(field), rebase(field, isOwn), fits(field), flush, isSent, isUnreadable, isChanged,
/// entry, enter(value) }.
/// `send(entry)` is called with what was entered, { text, isCode }, and tells whether it has arrived; until then it stays,
/// whatever `update` brings. `note` is said beside the field. `fits` is whether the control is still right for the field,
/// which takes other values with another subtype.
export function createFormField(field, send, note = null) {
  const control = controlFor(field);
  const hint = h("span", { class: "hint", id: newID("hint"), text: [note, hintFor(field)].filter(Boolean).join(" ") });
  const problem = h("span", { class: "field-problem", id: newID("problem") });
  control.id = newID("form");
  control.setAttribute("aria-describedby", `${hint.id} ${problem.id}`);
  if (field.required) control.setAttribute("aria-required", "true");
  const label = h("label", { for: control.id }, field.label,
    field.required ? h("span", { class: "required", text: ` (${t("form.required")})` }) : null);
  const element = h("div", { class: "field" }, label, control, hint, problem);
  hint.hidden = !hint.textContent;
  const drawn = kindOfControl(field);
  let timer = null;
  let lastSent = control.value;
  let told = null;

  /// Sends what was entered. What the browser cannot read, such as half a date, would be sent as no value: that it is
  /// incomplete is said once a person has left the field.
  function flush({ hasLeft = true } = {}) {
    clearTimeout(timer);
    if (isUnreadable()) {
      if (hasLeft) showProblem(t("form.incomplete"));
      return;
    }
    showProblem(told);
    if (control.value === lastSent) return;
    const sent = control.value;
    lastSent = sent;
    send(entryOf(control, sent)).then((hasArrived) => {
      // What did not arrive is sent again.
      if (!hasArrived && lastSent === sent) lastSent = null;
    });
  }

  control.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => flush({ hasLeft: false }), 350);
  });
  control.addEventListener("change", () => flush({ hasLeft: false }));
  control.addEventListener("blur", () => flush());

  function isUnreadable() {
    return control.validity?.badInput === true;
  }

  function showProblem(text) {
    setText(problem, text ?? "");
    problem.hidden = !text;
    if (text) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }

  function update(latest) {
    told = latest.problem;
    if (isUnreadable()) return;
    showProblem(told);
    if (document.activeElement === control || latest.problem || !isSent()) return;
    setValue(control, latest);
    lastSent = control.value;
  }

  /// Begins anew with what the field holds now. What a person has entered stays, as a change of that.
  function rebase(latest, isOwn = !isSent()) {
    told = latest.problem;
    if (!isOwn) setValue(control, latest);
    if (!isUnreadable()) showProblem(told);
    first = isOwn ? controlFor(latest).value : control.value;
    lastSent = first;
  }

  function isSent() {
    return lastSent === control.value && !isUnreadable();
  }

  /// What was entered last that the browser can read.
  function readable() {
    return isUnreadable() ? lastSent ?? first : control.value;
  }

  /// Enters what another control of the field has held, if this one can hold it.
  function enter(value) {
    const before = control.value;
    control.value = value;
    if (control.value !== value) control.value = before;
  }

  update(field);
  let first = control.value;
  return {
    element, control, update, rebase, flush, isUnreadable, isSent, fits: (latest) => kindOfControl(latest) === drawn,
    isChanged: () => readable() !== first, entry: () => entryOf(control, readable()), enter,
  };
}

/// What the control, its label and its hint are made of, to be compared.
function kindOfControl({ label, type, choices, range, length, required, timeZoneUnknown }) {
  return JSON.stringify([label, type, choices, range, length, required, timeZoneUnknown]);
}

/// The kind of a field's type, whatever way it is written.
function kindOf({ type }) {
  const name = (type ?? "").replace(/^esriFieldType/i, "").toLowerCase();
  if (name === "date") return "moment";
  if (name === "dateonly") return "day";
  if (name === "timeonly") return "time";
  if (name.includes("integer") || name === "oid") return "integer";
  if (["double", "single"].includes(name)) return "number";
  return "text";
}

function controlFor(field) {
  if (field.choices?.length) return choiceControl(field);
  const kind = kindOf(field);
  const type = { moment: "datetime-local", day: "date", time: "time" }[kind] ?? "text";
  const isLong = kind === "text" && (field.length > longestLine || field.text?.includes("\n"));
  const control = isLong ? h("textarea", { rows: 3 }) : h("input", { type, autocomplete: "off" });
  if (kind === "moment") control.step = "1";
  if (kind === "integer") control.inputMode = "numeric";
  if (kind === "number") control.inputMode = "decimal";
  if (kind === "text" && field.length > 0) control.maxLength = field.length;
  control.dataset.kind = kind;
  control.dataset.zone = field.timeZoneUnknown ? "unknown" : "";
  setValue(control, field);
  return control;
}

function choiceControl(field) {
  const control = h(
    "select", { data: { kind: "choice" } },
    h("option", { value: "", text: t(field.required ? "form.choose" : "form.none") }),
    field.choices.map(({ code, name }) => h("option", { value: String(code), text: name })));
  setValue(control, field);
  return control;
}

function setValue(control, field) {
  const text = field.text ?? "";
  if (control.dataset.kind === "choice") setChoice(control, field, text);
  else if (control.dataset.kind !== "moment") control.value = text;
  else control.value = control.dataset.zone === "unknown" ? storedMoment(text) : localMoment(text);
}

/// What a field holds that cannot be changed, as popups show it: moments in the reader's time zone, or as they are
/// stored if theirs is unknown.
export function shownText(field) {
  const zone = field.timeZoneUnknown ? "UTC" : undefined;
  return (kindOf(field) === "moment" && moment(field.text, zone)) || field.text;
}

/// A moment whose time zone is unknown as the control takes it: as it is stored, without milliseconds; empty for none.
function storedMoment(text) {
  const date = new Date(text);
  return !text || Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 19);
}

/// A moment as the control for dates and times takes it: in the reader's time zone, without milliseconds;
/// empty for none.
function localMoment(text) {
  const date = new Date(text);
  if (!text || Number.isNaN(date.getTime())) return "";
  const digits = (value, length = 2) => String(value).padStart(length, "0");
  const day = [digits(date.getFullYear(), 4), digits(date.getMonth() + 1), digits(date.getDate())];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => digits(value));
  return `${day.join("-")}T${time.join(":")}`;
}

/// Selects a value by its code, else by its name, which several may have; one that is not in the list is added, not lost.
function setChoice(control, { choices, value }, text) {
  const choice = choices.find(({ code }) => code === value) ?? choices.find(({ name }) => name === text)
    ?? choices.find(({ code }) => String(code) === text);
  if (!choice && text && ![...control.options].some((option) => option.value === text)) {
    control.append(h("option", { value: text, text }));
  }
  control.value = choice ? String(choice.code) : text;
}

/// What stands for a value of a control. What was chosen from a list is its code, which may be the name of another.
function entryOf({ dataset }, value) {
  return { text: textFrom(dataset, value), isCode: dataset.kind === "choice" };
}

/// What is sent for what a control holds; moments are in UTC.
function textFrom({ kind, zone }, value) {
  if (["number", "integer"].includes(kind)) return enteredNumber(value);
  if (kind !== "moment" || !value) return value;
  // Without a zone it is one of the reader's, unless the time zone is unknown.
  const date = new Date(value + (zone === "unknown" ? "Z" : ""));
  return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

function hintFor(field) {
  if (field.choices?.length) return "";
  const hints = [];
  if (kindOf(field) === "moment" && !field.timeZoneUnknown) hints.push(t("form.timeZone", { zone: timeZone() }));
  const [minimum, maximum] = field.range ?? [];
  const hasMinimum = Number.isFinite(minimum);
  const hasMaximum = Number.isFinite(maximum);
  const limits = { minimum: plainNumber(minimum), maximum: plainNumber(maximum) };
  if (hasMinimum && hasMaximum) hints.push(t("form.range", limits));
  else if (hasMinimum) hints.push(t("form.atLeast", limits));
  else if (hasMaximum) hints.push(t("form.atMost", limits));
  return hints.join(" ");
}
