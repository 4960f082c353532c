// Searches the list of maps, and puts it into another order.

import { addressOf, keepAddress } from "./address.js";
import { post } from "./api.js";
import { h, labelled } from "./dom.js";
import { announce, attempt } from "./notices.js";
import { t } from "./texts.js";

const orders = ["", "title", "size", "date"];

/// How long a person may pause before what is typed is searched for, in milliseconds.
const typingDelay = 200;

/// Lists that are shorter need no search.
const leastRows = 2;

/// What was searched for last, so that going back to the list shows it again. The address has it as well, for pages
/// that are loaded again.
const last = { text: "", order: "" };

/// Returns { element, rows(items), isSearch(), navigate(parameters), remove() }. `rows` gives those of the rows that are
/// wanted, in their order; `onChange` is called when others are.
export function createMapListBar(onChange, parameters) {
  if (parameters.size > 0) recall(parameters);
  keepAddress(addressOf("maps", last));
  const text = h("input", { type: "search", value: last.text, autocomplete: "off" });
  const order = h("select", {}, orders.map((name) => h("option", {
    value: name, text: t(`maps.order.${name || "list"}`), selected: name === last.order,
  })));
  const element = h(
    "form", { class: "list-bar", role: "search", hidden: true },
    labelled(t("maps.search"), text), labelled(t("maps.order"), order));
  let items = [];
  let known = "";
  let ids = null;
  let timer = null;
  let turn = 0;
  /// What was told last, which is not told again whenever the list changes.
  let told = null;
  element.addEventListener("submit", (event) => event.preventDefault());
  order.addEventListener("change", ask);
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, typingDelay);
  });

  function rows(latest) {
    items = latest;
    element.hidden = items.length < leastRows && !isActive();
    if (!isActive()) return items;
    const key = JSON.stringify(items.map((row) => [
      row.id, row.title, row.summary, row.bytes, row.modified, row.installed,
    ]));
    if (key !== known) ask();
    known = key;
    return wanted();
  }

  function wanted() {
    if (!ids) return items;
    const places = new Map(ids.map((id, index) => [id, index]));
    return items.filter((row) => places.has(row.id))
      .sort((left, right) => places.get(left.id) - places.get(right.id));
  }

  function isActive() {
    return last.text !== "" || last.order !== "";
  }

  /// Asks Portolan, which compares titles as it does at the command line.
  async function ask() {
    clearTimeout(timer);
    turn += 1;
    const own = turn;
    Object.assign(last, { text: text.value.trim(), order: order.value });
    keepAddress(addressOf("maps", last));
    const answer = isActive()
      ? await attempt(() => post("maps/find", { text: last.text, order: last.order })) : null;
    if (own !== turn) return;
    // Without an answer the list stays as it was found before.
    if (!isActive()) ids = null;
    else if (answer) ({ ids } = answer);
    tell();
    onChange();
  }

  function tell() {
    const news = last.text && JSON.stringify([last.text, wanted().length]);
    if (news && news !== told) announce(t("maps.found", { count: wanted().length }));
    told = news;
  }

  return {
    element, rows,
    isSearch: () => last.text !== "",
    navigate: (latest) => {
      recall(latest);
      Object.assign(text, { value: last.text });
      Object.assign(order, { value: last.order });
      ask();
    },
    remove: () => clearTimeout(timer),
  };
}

/// Takes over the search and the order of an address.
function recall(parameters) {
  const order = parameters.get("order") ?? "";
  Object.assign(last, {
    text: parameters.get("text") ?? "", order: orders.includes(order) ? order : "",
  });
}
