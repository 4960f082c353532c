// An edit that both sides have made, with what can be done about it.

import { arrange, button, h, setText } from "./dom.js";
import { createFormField } from "./form-fields.js";
import { attempt } from "./notices.js";
import { t, textOr } from "./texts.js";

/// Returns { element, update(conflict), hasMore, settle }. What is being entered stays when another list says otherwise,
/// with the focus. `hasMore` is whether more was entered than was sent; `settle` shows that, once the conflict is no longer
/// listed, until a person has opened it in a form or discarded it.
///
/// - resolve: resolve(conflict, choice), which is sent to Portolan.
/// - edit: edit(conflict, changes), which opens the form of the feature with what was entered, and tells whether it did.
/// - forget: forget(view), which takes it off the list.
export function createConflictView(initial, { resolve, edit, forget }) {
  let conflict = null;
  /// The fields by their names.
  let fields = new Map();
  /// What the controls held when it was sent, by the names of the fields; `null` before.
  let sent = null;
  /// Whether one's own values were given up.
  let isGivenUp = false;
  let isSettled = false;
  /// The related edits that were not there when the list was shown before.
  let newEdits = new Set();
  const heading = h("h4", {});
  const hint = h("p", { class: "hint" });
  const choices = [["mine", "takeMine"], ["theirs", "takeTheirs"]].map(([resolution, key]) => [t(`sync.${key}`), button(
    t(`sync.${key}`), null, () => attempt(() => decide({ resolution })), { class: "button small" })]);
  const actions = h("div", { class: "actions" }, choices.map(([, choice]) => choice));
  const summary = h("summary", { text: t("sync.editAgain") });
  const sending = h("div", { class: "actions" },
    button(t("sync.editAndSend"), "accept", () => attempt(sendValues), { class: "button small" }));
  const leftover = h("div", { class: "actions" },
    button(t("sync.openForm"), "edit", () => attempt(openForm), { class: "button small" }),
    button(t("sync.discard"), null, () => forget(view), { class: "button small" }));
  const editor = h("details", {}, summary, sending);
  const element = h("article", { class: "conflict" });
  const view = { element, update, hasMore: () => !isGivenUp && later().length > 0, settle };
  update(initial);
  return view;

  function update(latest) {
    const isSame = conflict !== null && contentOf(conflict) === contentOf(latest);
    if (!isSame) newEdits = addedEdits(conflict, latest);
    conflict = latest;
    if (isSettled) [isSettled, sent] = [false, null];
    else if (isSame) return;
    draw();
  }

  function draw() {
    const title = headingOf(conflict);
    element.setAttribute("aria-label", title);
    setText(heading, title);
    setText(hint, [textOr(`sync.edit.${conflict.edit}`, conflict.edit), conflict.reason].join(" · "));
    for (const [action, choice] of choices) choice.setAttribute("aria-label", t("action.of", { action, title }));
    const canEdit = conflict.canEdit && conflict.values.length > 0;
    if (canEdit) drawFields();
    arrange(element, heading, hint, differencesTable(conflict), relatedList(conflict, newEdits), actions,
      canEdit ? editor : null);
  }

  /// Shows what was entered and not sent of a conflict that is resolved by now.
  function settle() {
    if (isSettled) return;
    isSettled = true;
    setText(hint, t("sync.enteredSince"));
    arrange(editor, summary, later().map(([, own]) => own.element), leftover);
    editor.open = true;
    arrange(element, heading, hint, editor);
  }

  /// The fields that hold something else than was sent, or, where nothing was, than there was.
  function later() {
    return [...fields].filter(([name, own]) => !own.isUnreadable()
      && (sent ? own.control.value !== sent.get(name) : own.isChanged()));
  }

  async function openForm() {
    const changes = later().map(([name, own]) => ({ name, ...own.entry(), before: null }));
    if (await edit(conflict, changes)) forget(view);
  }

  /// Sends a decision. What is entered until it is answered is kept.
  async function decide(choice) {
    isGivenUp = choice.resolution === "theirs";
    try {
      return await resolve(conflict, choice);
    } catch (problem) {
      [isGivenUp, sent] = [false, null];
      throw problem;
    }
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
    sent = new Map([...fields].map(([name, { control }]) => [name, control.value]));
    const entries = [...fields].filter(([, own]) => own.isChanged()).map(([name, own]) => [name, own.entry()]);
    if (entries.length === 0) return decide({ resolution: "mine" });
    return decide({
      values: Object.fromEntries(entries.map(([name, { text }]) => [name, text])),
      codes: entries.filter(([, { isCode }]) => isCode).map(([name]) => name),
    });
  }
}

/// The related edits of a conflict that an earlier list did not have, or that were edited again; none without one.
function addedEdits(former, latest) {
  const known = new Set((former?.related ?? latest.related ?? []).map((each) => JSON.stringify(each)));
  return new Set((latest.related ?? []).filter((each) => !known.has(JSON.stringify(each))));
}

/// The edits that are decided on with a conflict; those that are new are marked.
function relatedList({ related = [] }, newEdits) {
  if (related.length === 0) return null;
  return h(
    "div", {}, h("p", { text: t("sync.related") }),
    h("ul", { class: "change-list" }, related.map((each) => h(
      "li", {}, h("span", { class: `change ${each.edit === "attachments" ? "update" : each.edit}`,
        text: textOr(`sync.edit.${each.edit}`, each.edit) }),
      h("span", { text: t("sync.feature", { layer: each.layer, id: each.objectId }) }),
      newEdits.has(each) ? h("strong", { text: t("sync.relatedNew") }) : null))));
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
export function nameOf(values) {
  return values.find(({ field, text }) => text && /name|title|label/i.test(field))?.text ?? null;
}
