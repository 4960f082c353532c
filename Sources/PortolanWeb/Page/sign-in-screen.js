// Signs in with a name and a password or on the portal's own page, and shows the account.

import { post } from "./api.js";
import { button, fill, focusOn, h, keepingFocus, labelled, runBusy } from "./dom.js";
import { current, subscribe } from "./events.js";
import { icon } from "./icons.js";
import { announce, attempt, notify, problemBox } from "./notices.js";
import { webAddress } from "./sanitize.js";
import { createServerList } from "./server-list.js";
import { t } from "./texts.js";

export function createSignInScreen() {
  const heading = h("h1", { text: t("signIn.title") });
  const content = h("div", {});
  const servers = createServerList();
  const element = h("div", { class: "screen narrow" }, heading, content, servers.element);
  let drawn = null;
  let form = null;
  const draw = () => {
    const session = current("session");
    const key = session && JSON.stringify([isSignedIn(session), current("hello")?.demo ?? null]);
    if (!session || key === drawn) return;
    drawn = key;
    const wasForm = form !== null;
    if (isSignedIn(session)) form = null;
    else form ??= createSignInForm();
    heading.textContent = form ? t("signIn.title") : t("signIn.account");
    form?.offer(session);
    if (!form || !wasForm) fill(content, form?.elements ?? accountView(session));
    updateForm(content, session);
  };
  const unsubscribe = ["session", "hello", "jobs"].map((name) => subscribe(name, draw));
  const detail = subscribe("session", (session) => {
    updateForm(content, session);
    servers.update(session);
  });
  return {
    element, heading, title: t("signIn.title"),
    remove: () => [...unsubscribe, detail].forEach((end) => end()),
  };
}

/// Whether no sign-in is needed: a portal may take a token back that has not ended yet, and what is
/// downloaded from it waits then.
function isSignedIn(session) {
  return session.phase === "signedIn" && session.signedIn && !isWaitedFor();
}

function isWaitedFor() {
  return (current("jobs") ?? []).some((job) => job.waitingFor === "sign-in");
}

function accountView({ name: fullName, user, organization, portal }) {
  const signOut = () => attempt(async () => {
    await post("session/sign-out");
    notify(t("signIn.signedOut"));
  });
  const facts = [
    [t("signIn.username"), user], [t("signIn.organization"), organization],
    [t("signIn.portal"), portal],
  ].filter(([, value]) => value);
  return h(
    "div", { class: "panel-card" },
    h("p", { class: "lead", text: t("signIn.signedInAs", { name: fullName }) }),
    h("dl", { class: "facts-list" }, facts.map(([name, value]) =>
      h("div", {}, h("dt", { text: name }), h("dd", { text: value })))),
    h("div", { class: "actions" },
      h("a", { class: "button primary", href: "#/maps" }, icon("map"),
        h("span", { text: t("signIn.toMaps") })),
      button(t("signIn.signOut"), "signOut", signOut)));
}

/// Returns { elements, offer(session) }. `offer` enters what is known of the portal and its demo, except where something else
/// was typed.
function createSignInForm() {
  const portal = h("input", {
    type: "url", name: "portal", autocomplete: "url", inputmode: "url", spellcheck: "false",
  });
  const username = h("input", {
    name: "username", autocomplete: "username", required: true, autocapitalize: "none", spellcheck: "false",
  });
  const password = h("input", { type: "password", name: "password", autocomplete: "current-password" });
  const problem = h("div", { class: "form-problem", role: "alert" });
  const submit = h("button", { type: "submit", class: "button primary wide-button" },
    icon("signIn"), h("span", { class: "button-label", text: t("signIn.submit") }));
  const form = h(
    "form", { class: "panel-card stack", novalidate: true },
    h("p", { class: "lead", text: t("signIn.intro") }),
    h("div", { class: "needs-sign-in" }), problem,
    labelled(t("signIn.portal"), portal, t("signIn.portalHint")),
    labelled(t("signIn.username"), username), labelled(t("signIn.password"), password), submit,
    h("p", { class: "or", text: t("signIn.or") }),
    browserSignIn(portal, problem));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    runBusy(submit, () => signIn({ portal, username, password, problem }));
  });
  const accounts = h("div", {});
  const offered = new Map();
  function offer(session) {
    const demo = current("hello")?.demo ?? null;
    const { username: user = "", password: word = "" } = demo?.accounts[0] ?? {};
    for (const [control, value] of [[portal, session.portal ?? demo?.portal ?? ""], [username, user], [password, word]]) {
      if (control.value === (offered.get(control) ?? "")) control.value = value;
      offered.set(control, value);
    }
    keepingFocus(accounts, () => fill(accounts, demo ? accountList(demo, { portal, username, password }) : null));
  }
  return { elements: [form, accounts], offer };
}

async function signIn({ portal, username, password, problem }) {
  problem.replaceChildren();
  if (!username.value.trim()) {
    fill(problem, problemBox({ message: t("signIn.usernameMissing") }));
    username.focus();
    return;
  }
  announce(t("signIn.inProgress"));
  const typed = () => JSON.stringify([portal, username, password].map(({ value }) => value));
  const sent = typed();
  try {
    await post("session/sign-in", {
      ...portalOf(portal), username: username.value.trim(), password: password.value,
    });
    location.hash = "#/maps";
  } catch (reason) {
    fill(problem, problemBox(reason));
    // What is being typed by now is not taken for the password that was wrong.
    if (typed() !== sent) return;
    password.focus();
    password.select();
  }
}

function portalOf(input) {
  const portal = input.value.trim();
  return portal ? { portal } : {};
}

/// Starts the sign-in on the portal's page; the link to that page appears once it is known.
function browserSignIn(portal, problem) {
  const start = button(t("signIn.browser"), "globe", async () => {
    problem.replaceChildren();
    try {
      await post("session/sign-in-browser", portalOf(portal));
    } catch (reason) {
      if (reason.kind !== "cancellation") fill(problem, problemBox(reason));
    }
  }, { class: "button wide-button" });
  return h(
    "div", { class: "browser-sign-in stack" }, start,
    h("p", { class: "hint", text: t("signIn.browserHint") }),
    h("div", { class: "continue", "aria-live": "polite" }));
}

/// Shows what changes while the form is open: the portal's page and a problem of the session.
function updateForm(content, session) {
  const place = content.querySelector(".continue");
  if (!place) {
    return;
  }
  const page = webAddress(session.page);
  if (place.dataset.page !== (page ?? "")) {
    place.dataset.page = page ?? "";
    fill(place, page ? continueLink(page) : null);
    if (page) focusOn(place.querySelector("a"));
  }
  const note = content.querySelector(".needs-sign-in");
  const reason = session.problem
    ?? (session.phase === "needsSignIn" || isWaitedFor() ? { message: t("signIn.needsSignIn") } : null);
  fill(note, reason ? problemBox(reason) : null);
}

function continueLink(page) {
  return h(
    "div", { class: "callout stack" }, h("p", { text: t("signIn.continueText") }),
    h("a", { class: "button primary", href: page, target: "_blank", rel: "noopener" },
      icon("globe"), h("span", { text: t("signIn.continue") })),
    button(t("signIn.cancel"), null, () => attempt(() => post("session/cancel-sign-in")), {
      class: "button",
    }));
}

function accountList(demo, { portal, username, password }) {
  return h(
    "section", { class: "accounts" }, h("h2", { text: t("demo.accounts") }),
    h("ul", { class: "rows" }, demo.accounts.map((account) => h(
      "li", {},
      h("div", { class: "row-title" }, h("strong", { text: t("demo.account", account) }),
        account.purpose ? h("span", { class: "hint", text: account.purpose }) : null),
      button(t("demo.useAccount", account), null, () => {
        if (demo.portal) portal.value = demo.portal;
        username.value = account.username;
        password.value = account.password;
        username.form.querySelector("[type=submit]").focus();
      })))));
}
