// Asks for the account of a person at a server that keeps accounts of its own.

import { route } from "./address.js";
import { post } from "./api.js";
import { ask, fill, h, labelled, setText } from "./dom.js";
import { icon } from "./icons.js";
import { webAddress } from "./sanitize.js";
import { t } from "./texts.js";

/// Signs in to a server, as far as a person wants that. Returns its address as it was entered; `null` if nobody signed in, as
/// where the portal's own sign-in was chosen, which is shown then.
///
/// - server: The address of the server, or no more than its host, if it is known.
/// - reason: Why it is asked.
export async function askForServer({ server = "", reason = null } = {}) {
  const form = createForm(server, reason);
  const ending = new AbortController();
  const isElsewhere = route().name !== "sign-in";
  const answer = await ask({
    title: t("server.title"), body: form.element,
    choices: [
      ...isElsewhere ? [{ value: "portal", label: t("server.portal") }] : [],
      { value: null, label: t("common.cancel") },
      { value: "server", label: t("signIn.submit"), kind: "primary", submit: () => form.submit(ending.signal) },
    ],
  });
  ending.abort();
  form.clear();
  if (answer === "portal") location.hash = "#/sign-in";
  return answer === "server" ? form.accepted() : null;
}

/// Returns { element, accepted, submit(signal), clear }. `submit` tells whether the server has accepted what was entered, and
/// says in place why it has not; `accepted` gives the address that it was accepted at.
function createForm(known, reason) {
  // What is not known yet is entered first.
  const server = h("input", {
    name: "server", value: known, autocomplete: "off", inputmode: "url", autocapitalize: "none", spellcheck: "false",
    "aria-required": "true", autofocus: !known,
  });
  const username = h("input", {
    name: "server-user", autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-required": "true",
    autofocus: Boolean(known),
  });
  const password = h("input", { type: "password", name: "server-password", autocomplete: "off" });
  const problem = h("div", { class: "form-problem", role: "alert" });
  const progress = h("p", { class: "hint", role: "status" });
  const element = h(
    "div", { class: "stack" }, reason ? h("p", { text: reason }) : null,
    h("p", { class: "hint", text: t("server.text") }), problem,
    labelled(t("server.address"), server, t("server.addressHint")),
    labelled(t("signIn.username"), username), labelled(t("signIn.password"), password, t("server.passwordHintAlone")),
    progress);
  // An address may be too long for its field, or look like another one: the host is told in full.
  const hint = document.createTextNode("");
  element.querySelector(`#${password.getAttribute("aria-describedby")}`).replaceChildren(hint);
  const tellHost = () => {
    const host = hostOf(server.value);
    hint.data = host ? t("server.passwordHint", { host }) : t("server.passwordHintAlone");
  };
  server.addEventListener("input", tellHost);
  tellHost();
  const fields = [server, username, password];
  let accepted = null;
  const values = () => JSON.stringify(fields.map(({ value }) => value));

  async function submit(signal) {
    problem.replaceChildren();
    for (const field of fields) field.removeAttribute("aria-invalid");
    if (!server.value.trim()) return refuse({ message: t("server.addressMissing") }, server);
    if (!username.value.trim()) return refuse({ message: t("signIn.usernameMissing") }, username);
    setText(progress, t("signIn.inProgress"));
    const sent = values();
    const address = server.value.trim();
    // Who is waited for no more is not to be signed in later.
    const giveUp = () => { post("session/cancel-sign-in-server", { server: address }).catch(() => {}); };
    signal.addEventListener("abort", giveUp);
    try {
      await post("session/sign-in-server", {
        server: address, username: username.value.trim(), password: password.value,
      }, { signal });
      accepted = address;
      return true;
    } catch (refusal) {
      const field = refusal.kind === "signIn" ? password : server;
      // What is being typed by now is not taken for what was wrong.
      return refuse(refusal, values() === sent ? field : null);
    } finally {
      signal.removeEventListener("abort", giveUp);
      setText(progress, "");
    }
  }

  /// Says what is wrong, and turns to the field that it is wrong with.
  function refuse({ message, suggestion }, field) {
    fill(problem, h("div", { class: "problem-box" }, icon("warning"), h(
      "div", {}, h("p", { class: "notice-title", text: message }), suggestion ? h("p", { text: suggestion }) : null)));
    if (!field) return false;
    field.setAttribute("aria-invalid", "true");
    field.focus();
    field.select();
    return false;
  }

  return {
    element, submit, accepted: () => accepted, clear: () => { password.value = ""; },
  };
}

/// The host that an address leads to, as it was typed; `null` if it leads to none.
function hostOf(text) {
  const typed = text.trim();
  const address = webAddress(typed.includes("://") ? typed : `https://${typed}`);
  return address ? new URL(address).host : null;
}
