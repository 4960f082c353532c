// An edit that both sides have made, with what can be done about it.

import { arrange, button, h, setText } from "./dom.js";
import { createFormField } from "./form-fields.js";
import { attempt } from "./notices.js";
import { t, textOr } from "./texts.js";

/// Returns { element, update(conflict) }. What is being entered stays when another list says otherwise, with the focus.
///
/// - resolve: resolve(conflict, choice), which is sent to Portolan.
export function createConflictView(initial, resolve) {
  let conflict = null;
  /// The fields by their names.
  let fields = new Map();
  const heading = h("h4", {});
  const hint = h("p", { class: "hint" });
  const choices = [["mine", "takeMine"], ["theirs", "takeTheirs"]].map(([resolution, key]) => [t(`sync.${key}`), button(
    t(`sync.${key}`), null, () => attempt(() => resolve(conflict, { resolution })), { class: "button small" })]);
  const actions = h("div", { class: "actions" }, choices.map(([, choice]) => choice));
  const summary = h("summary", { text: t("sync.editAgain") });
  const sending = h("div", { class: "actions" },
    button(t("sync.editAndSend"), "accept", () => attempt(sendValues), { class: "button small" }));
  const editor = h("details", {}, summary, sending);
  const element = h("article", { class: "conflict" });
  update(initial);

  function update(latest) {
    const isSame = conflict !== null && contentOf(conflict) === contentOf(latest);
    conflict = latest;
    if (!isSame) draw();
  }

  function draw() {
    const title = headingOf(conflict);
    element.setAttribute("aria-label", title);
    setText(heading, title);
    setText(hint, [textOr(`sync.edit.${conflict.edit}`, conflict.edit), conflict.reason].join(" · "));
    for (const [action, choice] of choices) choice.setAttribute("aria-label", t("action.of", { action, title }));
    const canEdit = conflict.canEdit && conflict.values.length > 0;
    if (canEdit) drawFields();
    arrange(element, heading, hint, differencesTable(conflict), actions, canEdit ? editor : null);
  }

  /// The fields of a form that changes one's own values before they are sent: those that differ come first.
  function drawFields() {
    const differing = new Set(conflict.differences.map(({ field }) => field));
    const values = [true, false].flatMap((wanted) =>
      conflict.values.filter(({ field }) => differing.has(field) === wanted));
    const focused = [...fields].find(([, { control }]) => control === document.activeElement)?.[0];
    fields = new Map(values.map((value) => [value.field, fieldOf(value, fields.get(value.field))]));
    arrange(editor, summary, [...fields.values()].map((own) => own.element), sending);
    const taken = fields.get(focused)?.control;
    if (taken !== document.activeElement) taken?.focus();
  }

  /// The field of a value, with what was entered in the one that was there before.
  function fieldOf(value, former) {
    const isOwn = Boolean(former) && (former.isChanged() || former.isUnreadable());
    // What of a date is there when half of it was entered is in its control alone.
    if (former?.fits(value) || former?.isUnreadable()) {
      former.rebase(value, isOwn);
      return former;
    }
    // Nothing is sent before all is.
    const own = createFormField(value, async () => true);
    if (isOwn) own.enter(former.control.value);
    return own;
  }

  function sendValues() {
    for (const own of fields.values()) own.flush();
    const unreadable = [...fields.values()].find((own) => own.isUnreadable());
    if (unreadable) return unreadable.control.focus();
    const entries = [...fields].filter(([, own]) => own.isChanged()).map(([name, own]) => [name, own.entry()]);
    if (entries.length === 0) return resolve(conflict, { resolution: "mine" });
    return resolve(conflict, {
      values: Object.fromEntries(entries.map(([name, { text }]) => [name, text])),
      codes: entries.filter(([, { isCode }]) => isCode).map(([name]) => name),
    });
  }

  return { element, update };
}

/// What a view shows; the number of a conflict, and what stands for what was seen of it, are others after a
/// synchronization.
function contentOf(conflict) {
  return JSON.stringify({ ...conflict, number: null, seen: null });
}

function differencesTable({ differences, isMovedApart, shapeChangedHere }) {
  const rows = differences.map((difference) => [
    difference.label,
    difference.changedHere === false ? t("sync.unchangedHere") : difference.mine ?? "",
    difference.theirs ?? "",
  ]);
  if (isMovedApart) {
    const mine = shapeChangedHere === false ? t("sync.unchangedHere") : t("sync.mine");
    rows.push([t("sync.position"), mine, t("sync.theirs")]);
  }
  if (rows.length === 0) return null;
  return h(
    "table", { class: "conflict-values" },
    h("thead", {}, h("tr", {}, ["field", "mine", "theirs"].map((key) =>
      h("th", { scope: "col", text: t(`sync.${key}`) })))),
    h("tbody", {}, rows.map(([label, mine, theirs]) => h("tr", {},
      h("th", { scope: "row", text: label }), h("td", { text: mine }), h("td", { text: theirs })))));
}

function headingOf({ layer, objectId, values }) {
  const name = nameOf(values);
  return t(name ? "sync.namedFeature" : "sync.feature", { name, layer, id: objectId });
}

/// What a feature is called here, by the field that sounds like a name; `null` if there is none.
function nameOf(values) {
  return values.find(({ field, text }) => text && /name|title|label/i.test(field))?.text ?? null;
}
