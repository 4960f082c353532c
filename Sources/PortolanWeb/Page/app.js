// Starts the page and shows the screen that the address names.

import { fill, focusOn, h } from "./dom.js";
import { follow, subscribeToConnection, wasReloaded } from "./events.js";
import { createMapsScreen } from "./maps-screen.js";
import { installNotices, notify } from "./notices.js";
import { createShell } from "./shell.js";
import { language, t } from "./texts.js";

/// The screens by the first part of the address after `#/`. All but the first are loaded when they
/// are needed.
const screens = {
  maps: () => createMapsScreen,
  map: async () => (await import("./map-screen.js")).createMapScreen,
  portal: async () => (await import("./portal-screen.js")).createPortalScreen,
  item: async () => (await import("./item-screen.js")).createItemScreen,
  jobs: async () => (await import("./jobs-screen.js")).createJobsScreen,
  storage: async () => (await import("./storage-screen.js")).createStorageScreen,
  settings: async () => (await import("./settings-screen.js")).createSettingsScreen,
  "sign-in": async () => (await import("./sign-in-screen.js")).createSignInScreen,
};

const shell = createShell();
let present = null;
/// The address of the present screen.
let address = null;
let turn = 0;

document.documentElement.lang = language;
document.getElementById("shell").replaceWith(...shell.elements);
installNotices();
window.addEventListener("hashchange", () => show({ movesFocus: true }));
show({ movesFocus: false });
follow();
if (wasReloaded()) notify(t("app.reloaded"));

/// Shows the screen of the address. A screen is { element, title, heading?, mayLeave?, remove? };
/// `mayLeave` asks where something would be lost.
async function show({ movesFocus }) {
  turn += 1;
  const ownTurn = turn;
  if (present && location.hash === address) return;
  const [name, argument] = route();
  const create = await load(name);
  if (ownTurn !== turn) return;
  if (present?.mayLeave && !await present.mayLeave()) {
    if (ownTurn === turn) history.replaceState(null, "", address);
    return;
  }
  if (ownTurn !== turn) return;
  present?.remove?.();
  address = location.hash;
  present = create(argument);
  document.body.dataset.screen = name;
  document.title = `${present.title} – ${t("app.name")}`;
  shell.setScreen(name);
  fill(shell.main, present.element);
  if (!movesFocus) return;
  window.scrollTo(0, 0);
  focusOn(present.heading ?? shell.main.querySelector("h1"), { preventScroll: true });
}

async function load(name) {
  try {
    return await (Object.hasOwn(screens, name) ? screens[name]() : notFound);
  } catch {
    return loadFailure;
  }
}

function route() {
  const [name, argument] = location.hash.replace(/^#\/?/, "").split("/");
  try {
    return [name || "maps", argument ? decodeURIComponent(argument) : null];
  } catch {
    // Somebody has cut the address.
    return ["", null];
  }
}

function notFound() {
  return messageScreen(t("app.notFound"), t("app.notFoundText"));
}

/// Says that Portolan does not send the screen, and loads the page again once it runs.
function loadFailure() {
  let wasLost = false;
  const remove = subscribeToConnection((connection) => {
    if (connection === "connected" && wasLost) location.reload();
    wasLost = connection !== "connected";
  });
  return {
    ...messageScreen(t("problem.notRunning"), t("problem.notRunningSuggestion")), remove,
  };
}

function messageScreen(title, text) {
  const element = h("div", { class: "screen" }, h("h1", { text: title }), h("p", { text }));
  return { element, title };
}
