// How an area is taken offline, beyond what of it: what the author of the map has set holds unless
// something is chosen here.

import { post } from "./api.js";
import { fill, h, labelled } from "./dom.js";
import { bytes } from "./format.js";
import { t } from "./texts.js";

/// The names that Portolan's actions have for the layers whose attachments are taken.
const attachments = ["none", "allLayers", "readOnlyLayers", "editableLayers"];

/// Those of the directions in which attachments are synchronized.
const directions = ["none", "upload", "bidirectional"];

/// Those of what is taken or left as a whole.
const switches = [
  "noBasemap", "keepOnline", "noUpdates", "schemaOnly", "allRows", "ignoreFilters", "stopOnErrors",
];

/// Those of which depends what of the layers can be taken.
const ofLayers = ["noBasemap", "keepOnline"];

/// Returns { element, values(), layerValues(), typedScales(), setScales(isShown), loadBasemaps() }.
/// `onChange(isOfLayers)` is told of each change.
export function offlineOptions(onChange) {
  const changed = () => onChange(false);
  const choice = (name, all) => h("select", { name, onchange: changed },
    h("option", { value: "", text: t("offline.asAuthored") }),
    all.map((value) => h("option", { value, text: t(`offline.${name}.${value}`) })));
  const returned = choice("attachments", attachments);
  const direction = choice("attachmentSync", directions);
  const basemap = h("select", { name: "basemap", onchange: () => onChange(true) });
  const basemaps = h("div", { hidden: true }, labelled(t("offline.basemap"), basemap));
  const boxes = switches.map((name) => h("input", {
    type: "checkbox", name, onchange: () => onChange(ofLayers.includes(name)),
  }));
  const [minScale, maxScale] = ["minScale", "maxScale"].map((name) => h("input", {
    type: "number", name, min: "0", step: "any", onchange: changed,
  }));
  const scales = h("div", { hidden: true },
    labelled(t("offline.minScale"), minScale), labelled(t("offline.maxScale"), maxScale));
  const element = h("div", {}, scales, h("details", {},
    h("summary", { text: t("offline.options") }), basemaps,
    labelled(t("offline.attachments"), returned),
    labelled(t("offline.attachmentSync"), direction),
    h("ul", { class: "plain-list" }, boxes.map((box) =>
      h("li", {}, h("label", {}, box, " ", t(`offline.${box.name}`)))))));

  function layerValues() {
    return {
      ...Object.fromEntries(
        boxes.filter(({ name }) => ofLayers.includes(name)).map(({ name, checked }) => [name, checked])),
      basemap: basemap.value || undefined,
    };
  }

  /// Offers the tile packages of the maps on this device; the choice stays where it still is one.
  async function loadBasemaps() {
    const { basemaps: all } = await post("offline/basemaps");
    const chosen = basemap.value;
    fill(basemap, h("option", { value: "", text: t("offline.basemapOfMap") }),
      all.map(({ id, name, map, bytes: size }) => h("option", {
        value: id, text: t("offline.basemapOf", { name, map, size: bytes(size) }),
      })));
    basemap.value = all.some(({ id }) => id === chosen) ? chosen : "";
    basemaps.hidden = all.length === 0;
  }

  function values() {
    return {
      ...Object.fromEntries(boxes.map(({ name, checked }) => [name, checked])),
      basemap: basemap.value || undefined, attachments: returned.value || undefined, attachmentSync: direction.value || undefined,
    };
  }

  /// The scales that were typed; 0 for no limit.
  function typedScales() {
    return { minScale: Number(minScale.value), maxScale: Number(maxScale.value) };
  }

  function setScales(isShown) { scales.hidden = !isShown; }

  return { element, values, layerValues, typedScales, setScales, loadBasemaps };
}
