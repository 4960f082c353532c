// The folder whose packages are offered: what can be taken, and which folder it is.

import { post } from "./api.js";
import { ask, button, fill, h, keepingFocus, labelled } from "./dom.js";
import { subscribe } from "./events.js";
import { bytes } from "./format.js";
import { announce, attempt, problemBox, showProgress } from "./notices.js";
import { importPackage } from "./package-import.js";
import { t } from "./texts.js";

/// Returns { element, choose, remove() }: the section with the offers, and the button that chooses a
/// folder.
export function createWatchedFolder() {
  const element = h("section", { class: "watched", hidden: true });
  const choose = button(t("watched.choose"), "folder", () => chooseFolder());
  let told = new Set();

  function draw(watched) {
    element.hidden = !watched;
    choose.hidden = Boolean(watched);
    if (!watched) {
      told = new Set();
      return;
    }
    keepingFocus(element, () => fill(
      element, h("h2", { text: t("watched.title") }),
      h("p", { class: "hint", text: t("watched.folder", { folder: watched.folder }) }),
      watched.problem ? problemBox(watched.problem) : null,
      watched.offers.length > 0
        ? h("ul", { class: "rows" }, watched.offers.map(row))
        : h("p", { text: t("watched.none") }),
      h("div", { class: "actions" },
        button(t("watched.stop"), "close", () => attempt(() => post("maps/stop-watching"))))));
    for (const { id, name } of watched.offers.filter((offer) => !told.has(offer.id))) {
      told.add(id);
      announce(t("watched.appeared", { name }));
    }
  }

  const unsubscribe = subscribe("watched", draw);
  return { element, choose, remove: unsubscribe };
}

function row({ id, name, bytes: size }) {
  const named = (label) => ({ "aria-label": t("action.of", { action: label, title: name }) });
  return h(
    "li", {}, h("span", { class: "row-title" }, `${name} · ${bytes(size)}`),
    h("div", { class: "actions" },
      button(t("watched.take"), "plus", () => attempt(() => take(id, name)), named(t("watched.take"))),
      button(t("watched.decline"), "close", () => attempt(() => post("maps/decline-offer", { id })),
        named(t("watched.decline")))));
}

function take(id, name) {
  return importPackage(async (policy) => {
    const progress = showProgress(t("import.running", { name }));
    try {
      return await post("maps/take-offer", { id, policy });
    } finally {
      progress.remove();
    }
  });
}

async function chooseFolder() {
  const path = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  const isWanted = await ask({
    title: t("watched.choose"), body: labelled(t("watched.path"), path, t("watched.pathHint")),
    choices: [
      { value: false, label: t("common.cancel") },
      { value: true, label: t("watched.submit"), kind: "primary" },
    ],
  });
  if (isWanted) await attempt(() => post("maps/watch", { folder: path.value.trim() }));
}
