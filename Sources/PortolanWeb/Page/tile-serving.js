// Serves the tiles of this device to other programs on it.

import { post } from "./api.js";
import { button, fill, h } from "./dom.js";
import { attempt, notify } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(tiles) }; hidden while there is nothing to serve.
export function createTileServing() {
  const addresses = h("div", { class: "tile-addresses" });
  const start = button(t("tiles.serve"), "resume", () => attempt(async () => {
    await post("tiles/serve");
    notify(t("tiles.serveStarted"));
    stop.focus();
  }), { class: "button small" });
  const stop = button(t("tiles.stopServing"), "cancel", () => attempt(async () => {
    await post("tiles/stop-serving");
    notify(t("tiles.serveStopped"));
    start.focus();
  }), { class: "button small" });
  const element = h(
    "section", { class: "tiles-section", hidden: true }, h("h3", { text: t("tiles.serveTitle") }),
    h("p", { class: "hint", text: t("tiles.serveHint") }), addresses,
    h("div", { class: "actions" }, start, stop));
  let known = null;

  function update({ sources, server }) {
    element.hidden = sources.length === 0 && !server;
    start.hidden = Boolean(server);
    stop.hidden = !server;
    const key = JSON.stringify(server);
    if (key === known) return;
    known = key;
    fill(addresses, server ? [
      h("p", {}, t("tiles.servedAt"), " ",
        h("a", { href: server.url, target: "_blank", rel: "noreferrer", text: server.url })),
      h("dl", {}, server.layers.map(({ name, xyz, wmts }) => [
        h("dt", { text: name }), h("dd", {}, h("code", { text: xyz ?? wmts })),
      ])),
    ] : []);
  }

  return { element, update };
}
