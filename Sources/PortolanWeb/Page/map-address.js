// The address of the map's screen: which map is open, and where it was moved to, so that it is shown again from a
// bookmark and after the page was loaded again.

import { addressOf } from "./address.js";
import { post } from "./api.js";

/// The address of an open map at a position of `{ center, zoom }`, or `null` as a whole.
export function mapAddress({ id, webMap, index }, position) {
  return addressOf("map", {
    map: id, "web-map": webMap, index: index > 0 ? index : null, at: position && placeText(position),
  });
}

function placeText({ center: [latitude, longitude], zoom }) {
  return [latitude.toFixed(6), longitude.toFixed(6), zoom].map(Number).join();
}

/// What an address says of the map: { id, webMap, index, position }, without ids for the one that is open.
export function mapOfAddress(parameters) {
  return {
    id: parameters.get("map"), webMap: parameters.get("web-map"),
    index: Number(parameters.get("index") ?? 0) || 0, position: positionOf(parameters.get("at")),
  };
}

/// A position as an address has it; `null` for none, or one that is nowhere.
function positionOf(text) {
  const numbers = (text ?? "").split(",").map((part) => part.trim() === "" ? NaN : Number(part));
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) return null;
  const [latitude, longitude, zoom] = numbers;
  if (Math.abs(latitude) > 85.06 || Math.abs(longitude) > 540) return null;
  return { center: [latitude, longitude], zoom: Math.round(zoom) };
}

/// Whether an address means the map that is open.
export function meansOpenMap({ id, webMap, index }, map) {
  if (!id && !webMap) return true;
  if (!map) return false;
  return (id ? map.id === id : !map.id && map.webMap === webMap) && (map.index ?? 0) === index;
}

/// Opens the map of an address, or one that was open before.
export async function openMapOfAddress({ id, webMap, index }) {
  if (id) await post("map/open", { id, index });
  else await post("portal/open", { id: webMap });
}
