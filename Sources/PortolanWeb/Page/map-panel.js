// The frame of a panel over the map: heading, close button, content.

import { fill, focusOn, h, iconButton, newID } from "./dom.js";
import { t } from "./texts.js";

/// Returns { element, heading, content, setTitle, setContent, focus }. Escape inside it closes it.
/// A panel for reading only is reached by Tab, so that it can be scrolled by keyboard.
export function createPanel({ title, className = "", isReading = false, onClose }) {
  const headingID = newID("panel");
  const heading = h("h2", { id: headingID, text: title, title });
  const content = h("div", {
    class: "map-panel-content", tabindex: isReading ? "0" : null, role: isReading ? "group" : null,
    "aria-labelledby": isReading ? headingID : null,
  });
  const element = h(
    "section", { class: `map-panel ${className}`, "aria-labelledby": headingID },
    h("header", { class: "map-panel-head" }, heading,
      iconButton(t("common.close"), "close", onClose)),
    content);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  });
  return {
    element, heading, content,
    setTitle: (text) => {
      heading.textContent = text;
      // All of it, where the heading has no room.
      heading.title = text;
    },
    setContent: (...children) => fill(content, ...children),
    focus: () => focusOn(heading, { preventScroll: true }),
  };
}
