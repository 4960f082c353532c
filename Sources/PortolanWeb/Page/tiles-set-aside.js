// Damaged caches of tiles that were set aside, and their deletion.

import { post } from "./api.js";
import { button, confirm, fill, h, keepingFocus } from "./dom.js";
import { subscribe } from "./events.js";
import { bytes } from "./format.js";
import { attempt, notify } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, remove() }; hidden while there is nothing.
export function createTilesSetAside() {
  const text = h("p", {});
  const list = h("ul", { class: "rows" });
  const element = h(
    "section", { hidden: true }, h("h2", { text: t("tiles.setAside") }), text, list,
    h("div", { class: "actions" },
      button(t("tiles.setAsideDelete"), "trash", remove, { class: "button small" })));
  let files = [];
  // Without a cache there is nothing to tell.
  post("tiles/load").catch(() => {});
  const unsubscribe = subscribe("tiles", (tiles) => {
    files = tiles?.setAside ?? [];
    keepingFocus(element, () => { element.hidden = files.length === 0; });
    text.textContent = t("tiles.setAsideText", { count: files.length });
    fill(list, files.map(({ file, bytes: size }) => h(
      "li", {}, h("div", { class: "row-title" }, h("span", { text: file }),
        h("span", { class: "hint", text: bytes(size) })))));
  });

  async function remove() {
    const count = files.length;
    const isSure = await confirm({
      title: t("tiles.setAsideDeleteTitle", { count }), body: t("tiles.setAsideDeleteText", { count }),
      label: t("action.delete"), kind: "danger",
    });
    if (!isSure) return;
    await attempt(async () => {
      const { fileBytes } = await post("tiles/delete-set-aside");
      notify(t("storage.freed", { size: bytes(fileBytes) }));
    });
  }

  return { element, remove: unsubscribe };
}
