// Finds places of the open map: suggestions while one types, places when one is chosen.

import { post } from "./api.js";
import { fill, h, keepingFocus, labelled, setText } from "./dom.js";
import { announce, attempt, problemBox } from "./notices.js";
import { createSearchLayers } from "./search-layers.js";
import { t } from "./texts.js";

/// How long typing has to pause before suggestions are asked for, in milliseconds.
const pause = 80;

/// Returns { element, update(map) }; `show(found)` shows what was chosen: { place, popups }.
export function createSearchPanel(show) {
  const input = h("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  const list = h("ul", { class: "place-list", "aria-label": t("search.places") });
  const status = h("p", { class: "hint", role: "status" });
  const form = h(
    "form", { class: "place-search", role: "search" },
    labelled(t("search.label"), input, t("search.hint")));
  const layers = createSearchLayers(() => suggest());
  const element = h("div", {}, form, layers.element, status, list);
  let timer = null;
  let request = null;

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, pause);
  });
  element.addEventListener("keydown", moveAlong);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });

  /// The arrow keys lead from the field into the list and along it.
  function moveAlong(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [input, ...list.querySelectorAll("button")];
    const place = stops.indexOf(document.activeElement);
    if (!step || place < 0 || stops.length === 1) return;
    event.preventDefault();
    stops[(place + step + stops.length) % stops.length].focus();
  }

  /// Asks again; the request before is no longer waited for.
  async function ask(name, body) {
    clearTimeout(timer);
    request?.abort();
    const own = new AbortController();
    request = own;
    try {
      const answer = await post(name, body, { signal: own.signal });
      return own === request ? answer : null;
    } catch (problem) {
      if (own === request) {
        fill(list);
        fill(status, problemBox(problem, [], () => suggest()));
      }
      return null;
    }
  }

  async function suggest() {
    const search = searchFor(input.value.trim());
    if (!search) return;
    const answer = await ask("map/suggest", search);
    if (answer) draw(answer.suggestions, "map/pick", search, answer.unsearched);
  }

  async function find() {
    const search = searchFor(input.value.trim());
    if (!search) return;
    const answer = await ask("map/find", search);
    if (answer) draw(answer.places, "map/place", search, answer.unsearched);
  }

  /// What is asked for: the text, and the layers unless all are meant. `null` if there is nothing to ask.
  function searchFor(text) {
    const chosen = layers.chosen();
    if (text && chosen?.length !== 0) return chosen ? { text, layers: chosen } : { text };
    request?.abort();
    request = null;
    fill(list);
    setText(status, text ? t("search.noLayers") : "");
    return null;
  }

  /// `unsearched` says what of the map could not be searched.
  function draw(entries, action, search, unsearched = []) {
    const text = entries.length === 0
      ? t("search.none") : t("search.count", { count: entries.length });
    setText(status, [text, ...unsearched].join(" "));
    keepingFocus(list, () => fill(list, entries.map(
      (entry, index) => row(entry, () => choose(action, { index, label: entry.label, ...search })))));
  }

  function row({ label, layer, isCollection }, action) {
    const more = isCollection ? t("search.several", { layer }) : layer;
    return h("li", {}, h(
      "button", { type: "button", class: "choice", onclick: action },
      h("span", {}, h("span", { text: label }), h("span", { class: "hint", text: more }))));
  }

  /// Shows what was picked. `choice` is its place in the list, its label, and what was asked for.
  function choose(action, choice) {
    return attempt(async () => {
      const found = await post(action, choice);
      if (!found.place) {
        setText(status, t("search.none"));
        return;
      }
      announce(t("search.wentTo", { name: choice.label }));
      show(found);
    });
  }

  return { element, update: (map) => layers.update(map.searchable) };
}
