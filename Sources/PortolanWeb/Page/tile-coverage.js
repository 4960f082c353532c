// Shows on the map which tiles of a region are here, which failed, and which are still to come.

import { post } from "./api.js";

/// How the tiles look: the fill is told apart by a pattern of opacity and edge as well as by colour.
const looks = {
  done: { color: "#1b7f4b", fillOpacity: 0.28, weight: 0.5 },
  failed: { color: "#c92a2a", fillOpacity: 0.5, weight: 2 },
  missing: { color: "#495057", fillOpacity: 0.06, weight: 1, dashArray: "4 4" },
};

/// Returns { show(region), hide(name), follow(regions), remove() }.
export function createTileCoverage(view) {
  let shown = null;
  let layer = null;

  /// Shows a region, or hides it if it is shown.
  async function show(region) {
    if (shown?.name === region.name) return hide(region.name);
    shown = { name: region.name, done: null };
    await draw(region);
    const box = layer?.getBounds();
    if (box?.isValid()) view.map.fitBounds(box.pad(0.1));
    return undefined;
  }

  async function draw(region) {
    const { tiles } = region;
    const done = tiles.stored + tiles.absent + tiles.blank + tiles.failed;
    if (shown.done === done) return;
    shown.done = done;
    const own = shown;
    const picture = await post("tiles/coverage", { name: region.name });
    if (shown !== own) return;
    layer?.remove();
    layer = view.leaflet.featureGroup(Object.entries(looks).flatMap(([kind, look]) =>
      picture[kind].map((tile) => rectangle(picture.level, tile, look)))).addTo(view.map);
  }

  function rectangle(level, [column, row], look) {
    const side = 2 ** level;
    return view.leaflet.rectangle([
      [latitude(row / side), column / side * 360 - 180],
      [latitude((row + 1) / side), (column + 1) / side * 360 - 180],
    ], { ...look, fillColor: look.color, interactive: false });
  }

  function hide(name) {
    if (shown?.name !== name) return;
    shown = null;
    layer?.remove();
    layer = null;
  }

  /// Draws again what has changed of the region that is shown.
  function follow(regions) {
    if (!shown) return;
    const region = regions.find((each) => each.name === shown.name);
    if (region) draw(region).catch(() => {});
    else hide(shown.name);
  }

  return { show, hide, follow, remove: () => shown && hide(shown.name) };
}

/// The latitude at a part of the height of the Web Mercator's world.
function latitude(part) {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * part))) * 180 / Math.PI;
}
