// The servers with accounts of their own that a person is signed in to.

import { post } from "./api.js";
import { button, fill, h, keepingFocus } from "./dom.js";
import { attempt, notify, signInToServer } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(session) }.
export function createServerList() {
  const list = h("ul", { class: "rows", hidden: true });
  const element = h(
    "section", { class: "accounts stack" }, h("h2", { text: t("server.list") }),
    h("p", { class: "hint", text: t("server.listText") }), list,
    h("div", { class: "actions" }, button(t("next.signInToServer"), "signIn", () => signInToServer())));
  let drawn = null;
  function update({ servers = [] }) {
    const key = JSON.stringify(servers);
    if (key === drawn) return;
    drawn = key;
    list.hidden = servers.length === 0;
    keepingFocus(element, () => fill(list, servers.map(row)));
  }
  return { element, update };
}

function row({ server, name, needsSignIn }) {
  const control = (label, iconName, action) => button(label, iconName, action, {
    class: "button small", "aria-label": t("action.of", { action: label, title: server }),
  });
  return h(
    "li", {},
    h("div", { class: "row-title" }, h("strong", { text: server }),
      h("span", { class: needsSignIn ? "failure" : "hint", text:
        t(needsSignIn ? "server.ended" : "server.signedInAs", { name }) })),
    h("div", { class: "actions" },
      needsSignIn ? control(t("common.signIn"), "signIn", () => signInToServer({ server })) : null,
      control(t("signIn.signOut"), "signOut", () => signOut(server))));
}

function signOut(server) {
  return attempt(async () => {
    await post("session/sign-out-server", { server });
    notify(t("server.signedOut", { server }));
  });
}
