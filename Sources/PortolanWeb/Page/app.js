// Starts the page and shows the screen that the address names.

import { enterPlace, followHistory, isShown, markShown, route, stay } from "./address.js";
import { fill, focusOn, h } from "./dom.js";
import { follow, subscribeToConnection, wasReloaded } from "./events.js";
import { followMapNews } from "./map-news.js";
import { createMapsScreen } from "./maps-screen.js";
import { dismissSeen, installNotices, notify } from "./notices.js";
import { refuseOtherDrops } from "./package-drop.js";
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
/// The name and the argument of the present screen.
let presentName = null;
let turn = 0;

document.documentElement.lang = language;
document.getElementById("shell").replaceWith(...shell.elements);
installNotices();
followMapNews();
refuseOtherDrops();
followHistory();
window.addEventListener("hashchange", () => {
  enterPlace();
  show({ movesFocus: true });
});
show({ movesFocus: false });
follow();
if (wasReloaded()) notify(t("app.reloaded"));

/// Shows the screen of the address. A screen is { element, title, heading?, mayLeave?, navigate?, remove? };
/// `mayLeave` asks where something would be lost, and `navigate` takes over other parameters of its address and
/// gives `false` if it did not.
async function show({ movesFocus }) {
  turn += 1;
  const ownTurn = turn;
  if (present && isShown()) return;
  const { name, argument, parameters } = route();
  const fullName = JSON.stringify([name, argument]);
  if (present?.navigate && presentName === fullName) {
    if (await present.navigate(parameters) === false) {
      if (ownTurn === turn) stay();
    } else if (ownTurn === turn) {
      markShown();
    }
    return;
  }
  const create = await load(name);
  if (ownTurn !== turn) return;
  if (present?.mayLeave && !await present.mayLeave()) {
    if (ownTurn === turn) stay();
    return;
  }
  if (ownTurn !== turn) return;
  present?.remove?.();
  dismissSeen();
  const scrollTop = markShown();
  present = create(argument, parameters);
  presentName = fullName;
  document.body.dataset.screen = name;
  document.title = `${present.title} – ${t("app.name")}`;
  shell.setScreen(name);
  fill(shell.main, present.element);
  if (!movesFocus) return;
  window.scrollTo(0, scrollTop);
  focusOn(present.heading ?? shell.main.querySelector("h1"), { preventScroll: true });
}

async function load(name) {
  try {
    return await (Object.hasOwn(screens, name) ? screens[name]() : notFound);
  } catch {
    return loadFailure;
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
