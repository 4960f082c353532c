// The panels that the map's tools open, one at a time.

import { h } from "./dom.js";
import { createPanel } from "./map-panel.js";
import { t } from "./texts.js";

/// The panels in which there may be nothing to click.
const readingPanels = new Set(["legend", "problems"]);

/// Returns { toggle(name), open(name), close, update(map, scale) }. `contents` are the panels' contents by name;
/// `onOpen(name)` is called with the open one or `null`.
export function createSidePanels(place, contents, onOpen) {
  let open = null;
  let opener = null;
  let last = null;

  function toggle(name) {
    if (open === name) return close();
    if (open === null) opener = document.activeElement;
    else opener = document.activeElement ?? opener;
    open = name;
    const panel = createPanel({
      title: t(`map.${name}`), className: `side panel-${name}`, isReading: readingPanels.has(name),
      onClose: () => close(),
    });
    panel.setContent(h("div", {}, contents[name].element));
    place.replaceChildren(panel.element);
    if (last) contents[name].update(...last);
    onOpen(name);
    panel.focus();
    return undefined;
  }

  function close({ keepsFocus = false } = {}) {
    if (open === null) return;
    open = null;
    place.replaceChildren();
    onOpen(null);
    if (!keepsFocus && opener?.isConnected) opener.focus();
  }

  function update(map, scale) {
    if (!map) return;
    last = [map, scale];
    if (open) contents[open].update(map, scale);
  }

  /// Opens a panel unless it is open.
  function show(name) {
    if (open !== name) toggle(name);
  }

  return { toggle, open: show, close, update };
}
