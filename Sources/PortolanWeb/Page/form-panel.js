// The form that adds a feature or changes one.

import { post } from "./api.js";
import { button, confirm, fill, h, runBusy } from "./dom.js";
import { createFormField, shownText } from "./form-fields.js";
import { createPanel } from "./map-panel.js";
import { announce, attempt, showProblem } from "./notices.js";
import { partsOf } from "./shape-parts.js";
import { t } from "./texts.js";

/// Returns { element, focus, isChanged, close, abandon, draft, draw(parts) }; `close` asks if there are changes and gives
/// whether it closed, `abandon` does not ask, `draft` is what was entered, and `draw` goes on drawing.
///
/// - geometry: the layer's kind of shape, or `null`.
/// - notes: what is said beside fields, by their names.
/// - actions: draw(parts, title, isBegun) giving parts or `null`, submitted(answer, form), cancelled(),
///   conflicted(problem) where somebody else has changed the same, and preview(geometry).
export function createFormPanel(initial, { title, geometry, notes = {} }, actions) {
  const panel = createPanel({ title, className: "form-panel", onClose: cancel });
  const shape = h("div", { class: "form-shape" });
  const template = h("div", {});
  const fields = h("div", { class: "stack" });
  const readOnly = h("div", {});
  const submitLabel = t(initial.purpose === "add" ? "form.submitAdd" : "form.submitUpdate");
  const submit = button(submitLabel, "accept", () => save(), {
    class: "button primary", type: "submit",
  });
  const form = h(
    "form", { class: "stack", novalidate: true }, template, shape, fields, readOnly,
    h("div", { class: "actions sticky" }, submit, button(t("form.cancel"), null, cancel)));
  panel.setContent(form);
  form.addEventListener("submit", (event) => event.preventDefault());
  let state = initial;
  let queue = Promise.resolve();
  let waitingCount = 0;
  let isAbandoned = false;
  let controls = new Map();
  /// What was entered in controls that others have taken the place of, by the names of the fields.
  const entered = new Map(initial.entered ?? []);
  drawAll();

  function drawAll() {
    controls = new Map();
    const hasChoice = initial.templates.length > 1 && state.purpose === "add";
    fill(template, hasChoice ? templateChoice() : null);
    fill(fields, state.fields.filter((field) => field.editable).map(drawField));
    drawShape();
    drawReadOnly();
  }

  function drawField(field) {
    const send = (entry) => enqueue("map/form-set", { field: field.name, ...entry, form: initial.form });
    const own = createFormField(field, send, notes[field.name]);
    controls.set(field.name, own);
    return own.element;
  }

  /// Takes over a field as it is now, in another control where it takes other values than before.
  function updateField(field) {
    const own = controls.get(field.name);
    if (!own || own.fits(field) || !own.isSent()) {
      own?.update(field);
      return;
    }
    if (own.isChanged()) entered.set(field.name, own.entry());
    const hadFocus = document.activeElement === own.control;
    own.element.replaceWith(drawField(field));
    if (hadFocus) controls.get(field.name).control.focus();
  }

  function drawShape() {
    actions.preview(state.geometry);
    if (!geometry) return;
    fill(
      shape, h("span", { text: t(state.geometry ? "form.shapeDrawn" : "form.noShape") }),
      drawButton());
  }

  function drawButton() {
    const label = t(state.geometry ? "form.redraw" : "form.draw");
    return button(label, "edit", () => draw(), { class: "button small" });
  }

  function drawReadOnly() {
    const locked = state.fields.filter((field) => !field.editable && field.text);
    fill(readOnly, locked.length === 0 ? null : h(
      "details", {}, h("summary", { text: t("form.readOnly") }),
      h("dl", { class: "popup-fields" }, locked.map((field) => h(
        "div", {}, h("dt", { text: field.label }),
        h("dd", {}, shownText(field), readOnlyHint(field)))))));
  }

  function templateChoice() {
    const groupName = t("form.template");
    const select = h(
      "select", { "aria-label": groupName },
      h("option", { value: "", text: t("form.chooseTemplate") }),
      initial.templates.map((name) => h("option", {
        value: name, text: name, selected: name === initial.chosenTemplate,
      })));
    select.addEventListener("change", () => select.value && chooseTemplate(select));
    return h("div", { class: "field" }, h("span", { class: "label", text: groupName }), select);
  }

  /// Begins with a template, after what was entered before it was chosen, which it takes the place of.
  async function chooseTemplate(select) {
    const name = select.value;
    if (!await enqueue("map/form-template", { name, form: initial.form })) {
      select.value = initial.chosenTemplate ?? "";
      return;
    }
    initial.chosenTemplate = name;
    entered.clear();
    // What is entered by now stays.
    if (waitingCount === 0 && [...controls.values()].every((control) => control.isSent())) drawAll();
  }

  /// Sends what was entered in order, one request after the other, and tells whether it has arrived.
  /// Only the last answer is drawn: those before do not know yet what was entered meanwhile, and would
  /// take it away.
  function enqueue(name, body) {
    waitingCount += 1;
    queue = queue.then(async () => {
      state = await post(name, body).finally(() => { waitingCount -= 1; });
      if (waitingCount > 0) return true;
      state.fields.forEach(updateField);
      drawShape();
      return true;
    }).catch((problem) => {
      if (!isAbandoned) showProblem(problem);
      return false;
    });
    return queue;
  }

  async function draw(begun = null) {
    const parts = await actions.draw(begun ?? (state.geometry ? partsOf(state.geometry) : []), title, begun !== null);
    if (parts) await enqueue("map/form-draw", { parts, form: initial.form });
  }

  function save() {
    return runOnce(async () => {
      for (const control of controls.values()) control.flush();
      await queue;
      // The problem is shown already; nothing older is stored in its place.
      const unsent = [...controls.values()].find((control) => !control.isSent());
      if (unsent) {
        if (unsent.isUnreadable()) announce(t("form.problemsAbove"), { isUrgent: true });
        return unsent.control.focus();
      }
      if (!state.canSubmit) return showFirstProblem();
      try {
        actions.submitted(await post("map/form-submit", { form: initial.form }), state);
      } catch (problem) {
        if (problem.code === "changed-meanwhile") actions.conflicted(problem);
        else showProblem(problem, save);
      }
      return undefined;
    });
  }

  /// What was entered, with what was there before, so that it can be entered once more: { template, changes, parts }.
  function draft() {
    const texts = new Map((initial.original ?? initial.fields).map((field) => [field.name, field.text]));
    const latest = new Map(entered);
    for (const [name, control] of controls) if (control.isChanged()) latest.set(name, control.entry());
    const changes = [...latest].map(([name, entry]) => ({ name, ...entry, before: texts.get(name) ?? null }));
    const isDrawn = JSON.stringify(state.geometry) !== JSON.stringify(initial.originalGeometry ?? initial.geometry);
    return {
      template: initial.chosenTemplate ?? null, changes,
      parts: state.geometry && (isDrawn || initial.purpose === "add") ? partsOf(state.geometry) : null,
    };
  }

  function showFirstProblem() {
    const field = state.fields.find((entry) => entry.problem)
      ?? state.fields.find((entry) => entry.required && !entry.text);
    const control = controls.get(field?.name)?.control;
    announce(t("form.problemsAbove"), { isUrgent: true });
    if (control) control.focus();
    else if (geometry && !state.geometry) shape.querySelector("button")?.focus();
  }

  async function cancel() {
    for (const control of controls.values()) control.flush();
    await queue;
    if (state.isChanged && !await confirm({
      title: t("form.discardTitle"), body: t("form.discardText"), label: t("form.discard"),
      kind: "danger",
    })) return false;
    await attempt(abandon);
    actions.cancelled();
    return true;
  }

  /// Forgets the form without a question.
  function abandon() {
    isAbandoned = true;
    return post("map/form-cancel", { form: initial.form });
  }

  const runOnce = (action) => runBusy(form, action);
  return {
    element: panel.element, close: cancel, abandon, draft, draw,
    isChanged: () => state.isChanged || waitingCount > 0
      || [...controls.values()].some((control) => !control.isSent()),
    focus: () => {
      const first = form.querySelector("input, select, textarea");
      if (first) first.focus();
      else panel.focus();
    },
  };
}

function readOnlyHint({ readOnlyReason }) {
  return readOnlyReason ? h("span", { class: "hint", text: ` ${readOnlyReason}` }) : null;
}
