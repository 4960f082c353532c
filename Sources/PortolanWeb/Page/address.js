// The address of the page: its screen, what that shows, and its place in the history of the browser.

/// The address of the screen that is shown; another one in the browser is on its way to be shown.
let shown = null;
/// The place in the history of what is shown, and of the address that the browser has now.
let shownPlace = 0;
let place = 0;
/// How far each place in the history was scrolled.
const scrolled = new Map();

/// Tells the places of the history apart from now on.
export function followHistory() {
  history.scrollRestoration = "manual";
  enterPlace();
  shownPlace = place;
  // Two places may have the same address.
  window.addEventListener("popstate", () => {
    if (location.hash !== shown || !isKnown()) return;
    place = history.state.place;
    shownPlace = place;
  });
  window.addEventListener("scroll", () => scrolled.set(shownPlace, window.scrollY), { passive: true });
}

/// Takes over the place of an address that the browser has turned to.
export function enterPlace() {
  if (isKnown()) {
    place = history.state.place;
    return;
  }
  place += 1;
  scrolled.delete(place);
  history.replaceState({ place }, "");
}

function isKnown() {
  return Number.isInteger(history.state?.place);
}

/// Whether the screen of the browser's address is the one that is shown.
export function isShown() {
  return location.hash === shown;
}

/// Takes over that the screen of the browser's address is shown. Returns how far it was scrolled when it was
/// left, 0 for a new place.
export function markShown() {
  shown = location.hash;
  shownPlace = place;
  return scrolled.get(place) ?? 0;
}

/// Goes back to the place that is shown, since it is not left.
export function stay() {
  if (place !== shownPlace) history.go(shownPlace - place);
  else history.replaceState({ place }, "", shown);
}

/// Gives the screen that is shown another address, in the same place of the history.
export function keepAddress(address) {
  if (!isShown() || address === shown) return;
  shown = address;
  history.replaceState({ place: shownPlace }, "", address);
}

/// The screen, the argument and the parameters of an address such as `#/item/ID` or `#/portal?text=maine`.
export function route(address = location.hash) {
  const [path, ...query] = address.replace(/^#\/?/, "").split("?");
  const [name, argument] = path.split("/");
  const parameters = new URLSearchParams(query.join("?"));
  try {
    return {
      name: name || "maps", argument: argument ? decodeURIComponent(argument) : null, parameters,
    };
  } catch {
    // Somebody has cut the address.
    return { name: "", argument: null, parameters };
  }
}

/// The address of a screen; parameters without a value are left out.
export function addressOf(name, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== ""));
  const text = String(query).replaceAll("%2C", ",");
  return text ? `#/${name}?${text}` : `#/${name}`;
}
