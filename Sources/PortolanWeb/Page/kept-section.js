// Maps that were set aside, since they may hold edits that nothing else has.

import { post } from "./api.js";
import { button, confirm, fill, h, keepingFocus } from "./dom.js";
import { bytes } from "./format.js";
import { attempt, notify, problemBox } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, load }; hidden while there is nothing. `onChange` is called after a deletion and a return.
export function createKeptSection(onChange) {
  const list = h("div", { class: "stack" });
  const element = h(
    "section", { hidden: true }, h("h2", { text: t("kept.title") }),
    h("p", { text: t("kept.text") }), list);

  async function load() {
    try {
      const { kept } = await post("storage/kept");
      keepingFocus(element, () => {
        element.hidden = kept.length === 0;
        fill(list, h("ul", { class: "rows" }, kept.map(row)));
      });
    } catch (problem) {
      element.hidden = false;
      fill(list, problemBox(problem, [], load));
    }
  }

  function row(map) {
    const title = map.title ?? map.name;
    return h(
      "li", {}, h("div", { class: "row-title" }, h("span", { text: title }),
        h("span", { class: "hint", text: hint(map) })),
      h("div", { class: "actions" },
        map.geodatabases.map((path, index) => openButton(path, index, map, title)),
        button(t("kept.restore"), "undo", () => restore(map), {
          class: "button small",
          "aria-label": t("action.of", { action: t("kept.restore"), title }),
        }),
        button(t("action.delete"), "trash", () => remove(map, title), {
          class: "button small quiet",
          "aria-label": t("action.of", { action: t("action.delete"), title }),
        })));
  }

  function hint({ bytes: size, isDeleted, path }) {
    return [bytes(size), isDeleted ? t("kept.deleted") : null, path].filter(Boolean).join(" · ");
  }

  function openButton(path, index, { geodatabases }, title) {
    const label = geodatabases.length === 1
      ? t("kept.open") : t("kept.openNumber", { number: index + 1 });
    return button(label, "map", () => attempt(async () => {
      await post("storage/open-kept", { path });
      location.hash = "#/map";
    }), { class: "button small", "aria-label": t("action.of", { action: label, title }) });
  }

  const restore = ({ name }) => attempt(async () => {
    const { title } = await post("storage/restore-kept", { name });
    notify(t("kept.restored", { title }));
    await Promise.all([load(), onChange()]);
  });

  async function remove({ name, geodatabases }, title) {
    const isSure = await confirm({
      title: t("kept.deleteTitle", { title }),
      body: t(geodatabases.length === 0 ? "kept.deleteText" : "kept.deleteEditsText"),
      label: t("kept.deleteConfirm"), kind: "danger",
    });
    if (!isSure) return;
    await attempt(async () => {
      const { bytes: freed } = await post("storage/delete-kept", { name });
      notify(t("storage.freed", { size: bytes(freed) }));
      await Promise.all([load(), onChange()]);
    });
  }

  load();
  return { element, load };
}
