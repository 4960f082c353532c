// Regions of tiles as files: brought in, and written for other programs.

import { post, saveFile, sendFile } from "./api.js";
import { ask, button, h, labelled } from "./dom.js";
import { announce, attempt, notify } from "./notices.js";
import { t } from "./texts.js";

/// The kinds of files that regions are written into, the most common first.
const formats = ["mbtiles", "pmtiles", "tpkx", "tpk"];

/// A button that brings the tiles of files in, each as a region, and the chooser that it opens.
export function createTileImport() {
  const input = h("input", {
    type: "file", accept: ".mbtiles,.pmtiles,.tpkx,.tpk,.vtpk", multiple: true, hidden: true,
    tabindex: "-1",
  });
  input.addEventListener("change", async () => {
    const files = [...input.files];
    input.value = "";
    for (const file of files) await attempt(() => importOne(file));
  });
  return [input, button(t("tiles.import"), "plus", () => input.click(), {
    class: "button small", title: t("tiles.importHint"),
  })];
}

async function importOne(file) {
  announce(t("import.running", { name: file.name }));
  const upload = await sendFile(file);
  const { region, tiles, leftOut, older, damaged, skipped } = await post("tiles/import", { upload });
  const { name } = region;
  notify(skipped ? t("tiles.importSkipped", { name }) : [
    t("tiles.imported", { name, count: tiles }),
    older > 0 ? t("tiles.olderLeft", { count: older }) : null,
    leftOut + damaged > 0 ? t("tiles.leftOut", { count: leftOut + damaged }) : null,
  ].filter(Boolean).join(" "));
}

/// Asks for a kind of file, has a region written into one, and lets the browser save it.
export async function exportRegion({ name }) {
  const format = h("select", {}, formats.map((ending) =>
    h("option", { value: ending, text: t(`tiles.format.${ending}`) })));
  const isSure = await ask({
    title: t("tiles.exportTitle", { name }), body: labelled(t("tiles.exportFormat"), format),
    choices: [
      { value: false, label: t("common.cancel") },
      { value: true, label: t("action.export"), kind: "primary" },
    ],
  });
  if (!isSure) return;
  await attempt(async () => {
    announce(t("save.running", { title: name }));
    notify(t("save.done", { name: await saveFile("tiles/export", { name, format: format.value }) }));
  });
}
