// The frame around each screen: header, navigation, banners and the main landmark.

import { post } from "./api.js";
import { createDemoBar } from "./demo-bar.js";
import { fill, h, runBusy, setText } from "./dom.js";
import { current, subscribe, subscribeToConnection } from "./events.js";
import { compassRose, icon } from "./icons.js";
import { announce, attempt, notify } from "./notices.js";
import { createPreviewBar } from "./preview-bar.js";
import { t } from "./texts.js";
import { hostWaitText } from "./transfer-view.js";

const sections = [
  { screen: "maps", iconName: "grid", label: t("nav.maps") },
  { screen: "map", iconName: "map", label: t("nav.map") },
  { screen: "portal", iconName: "search", label: t("nav.portal"), also: ["item"] },
  { screen: "jobs", iconName: "jobs", label: t("nav.jobs") },
  { screen: "storage", iconName: "storage", label: t("nav.storage") },
];

/// Returns { elements, main, setScreen }.
export function createShell() {
  const main = h("main", { id: "main", tabindex: "-1" });
  const links = sections.map(sectionLink);
  const settings = settingsLink();
  const navigation = h(
    "nav", { class: "sections", "aria-label": t("app.mainNavigation") },
    h("ul", {}, links.map((link) => h("li", {}, link))));
  const header = h(
    "header", { class: "header" },
    h("a", { class: "brand", href: "#/maps" }, compassRose(), h("span", { text: t("app.name") })),
    navigation,
    h("div", { class: "header-end" }, networkButton(), settings, accountLink()));
  subscribe("jobs", (jobs) => showActiveJobs(links[3], jobs));
  return {
    elements: [skipLink(main), header, connectionBanner(), waitBanner(), createDemoBar(), createPreviewBar(), main],
    main,
    setScreen: (name) => {
      markPresent(links, name);
      mark(settings, name === "settings");
    },
  };
}

/// Moves the focus itself, since the address after `#` names the screen.
function skipLink(main) {
  const link = h("a", { class: "skip-link", href: "#main", text: t("app.skip") });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  return link;
}

function sectionLink({ screen, iconName, label }) {
  const link = h(
    "a", { href: `#/${screen}`, data: { screen } },
    icon(iconName), h("span", { class: "section-label", text: label }), h("span", { class: "badge" }));
  link.addEventListener("click", (event) => {
    // The screen that is shown keeps its address, which says more.
    if (document.body.dataset.screen === screen) event.preventDefault();
  });
  return link;
}

function markPresent(links, name) {
  for (const [index, link] of links.entries()) {
    const { screen, also = [] } = sections[index];
    mark(link, screen === name || also.includes(name));
  }
}

function mark(link, isPresent) {
  if (isPresent) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

function settingsLink() {
  const label = t("nav.settings");
  return h(
    "a", { class: "settings-link", href: "#/settings", "aria-label": label, title: label },
    icon("settings"));
}

function showActiveJobs(link, jobs) {
  const count = jobs.filter((job) => ["waiting", "running"].includes(job.state)).length;
  const badge = link.querySelector(".badge");
  if (badge.dataset.count === String(count)) return;
  badge.dataset.count = String(count);
  fill(badge, count === 0 ? null : [
    h("span", { "aria-hidden": "true", text: count }),
    h("span", { class: "visually-hidden", text: t("nav.activeJobs", { count }) }),
  ]);
}

/// Tells whether there is a network; a click checks again.
function networkButton() {
  const label = h("span", { class: "status-label" });
  const picture = h("span", { class: "status-icon" });
  const element = h("button", { type: "button", class: "status" }, picture, label);
  element.addEventListener("click", () => runBusy(element, () => attempt(async () => {
    await post("network/refresh");
    const network = current("network");
    notify(network ? networkText(network) : t("network.checked"));
  })));
  subscribe("network", (network) => {
    const isOnline = network.online;
    const text = networkText(network);
    const status = t(isOnline ? "network.online" : "network.offline");
    const description = `${t("network.status", { status, text })} ${t("network.check")}`;
    if (element.dataset.status && element.dataset.status !== status) announce(text);
    element.dataset.status = status;
    element.dataset.online = String(isOnline);
    element.title = description;
    element.setAttribute("aria-label", description);
    setText(label, status);
    fill(picture, icon(isOnline ? "online" : "offline"));
  });
  return element;
}

function networkText({ online: isOnline, metered: isMetered }) {
  if (!isOnline) return t("network.isOffline");
  return t(isMetered ? "network.isMetered" : "network.isOnline");
}

function accountLink() {
  const label = h("span", { class: "account-label" });
  const element = h("a", { class: "account", href: "#/sign-in" }, icon("account"), label);
  subscribe("session", ({ phase, signedIn, name }) => {
    setText(label, signedIn ? name : t("common.signIn"));
    element.classList.toggle("attention", phase === "needsSignIn");
  });
  return element;
}

function connectionBanner() {
  const element = h("div", { class: "banner", role: "status", hidden: true });
  let timer = null;
  let wasShown = false;
  subscribeToConnection((connection) => {
    clearTimeout(timer);
    if (connection === "connected") {
      element.hidden = true;
      document.body.classList.remove("disconnected");
      if (wasShown) notify(t("app.connectionBack"));
      wasShown = false;
      return;
    }
    timer = setTimeout(() => {
      wasShown = true;
      element.hidden = false;
      document.body.classList.add("disconnected");
      const text = t(connection === "refused" ? "app.connectionRefused" : "app.connectionLost");
      fill(element, h("span", { class: "spinner" }), h("span", { text }));
    }, 400);
  });
  return element;
}

/// Tells which host what was asked for waits for, and how long still: read out once, not each second.
function waitBanner() {
  const text = h("span");
  const element = h("div", { class: "banner", hidden: true }, h("span", { class: "spinner" }), text);
  let countdown = 0;
  const draw = (wait) => {
    clearTimeout(countdown);
    if (wait && element.hidden) announce(hostWaitText(wait));
    element.hidden = !wait;
    if (!wait) return;
    setText(text, hostWaitText(wait));
    countdown = setTimeout(() => draw(wait), 1000);
  };
  subscribe("waiting", draw);
  return element;
}
