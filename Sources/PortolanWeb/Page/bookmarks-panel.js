// The bookmarks of the map and those that the person has added; each one moves the map there.

import { post } from "./api.js";
import { fill, h, iconButton, labelled, runBusy } from "./dom.js";
import { current } from "./events.js";
import { icon } from "./icons.js";
import { announce, attempt } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }; `goTo(center, scale)` moves the map, `seen()` tells what of it is seen.
export function createBookmarksPanel(goTo, seen) {
  const list = h("div", {});
  const name = h("input", { type: "text", maxlength: 200, autocomplete: "off", required: true });
  const submit = h("button", { type: "submit", class: "button small", text: t("bookmarks.add") });
  const form = h("form", { class: "bookmark-form" }, labelled(t("bookmarks.name"), name), submit);
  const element = h("div", {}, list, form);
  let drawn = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    runBusy(submit, add);
  });

  function add() {
    return attempt(async () => {
      const typed = name.value;
      const text = typed.trim();
      await post("map/bookmark-add", { ...seen(), name: text, opening: current("map").opening });
      // What was typed meanwhile is the name of another one.
      if (name.value === typed) name.value = "";
      announce(t("bookmarks.added", { name: text }));
    });
  }

  function remove(bookmark) {
    return attempt(async () => {
      await post("map/bookmark-remove", { name: bookmark.name, opening: current("map").opening });
      name.focus();
      announce(t("bookmarks.removed", { name: bookmark.name }));
    });
  }

  function update({ bookmarks, bookmarksProblem }) {
    const key = JSON.stringify([bookmarks, bookmarksProblem]);
    if (key === drawn) return;
    drawn = key;
    fill(list,
      bookmarksProblem ? h("p", { class: "hint", text: bookmarksProblem }) : null,
      bookmarks.length === 0 ? h("p", { class: "hint", text: t("bookmarks.empty") })
        : h("ul", { class: "bookmark-list" }, bookmarks.map((each) => row(each, goTo, remove))));
  }
  return { element, update };
}

function row(bookmark, goTo, remove) {
  const { name, picture, center, scale, own } = bookmark;
  const element = h(
    "button", { type: "button", class: "bookmark", disabled: !center },
    picture ? h("img", { src: picture, alt: "", loading: "lazy" })
      : h("span", { class: "bookmark-icon" }, icon("bookmark")),
    h("span", { text: name }));
  element.addEventListener("click", () => {
    goTo(center, scale);
    announce(t("bookmarks.wentTo", { name }));
  });
  if (!own) return h("li", {}, element);
  return h("li", { class: "bookmark-row" }, element,
    iconButton(t("bookmarks.remove", { name }), "trash", () => remove(bookmark)));
}
