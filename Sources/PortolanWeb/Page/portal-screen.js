// Searches the portal.

import { addressOf, keepAddress } from "./address.js";
import { post } from "./api.js";
import { button, emptyState, fill, h, labelled, newID, runBusy } from "./dom.js";
import { current, subscribe } from "./events.js";
import { bytes, day, number } from "./format.js";
import { icon } from "./icons.js";
import { announce, attempt, problemBox } from "./notices.js";
import { t } from "./texts.js";

/// What can be searched for, by the portal's names of kinds.
const filters = {
  kindAll: ["Web Map", "Mobile Map Package"],
  kindWebMap: ["Web Map"],
  kindPackage: ["Mobile Map Package"],
  kindAny: [],
};

/// The last search, so that going back from an item shows it again. The address has it as well, for pages that are
/// loaded again.
const last = { text: "", filter: "kindAll", answer: null };

export function createPortalScreen(_, parameters) {
  if (parameters.size > 0) recall(parameters);
  keepAddress(addressOfLast());
  const heading = h("h1", { text: t("portal.title") });
  const text = h("input", {
    type: "search", name: "text", placeholder: t("portal.placeholder"), value: last.text,
  });
  const filter = h("select", { name: "kind" }, Object.keys(filters).map((name) =>
    h("option", { value: name, text: t(`portal.${name}`), selected: name === last.filter })));
  const submit = h("button", { type: "submit", class: "button primary" }, icon("search"),
    h("span", { class: "button-label", text: t("portal.searchButton") }));
  const form = h(
    "form", { class: "portal-search", role: "search" }, h("div", { class: "field grow" },
      h("label", { for: (text.id = newID("search")), text: t("portal.search") }), text),
    labelled(t("portal.kind"), filter), submit);
  const signedOut = h("div", {});
  const results = h("div", { class: "results" });
  const element = h("div", { class: "screen" }, heading, signedOut, form, results);
  const search = () => {
    showSearching(results);
    return runBusy(submit, async () => {
      let asked = null;
      // What is changed while the portal answers is asked for afterwards.
      while (asked !== question()) {
        asked = question();
        await load(results, false).catch((problem) => {
          if (asked === question()) drawProblem(results, problem, search);
        });
      }
      results.removeAttribute("aria-busy");
    });
  };
  /// Each search has an address of its own, so that going back shows the one before.
  const begin = () => {
    turnTo({ text: text.value.trim(), filter: filter.value });
    const address = addressOfLast();
    if (location.hash === address) return search();
    location.hash = address;
    return undefined;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  filter.addEventListener("change", begin);
  const navigate = (latest) => {
    const before = question();
    recall(latest);
    // The address of what is searched for already takes nothing from what has been typed since.
    if (question() !== before) {
      text.value = last.text;
      filter.value = last.filter;
    }
    search();
  };
  const unsubscribe = subscribe("session", ({ phase }) => {
    fill(signedOut, ["signedIn", "unknown", "signingIn"].includes(phase) ? null : signInHint());
  });
  if (last.answer) drawResults(results);
  else search();
  return { element, heading, title: t("portal.title"), navigate, remove: unsubscribe };
}

/// Takes over the search of an address.
function recall(parameters) {
  const kind = parameters.get("kind");
  turnTo({
    text: parameters.get("text") ?? "", filter: Object.hasOwn(filters, kind) ? kind : "kindAll",
  });
}

/// Takes over what is searched for; what was found for anything else is no answer to it.
function turnTo(latest) {
  if (latest.text !== last.text || latest.filter !== last.filter) last.answer = null;
  Object.assign(last, latest);
}

function addressOfLast() {
  return addressOf("portal", {
    text: last.text, kind: last.filter === "kindAll" ? null : last.filter,
  });
}

/// What is there stays until the portal has answered again, unless it is the answer to something else.
function showSearching(element) {
  element.setAttribute("aria-busy", "true");
  if (!last.answer || element.querySelector(".problem-box, .empty")) {
    fill(element, h("p", { role: "status", text: t("common.loading") }));
  }
}

/// Says why nothing was found, in the place of what an older search has found.
function drawProblem(element, problem, again) {
  if (problem.kind === "cancellation") return;
  last.answer = null;
  fill(element, problemBox(problem, [], again));
  announce([problem.message, problem.suggestion].filter(Boolean).join(" "), { isUrgent: true });
}

function signInHint() {
  if (current("network")?.online === false) return null;
  return h(
    "p", { class: "callout" }, t("portal.signedOut"), " ",
    h("a", { href: "#/sign-in", text: t("common.signIn") }));
}

/// What is searched for, to be compared.
function question() {
  return JSON.stringify([last.text, last.filter]);
}

async function load(results, isMore) {
  if (isMore && !last.answer) return;
  const kinds = filters[last.filter];
  const asked = question();
  const answer = await post("portal/search", {
    text: last.text, kinds, page: isMore ? last.answer.page + 1 : 1,
  });
  // A further page of an older search does not belong to what is shown by now.
  if (asked !== question()) return;
  last.answer = merged(answer, isMore);
  drawResults(results);
  announce(t("portal.results", { count: answer.total }));
}

/// The rows of an answer and, for a further page, those before it.
function merged(answer, isMore) {
  const before = isMore && last.answer ? last.answer.items : [];
  const known = new Set(answer.items.map((row) => row.id));
  return { ...answer, items: [...before.filter((row) => !known.has(row.id)), ...answer.items] };
}

function drawResults(element) {
  const { items: rows, total, hasMore, problem } = last.answer;
  if (rows.length === 0 && !problem) {
    const isNarrow = last.text !== "" && last.filter !== "kindAny";
    fill(element, emptyState({
      iconName: "search", title: last.text ? t("portal.noneFor", { text: last.text }) : t("portal.none"),
      text: t(isNarrow ? "portal.noneText" : "portal.noneOther"),
      actions: isNarrow ? [h("a", {
        class: "button", href: addressOf("portal", { text: last.text, kind: "kindAny" }),
        text: t("portal.searchAll"),
      })] : [],
    }));
    return;
  }
  const focusIndex = element.querySelectorAll(".result").length;
  const hadFocus = element.contains(document.activeElement);
  fill(
    element, problem ? problemBox(problem) : null,
    h("p", { class: "hint", text: t("portal.shown", {
      shown: number(rows.length), total: number(total),
    }) }),
    h("ul", { class: "result-list" }, rows.map(resultRow)),
    hasMore ? button(t("portal.more"), "down", () => attempt(() => load(element, true))) : null);
  if (hadFocus) element.querySelectorAll(".result a")[focusIndex]?.focus();
}

/// Where a package stands on this device; null for other items.
function stateText({ state, progress }) {
  if (!state) return null;
  const fraction = progress?.fraction ?? null;
  return state === "downloading" && fraction !== null
    ? t("portal.state.downloadingPart", { percent: number(Math.floor(fraction * 100)) })
    : t(`portal.state.${state}`);
}

function resultRow(row) {
  const facts = [
    row.type, row.owner ? t("portal.by", { owner: row.owner }) : null, day(row.modified),
    row.size > 0 ? bytes(row.size) : null, stateText(row),
  ].filter(Boolean);
  return h(
    "li", { class: "result" },
    h("h2", {}, h("a", { href: `#/item/${encodeURIComponent(row.id)}`, text: row.title })),
    h("p", { class: "facts", text: facts.join(" · ") }),
    row.snippet ? h("p", { class: "summary", text: row.snippet }) : null);
}
