// Which tiles of a region could not be had, and why.

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { number } from "./format.js";
import { attempt } from "./notices.js";
import { t } from "./texts.js";

/// The most tiles that are listed.
const mostListed = 100;

/// Returns { element, update(region) }; hidden while no tile has failed, read when it is opened.
export function createTileFailures() {
  const summary = h("summary", {});
  const list = h("ul", { class: "tile-failures" });
  const element = h("details", { hidden: true }, summary, list);
  let name = null;
  let count = 0;

  function update(region) {
    const isNew = region.tiles.failed !== count;
    ({ name } = region);
    count = region.tiles.failed;
    element.hidden = count === 0;
    summary.textContent = t("tiles.failures", { count, number: number(count, 0) });
    if (isNew && element.open) load();
  }

  function load() {
    return attempt(async () => {
      const { failures } = await post("tiles/details", { name });
      const more = failures.length - mostListed;
      fill(
        list, failures.slice(0, mostListed).map(({ tile, reason }) => h("li", { text: `${tile}: ${reason}` })),
        more > 0 ? h("li", { text: t("tiles.moreFailures", { count: more, number: number(more, 0) }) })
          : null);
    });
  }

  element.addEventListener("toggle", () => element.open && load());
  return { element, update };
}
