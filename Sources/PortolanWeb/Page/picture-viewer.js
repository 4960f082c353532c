// Shows the pictures of a feature in a dialog, one at a time and as large as the window lets them be.

import { fill, focusOnScreen, h, iconButton, newID, setDisabled, setText } from "./dom.js";
import { icon } from "./icons.js";
import { announce } from "./notices.js";
import { t } from "./texts.js";

/// Shows pictures, each { url, name, size }, beginning with one of them. The arrow keys lead along
/// them, Escape closes.
export function showPictures(pictures, first) {
  const opener = document.activeElement;
  const titleID = newID("viewer");
  const title = h("h2", { id: titleID });
  const position = h("span", { class: "position" });
  const place = h("div", { class: "viewer-picture" });
  const save = h("a", { class: "button small" }, icon("download"), h("span", { text: t("viewer.save") }));
  const previous = iconButton(t("popup.previous"), "back", () => step(-1));
  const next = iconButton(t("popup.next"), "forward", () => step(1));
  const dialog = h(
    "dialog", { class: "dialog viewer", "aria-labelledby": titleID },
    h("div", { class: "viewer-head" }, title, position, save,
      iconButton(t("common.close"), "close", () => dialog.close())),
    place, h("div", { class: "viewer-steps", hidden: pictures.length < 2 }, previous, next));
  let index = first;

  function step(change) {
    const latest = index + change;
    if (!pictures[latest]) return;
    index = latest;
    draw();
    announce(`${pictures[index].name}, ${positionText()}`);
  }

  function positionText() {
    return t("popup.position", { index: index + 1, count: pictures.length });
  }

  function draw() {
    const { url, name, size } = pictures[index];
    setText(title, name);
    setText(position, [size, pictures.length > 1 ? positionText() : ""].filter(Boolean).join(" · "));
    Object.assign(save, { href: url, download: name });
    const image = h("img", { src: url, alt: name });
    image.addEventListener("error", () => fill(place, h("p", { text: t("viewer.unreadable") })));
    fill(place, image);
    setDisabled(previous, index === 0);
    setDisabled(next, index === pictures.length - 1);
  }

  dialog.addEventListener("keydown", (event) => {
    const change = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!change) return;
    event.preventDefault();
    step(change);
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener?.isConnected) opener.focus();
    else focusOnScreen();
  });
  draw();
  document.body.append(dialog);
  dialog.showModal();
}
