// How an area is downloaded, where a person wants something else than all of it as its author has set it up.

import { ask, h, labelled } from "./dom.js";
import { t } from "./texts.js";

/// The names that Portolan's actions have for how an area is kept up to date.
const modes = [
  "syncWithFeatureServices", "downloadScheduledUpdates",
  "downloadScheduledUpdatesAndUploadNewFeatures", "noUpdates",
];

/// Asks how an area is to be downloaded, and returns what differs from a download without options;
/// `null` if it is not to be downloaded at all.
export async function askForDownload({ title }) {
  const mode = h("select", { name: "updateMode" },
    h("option", { value: "", text: t("download.updateMode.ofArea") }),
    modes.map((value) => h("option", { value, text: t(`download.updateMode.${value}`) })));
  const boxes = ["noBasemap", "stopOnErrors"].map((name) => h("input", { type: "checkbox", name }));
  const isWanted = await ask({
    title: t("download.title", { title }),
    body: h("div", { class: "stack" },
      labelled(t("download.updateMode"), mode, t("download.updateModeHint")),
      h("ul", { class: "plain-list" }, boxes.map((box) =>
        h("li", {}, h("label", {}, box, " ", t(`offline.${box.name}`)))))),
    choices: [
      { value: false, label: t("common.cancel") },
      { value: true, label: t("action.download"), kind: "primary" },
    ],
  });
  if (!isWanted) return null;
  const chosen = boxes.filter(({ checked }) => checked).map(({ name }) => [name, true]);
  return { updateMode: mode.value || undefined, ...Object.fromEntries(chosen) };
}
