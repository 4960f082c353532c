// An edit that both sides have made, with what can be done about it.

import { button, h } from "./dom.js";
import { createFormField } from "./form-fields.js";
import { attempt } from "./notices.js";
import { t, textOr } from "./texts.js";

/// Returns { element, update(conflict), takeOver(view), takeFocus, parts, fields }. `update` tells whether the view still
/// shows what there is to decide on; where it does not, another one takes over what is being entered, and the focus.
///
/// - resolve: resolve(conflict, choice), which is sent to Portolan.
export function createConflictView(initial, resolve) {
  let conflict = initial;
  const heading = headingOf(initial);
  /// What can have the focus, by names that are the same in each view.
  const parts = new Map();
  const fields = [];
  let focused = null;
  const choose = (resolution, key) => {
    const choice = button(t(`sync.${key}`), null, () => attempt(() => resolve(conflict, { resolution })), {
      class: "button small", "aria-label": t("action.of", { action: t(`sync.${key}`), title: heading }),
    });
    parts.set(key, choice);
    return choice;
  };
  const details = initial.canEdit && initial.values.length > 0 ? editor() : null;
  const element = h(
    "article", { class: "conflict", "aria-label": heading },
    h("h4", { text: heading }),
    h("p", { class: "hint", text: [textOr(`sync.edit.${initial.edit}`, initial.edit), initial.reason].join(" · ") }),
    differencesTable(initial),
    h("div", { class: "actions" }, choose("mine", "takeMine"), choose("theirs", "takeTheirs")), details);

  /// A form that changes one's own values before they are sent: those that differ come first.
  function editor() {
    const differing = new Set(initial.differences.map(({ field }) => field));
    const values = [true, false].flatMap((wanted) =>
      initial.values.filter(({ field }) => differing.has(field) === wanted));
    for (const value of values) {
      // Nothing is sent before all is.
      const own = createFormField(value, async () => true);
      fields.push({ name: value.field, own });
      parts.set(`field ${value.field}`, own.control);
    }
    const send = button(t("sync.editAndSend"), "accept", () => attempt(sendValues), { class: "button small" });
    const summary = h("summary", { text: t("sync.editAgain") });
    parts.set("send", send);
    parts.set("summary", summary);
    return h("details", {}, summary, fields.map(({ own }) => own.element), h("div", { class: "actions" }, send));
  }

  function sendValues() {
    for (const { own } of fields) own.flush();
    const unreadable = fields.find(({ own }) => own.isUnreadable());
    if (unreadable) return unreadable.own.control.focus();
    const entries = fields.filter(({ own }) => own.isChanged()).map(({ name, own }) => [name, own.entry()]);
    if (entries.length === 0) return resolve(conflict, { resolution: "mine" });
    return resolve(conflict, {
      values: Object.fromEntries(entries.map(([name, { text }]) => [name, text])),
      codes: entries.filter(([, { isCode }]) => isCode).map(([name]) => name),
    });
  }

  function update(latest) {
    const isSame = contentOf(conflict) === contentOf(latest);
    if (isSame) conflict = latest;
    return isSame;
  }

  /// Enters what was entered in the view that was there before.
  function takeOver(former) {
    for (const { name, own } of former.fields) {
      // Half a date would be entered as none.
      if (!own.isChanged() || own.isUnreadable()) continue;
      fields.find((field) => field.name === name)?.own.enter(own.control.value);
    }
    const wasOpen = former.element.querySelector("details")?.open;
    if (details && wasOpen) details.open = true;
    focused = [...former.parts].find(([, part]) => part === document.activeElement)?.[0] ?? null;
  }

  /// Moves the focus to where it was in the view that was there before, once this one is on the page.
  function takeFocus() {
    parts.get(focused)?.focus();
    focused = null;
  }

  return { element, update, takeOver, takeFocus, parts, fields };
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
