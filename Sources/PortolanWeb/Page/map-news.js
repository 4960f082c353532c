// Tells what became of downloads, on whatever screen the person is by then.

import { subscribe } from "./events.js";
import { performMapAction } from "./map-actions.js";
import { announce, notify, showProblem } from "./notices.js";
import { t } from "./texts.js";

/// Follows the list of maps from now on.
export function followMapNews() {
  let known = null;
  subscribe("maps", ({ items }) => {
    for (const row of items) {
      if (known?.get(row.id) === "downloading") tell(row);
    }
    known = new Map(items.map(({ id, state }) => [id, state]));
  });
}

/// The list of maps shows on the card what became of a download.
function tell(row) {
  const isOnCard = document.body.dataset.screen === "maps";
  if (row.state === "stored") {
    const count = row.omissions?.length ?? 0;
    const text = t(count > 0 ? "maps.downloadPartly" : "maps.downloadDone", { title: row.title, count });
    if (isOnCard) return announce(text);
    return notify(text, { actionLabel: t("action.open"), action: () => performMapAction("open", row) });
  }
  if (row.state === "failed" && row.failure && !isOnCard) {
    showProblem({
      kind: "failure", ...row.failure, message: t("maps.downloadFailed", {
        title: row.title, reason: row.failure.message,
      }), actions: [{ kind: "listMaps" }],
    });
  }
  return undefined;
}
