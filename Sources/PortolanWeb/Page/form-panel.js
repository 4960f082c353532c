// The form that adds a feature or changes one.

import { post } from "./api.js";
import { arrange, button, confirm, fill, h, runBusy, setText } from "./dom.js";
import { createFormField, shownText } from "./form-fields.js";
import { createPanel } from "./map-panel.js";
import { announce, attempt, showProblem } from "./notices.js";
import { partsOf } from "./shape-parts.js";
import { t } from "./texts.js";

/// Returns { element, focus, isChanged, isStored, close, abandon, draft, draw(parts), hasMore, resume(form, title) }; `close`
/// asks if there are changes and gives whether it closed, `abandon` does not ask, `draft` is what was entered, and `draw`
/// goes on drawing. `hasMore` is whether more was entered while the form was being stored; it `isStored` until `resume`
/// goes on with that in another form for the same feature.
///
/// - geometry: the layer's kind of shape, or `null`.
/// - notes: what is said beside fields, by their names.
/// - actions: draw(parts, title, isBegun) giving parts or `null`, submitted(answer, form), goOn() for another form where
///   that has failed before, cancelled(), conflicted(problem) where somebody else has changed the same, and
///   preview(geometry).
export function createFormPanel(begun, { title, geometry, notes = {} }, actions) {
  /// The form as it was opened, and as it is now.
  let initial = begun;
  let state = begun;
  let heading = title;
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
  let queue = Promise.resolve();
  let waitingCount = 0;
  let isAbandoned = false;
  let controls = new Map();
  /// What was entered in controls that others have taken the place of, by the names of the fields.
  const entered = new Map(initial.entered ?? []);
  /// What the controls held when the form was stored, by the names of the fields; `null` before.
  let stored = null;
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
    const send = (entry) => enqueue("map/form-set", { field: field.name, ...entry });
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
    const { selectionStart: start, selectionEnd: end } = own.control;
    own.element.replaceWith(drawField(field));
    if (!hadFocus) return;
    const { control } = controls.get(field.name);
    control.focus();
    if (Number.isInteger(start) && Number.isInteger(control.selectionStart)) control.setSelectionRange(start, end);
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
    if (!await enqueue("map/form-template", { name })) {
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
      // What is entered after all was stored is for the form that goes on with it.
      if (stored || isAbandoned) {
        waitingCount -= 1;
        return false;
      }
      state = await post(name, { ...body, form: initial.form }).finally(() => { waitingCount -= 1; });
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

  async function draw(drawn = null) {
    // A shape that is drawn while the form is being stored would be none of it.
    if (drawn === null && form.getAttribute("aria-busy") === "true") return;
    const parts = await actions.draw(drawn ?? (state.geometry ? partsOf(state.geometry) : []), heading, drawn !== null);
    if (parts) await enqueue("map/form-draw", { parts });
  }

  /// Sends what was entered, also meanwhile, until all has arrived, or something has not.
  async function sendAll() {
    let hasArrived = true;
    do {
      for (const control of controls.values()) control.flush();
      hasArrived = await queue !== false;
    } while (hasArrived && [...controls.values()].some((control) => !control.isSent() && !control.isUnreadable()));
  }

  function save() {
    return runOnce(async () => {
      if (stored) return actions.goOn();
      await sendAll();
      // The problem is shown already; nothing older is stored in its place.
      const unsent = [...controls.values()].find((control) => !control.isSent());
      if (unsent) {
        if (unsent.isUnreadable()) announce(t("form.problemsAbove"), { isUrgent: true });
        return unsent.control.focus();
      }
      if (!state.canSubmit) return showFirstProblem();
      try {
        const answer = await submitForm();
        await actions.submitted(answer, state);
      } catch (problem) {
        if (problem.code === "changed-meanwhile") actions.conflicted(problem);
        else showProblem(problem, save);
      }
      return undefined;
    });
  }

  /// Has the form stored. What is entered meanwhile waits until it is known whether the form is still there.
  function submitForm() {
    const held = new Map([...controls].map(([name, { control }]) => [name, control.value]));
    const answer = post("map/form-submit", { form: initial.form });
    queue = answer.then(() => { stored = held; }, () => {});
    return answer;
  }

  /// Whether a control holds something else than what was stored.
  function isLater([name, own]) {
    return own.control.value !== stored.get(name) || own.isUnreadable();
  }

  /// Goes on in another form for the feature that was stored. The controls stay, with the focus, the selection and what was
  /// entered meanwhile, which is sent now.
  function resume(latest, text) {
    const later = new Set([...controls].filter(isLater).map(([name]) => name));
    const former = controls;
    controls = new Map();
    stored = null;
    initial = latest;
    state = latest;
    heading = text;
    panel.setTitle(text);
    setText(submit.querySelector(".button-label"), t("form.submitUpdate"));
    fill(template);
    arrange(fields, latest.fields.filter((field) => field.editable).map((field) => {
      const own = former.get(field.name);
      const stays = own && (own.fits(field) || later.has(field.name) || document.activeElement === own.control);
      if (!stays) return drawField(field);
      own.rebase(field, later.has(field.name));
      controls.set(field.name, own);
      return own.element;
    }));
    drawShape();
    drawReadOnly();
    for (const control of controls.values()) control.flush({ hasLeft: false });
  }

  /// What was entered, with what was there before, so that it can be entered once more: { template, changes, parts }. Of a
  /// form that was stored it is what was entered since.
  function draft() {
    if (stored) {
      const later = [...controls].filter((entry) => isLater(entry) && !entry[1].isUnreadable());
      return {
        template: null, parts: null,
        changes: later.map(([name, control]) => ({ name, ...control.entry(), before: null })),
      };
    }
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
    // It was stored meanwhile, which has closed it.
    if (stored && !panel.element.isConnected) return true;
    if (isChanged() && !await confirm({
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
    return stored ? Promise.resolve() : post("map/form-cancel", { form: initial.form });
  }

  function hasMore() {
    return stored !== null && [...controls].some(isLater);
  }

  function isChanged() {
    return state.isChanged || waitingCount > 0 || [...controls.values()].some((control) => !control.isSent());
  }

  const runOnce = (action) => runBusy(form, action);
  return {
    element: panel.element, close: cancel, abandon, draft, draw, hasMore, resume, isChanged, isStored: () => stored !== null,
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
