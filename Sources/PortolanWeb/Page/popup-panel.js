// What was identified: one feature at a time, with paging and what can be done with it.

import { button, fill, h, keepingFocus } from "./dom.js";
import { attachmentsSection } from "./attachments.js";
import { createPanel } from "./map-panel.js";
import { announce } from "./notices.js";
import { popupElement } from "./popup-elements.js";
import { t } from "./texts.js";

/// Returns { element, update(popups, options), mark(text, show), focus }. `actions` are close, page(index), edit, move,
/// remove, zoom, related(name, index), back and changed(popups).
export function createPopupPanel(actions) {
  const panel = createPanel({ title: "", className: "popup", onClose: actions.close });
  const layer = h("p", { class: "popup-layer" });
  panel.heading.before(layer);
  panel.element.querySelector(".map-panel-head").prepend(
    h("div", { class: "popup-names" }, layer, panel.heading));
  const pager = createPager(actions.page);
  const body = h("div", { class: "popup-body" });
  const outdated = h("div", { class: "callout", hidden: true });
  panel.setContent(outdated, pager.element, body);

  const back = button(t("popup.back"), "back", actions.back, { class: "button small quiet" });
  pager.element.before(back);

  /// `isSame` for the feature that is shown already, as it is now.
  function update({ pages, problems, selection, canGoBack, opening, question }, { isSame = false } = {}) {
    outdated.hidden = true;
    back.hidden = !canGoBack;
    pager.update((selection?.number ?? 1) - 1, pages.length);
    panel.setTitle(selection?.title || t("popup.title"));
    layer.textContent = selection?.layer ?? "";
    keepingFocus(body, () => fill(
      body, selection ? selectionView({ ...selection, opening, question }, actions) : null, problemList(problems)));
    if (!isSame) panel.content.scrollTop = 0;
    if (!selection || isSame) return;
    announce(t("popup.announce", {
      title: selection.title, index: selection.number, count: pages.length,
    }));
  }

  /// Says that the feature is not what it was; `show` shows it as it is now.
  function mark(text, show = null) {
    fill(outdated, h("p", { text }), show
      ? button(t("popup.showLatest"), "refresh", show, { class: "button small" }) : null);
    outdated.hidden = false;
    announce(text);
  }

  return { element: panel.element, update, mark, focus: panel.focus };
}

/// Previous, position, next; hidden for a single feature.
function createPager(page) {
  let index = 0;
  let count = 0;
  const previous = button(t("popup.previous"), "back", () => page(index - 1), { class: "button small" });
  const next = button(t("popup.next"), "forward", () => page(index + 1), { class: "button small" });
  const position = h("span", { class: "position" });
  const element = h("div", { class: "pager" }, previous, position, next);
  function update(latest, total) {
    index = latest;
    count = total;
    element.hidden = count < 2;
    position.textContent = t("popup.position", { index: index + 1, count });
    for (const [control, isOff] of [[previous, index === 0], [next, index >= count - 1]]) {
      if (isOff) control.setAttribute("aria-disabled", "true");
      else control.removeAttribute("aria-disabled");
    }
  }
  return { element, update };
}

function selectionView(selection, actions) {
  return [
    h("div", { class: "actions popup-actions" }, selectionActions(selection, actions)),
    selection.elements.map(popupElement),
    selection.notEvaluated.map((text) => h("p", { class: "failure", text })),
    attachmentsSection(selection, actions.changed),
    relatedSection(selection.related, actions.related),
    selection.problems.length === 0 ? null : problemList(
      selection.problems.map((reason) => ({ title: "", reason }))),
  ];
}

function selectionActions(selection, actions) {
  const small = { class: "button small" };
  const controls = [];
  if (selection.geometry) controls.push(button(t("popup.zoom"), "search", actions.zoom, small));
  if (!selection.canEdit) return controls;
  controls.push(button(t("popup.edit"), "edit", actions.edit, small));
  if (selection.geometry) {
    controls.push(button(t("popup.move"), "move", actions.move, small));
  }
  controls.push(button(t("popup.delete"), "trash", actions.remove, { class: "button small quiet" }));
  return controls;
}

function relatedSection(related, open) {
  if (!related?.length) return null;
  return h(
    "section", {}, h("h3", { text: t("popup.related") }),
    related.map(({ name, records }) => h(
      "div", { class: "related" }, h("h4", { text: name }),
      h("ul", {}, records.map((title, index) => h("li", {}, button(
        title, null, () => open(name, index), { class: "button small quiet" })))))));
}

function problemList(problems) {
  if (!problems?.length) return null;
  return h(
    "details", { class: "popup-problems" }, h("summary", { text: t("popup.problems") }),
    h("ul", {}, problems.map(({ title, reason }) =>
      h("li", {}, title ? h("strong", { text: `${title}: ` }) : null, reason))));
}
