// Why the tiles at a place that is selected on the map are on this device or not.

import { post } from "./api.js";
import { button, fill, h } from "./dom.js";
import { announce, attempt } from "./notices.js";
import { sketch } from "./sketch.js";
import { t } from "./texts.js";

/// Returns { element, update(tiles) }; hidden while no source of tiles is known.
export function createTileExplanation(view, place, closePanel) {
  const result = h("ul", { class: "plain-list tile-explanation" });
  const ask = button(t("tiles.explain"), "crosshair", choosePlace, { class: "button small" });
  const element = h(
    "section", { class: "tiles-section", hidden: true }, h("h3", { text: t("tiles.explainTitle") }),
    h("p", { class: "hint", text: t("tiles.explainHint") }), h("div", { class: "actions" }, ask),
    result);

  async function choosePlace() {
    closePanel.ifNarrow();
    const parts = await sketch(view, place, {
      geometry: "point", title: t("tiles.explainPlace"), isEnough: true,
    });
    closePanel.reopen();
    if (parts) await explain(parts[0][0]);
  }

  function explain([longitude, latitude]) {
    return attempt(async () => {
      const { tiles } = await post("tiles/explain", {
        longitude, latitude, level: Math.round(view.map.getZoom()),
      });
      fill(result, tiles.map(describe));
      result.scrollIntoView({ block: "nearest" });
      announce(tiles.map(({ source, why }) => `${source}: ${why}`).join(" "));
    });
  }

  return {
    element,
    update: ({ sources }) => { element.hidden = sources.length === 0; },
  };
}

function describe({ source, tile, why, regions }) {
  return h(
    "li", {}, h("strong", { text: t("tiles.tileOf", { tile, source }) }), h("p", { text: why }),
    regions.map(({ name, part, failure }) => h("p", {
      class: "hint", text: [t(`tiles.part.${part}`, { name }), failure?.reason].filter(Boolean).join(" "),
    })));
}
