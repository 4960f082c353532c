// Builds elements, moves the focus, and asks questions in dialogs.

import { icon } from "./icons.js";
import { t } from "./texts.js";

/// A new element. `on…` properties are listeners, `class`, `text` and `data` are short forms, and
/// all others are attributes; `null`, `undefined` and `false` leave an attribute out.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) setProperty(element, key, value);
  append(element, children);
  return element;
}

function setProperty(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "class") element.className = value;
  else if (key === "text") element.textContent = value;
  else if (key === "data") Object.assign(element.dataset, value);
  else if (key === "value") element.value = value;
  else element.setAttribute(key, value === true ? "" : String(value));
}

function append(element, children) {
  element.append(...shown(children));
}

/// The children without those that are left out.
function shown(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/// Replaces all that an element contains.
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/// Makes the elements what `element` contains. The one with the focus is not moved, which would take the focus and the
/// selection from it: the others are put in their places around it.
export function arrange(element, ...children) {
  const wanted = shown(children);
  for (const child of [...element.childNodes]) if (!wanted.includes(child)) child.remove();
  const fixed = wanted.findIndex((child) => element.contains(child) && child.contains(document.activeElement));
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const [child, next] = [wanted[index], wanted[index + 1] ?? null];
    const isInPlace = child.parentNode === element && child.nextSibling === next;
    if (index !== fixed && !isInPlace) element.insertBefore(child, next);
  }
}

/// Sets the text only where it differs, so that screen readers are not told the same twice.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let idCount = 0;

/// An id that no other element has.
export function newID(prefix) {
  idCount += 1;
  return `${prefix}-${idCount}`;
}

/// A button with an icon and a visible label; while `action` runs it is busy and ignores clicks.
export function button(label, iconName, action, properties = {}) {
  const element = h(
    "button", { type: "button", class: "button", ...properties },
    iconName ? icon(iconName) : null, h("span", { class: "button-label", text: label }));
  element.addEventListener("click", () => runBusy(element, action));
  return element;
}

/// A button that shows an icon only; the label is for screen readers and the tooltip.
export function iconButton(label, iconName, action, properties = {}) {
  const element = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, ...properties },
    icon(iconName));
  element.addEventListener("click", () => runBusy(element, action));
  return element;
}

/// Runs an action of an element unless it runs already. The element keeps the focus.
export async function runBusy(element, action) {
  if (element.getAttribute("aria-busy") === "true") return;
  if (element.getAttribute("aria-disabled") === "true") return;
  const pending = action();
  if (!(pending instanceof Promise)) return;
  element.setAttribute("aria-busy", "true");
  try {
    await pending;
  } finally {
    element.removeAttribute("aria-busy");
  }
}

/// Disables a button without taking the focus from it.
export function setDisabled(element, isDisabled) {
  if (isDisabled) element.setAttribute("aria-disabled", "true");
  else element.removeAttribute("aria-disabled");
}

/// Moves the focus to an element that is no control, as a heading is.
export function focusOn(element, options = {}) {
  if (!element) return;
  if (!element.matches("a[href], button, input, select, textarea, [tabindex]")) {
    element.setAttribute("tabindex", "-1");
  }
  element.focus(options);
}

/// Draws again what is inside of an element. The focus goes to the control with the same name there, else to the one that has
/// taken its place, else to the heading of the screen: a page without focus is read from its beginning.
export function keepingFocus(element, draw) {
  const before = document.activeElement;
  if (!element.contains(before)) return draw();
  const place = controlsOf(element).indexOf(before);
  const result = draw();
  if (element.contains(document.activeElement)) return result;
  const controls = controlsOf(element);
  const isSame = (control) => control.tagName === before.tagName && nameOf(control) === nameOf(before);
  const nearest = [...controls.slice(Math.max(place, 0)), ...controls.slice(0, Math.max(place, 0)).reverse()];
  // What is hidden does not take it.
  const hasTaken = (control) => {
    control.focus({ preventScroll: true });
    return document.activeElement === control;
  };
  if (![before, ...controls.filter(isSame), ...nearest].some(hasTaken)) focusOnScreen();
  return result;
}

/// Moves the focus to the heading of the screen, since what had it has gone.
export function focusOnScreen() {
  focusOn(document.querySelector("main h1"), { preventScroll: true });
}

/// What can have the focus inside of an element.
function controlsOf(element) {
  return [...element.querySelectorAll("a[href], button, input, select, textarea, summary")];
}

/// What a control is called, to find it again.
function nameOf(control) {
  return control.getAttribute("aria-label") ?? control.labels?.[0]?.textContent ?? control.textContent;
}

/// A field with its label, and optionally a hint below.
export function labelled(label, control, hint = null) {
  control.id ||= newID("field");
  const hintElement = hint ? h("span", { class: "hint", id: newID("hint"), text: hint }) : null;
  if (hintElement) control.setAttribute("aria-describedby", hintElement.id);
  return h(
    "div", { class: "field" }, h("label", { for: control.id, text: label }), control, hintElement);
}

/// What is shown where there is nothing yet: a picture, a title, a sentence and what to do.
export function emptyState({ iconName, title, text, actions = [], level = "h2" }) {
  return h(
    "div", { class: "empty" },
    h("div", { class: "empty-picture" }, icon(iconName)),
    h(level, { text: title }), text ? h("p", { text }) : null,
    actions.length ? h("div", { class: "actions" }, actions) : null);
}

/// Shows a dialog until one of its buttons is used.
///
/// - choices: [{ value, label, kind: "primary" | "danger" | "plain", submit }]; Escape gives `null`. Where `submit` is given,
///   the dialog stays, with its button busy, until it has given `true`.
/// - signal: Closes the dialog with `null`, as there is nothing to ask any more.
export function ask({ title, body, choices, signal }) {
  const titleID = newID("dialog");
  const opener = document.activeElement;
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "dialog", "aria-labelledby": titleID });
    const close = (value) => {
      dialog.close();
      dialog.remove();
      if (opener?.isConnected) opener.focus();
      else focusOnScreen();
      resolve(value);
    };
    const end = () => dialog.isConnected && close(null);
    const choose = ({ value, submit }, control) => submit
      ? runBusy(control, async () => await submit() && dialog.isConnected && close(value)) : close(value);
    signal?.addEventListener("abort", end, { once: true });
    append(dialog, [
      h("h2", { id: titleID, text: title }),
      typeof body === "string" ? h("p", { text: body }) : body,
      h("div", { class: "actions end" }, choices.map((choice) =>
        h("button", {
          type: "button", class: `button ${choice.kind ?? "plain"}`, text: choice.label,
          autofocus: choice.isDefault, onclick: (event) => choose(choice, event.currentTarget),
        }))),
    ]);
    // Enter in a field of the dialog does what its main button does.
    dialog.addEventListener("keydown", (event) => {
      // While text is composed, Enter chooses among what it may mean.
      if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
      event.preventDefault();
      dialog.querySelector(".actions .primary")?.click();
    });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
    if (signal?.aborted) end();
  });
}

/// Asks whether to go on; `true` only if the answer is yes.
export async function confirm({ title, body, label, kind = "primary" }) {
  const answer = await ask({
    title, body,
    choices: [
      { value: false, label: t("common.cancel"), kind: "plain", isDefault: kind === "danger" },
      { value: true, label, kind },
    ],
  });
  return answer === true;
}
