// The tile layer. A new revision of the map is loaded above the one that is shown, and replaces it
// when all its tiles in view have arrived, so that nothing flickers.

const tileSize = 256;
const deepestLevel = 23;
const longestWait = 8000;

/// How long a loaded tile may take to appear, in milliseconds.
const decodingTime = 120;

/// Returns { show(revision) } for a Leaflet map.
export function createMapTiles(leaflet, map) {
  const ratio = window.devicePixelRatio > 1 ? 2 : 1;
  let shown = null;
  let next = null;

  function show(revision) {
    if ((next ?? shown)?.revision === revision) return;
    if (next) map.removeLayer(next.layer);
    next = { revision, layer: tileLayer(revision) };
    const own = next;
    own.layer.setOpacity(shown ? 0 : 1);
    own.layer.once("load", () => replace(own));
    own.layer.addTo(map);
    setTimeout(() => replace(own), longestWait);
  }

  function replace(own) {
    if (next !== own) return;
    const before = shown;
    own.layer.setOpacity(1);
    shown = own;
    next = null;
    if (before) setTimeout(() => map.removeLayer(before.layer), decodingTime);
  }

  function tileLayer(revision) {
    return leaflet.tileLayer(`/api/tiles/${revision}/{z}/{x}/{y}.png?ratio=${ratio}`, {
      tileSize, maxZoom: deepestLevel, minZoom: 0, keepBuffer: 2, className: "portolan-tiles",
      updateWhenIdle: false,
    });
  }

  return { show };
}
