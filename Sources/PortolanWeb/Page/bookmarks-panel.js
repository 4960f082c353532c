// The bookmarks of the map; each one moves the map there.

import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { announce } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }; `goTo(center, scale)` moves the map.
export function createBookmarksPanel(goTo) {
  const element = h("div", {});
  let drawn = null;
  function update({ bookmarks }) {
    const key = JSON.stringify(bookmarks);
    if (key === drawn) return;
    drawn = key;
    fill(element, bookmarks.length === 0 ? h("p", { class: "hint", text: t("bookmarks.empty") })
      : h("ul", { class: "bookmark-list" }, bookmarks.map((bookmark) => row(bookmark, goTo))));
  }
  return { element, update };
}

function row({ name, picture, center, scale }, goTo) {
  const element = h(
    "button", { type: "button", class: "bookmark", disabled: !center },
    picture ? h("img", { src: picture, alt: "", loading: "lazy" })
      : h("span", { class: "bookmark-icon" }, icon("bookmark")),
    h("span", { text: name }));
  element.addEventListener("click", () => {
    goTo(center, scale);
    announce(t("bookmarks.wentTo", { name }));
  });
  return h("li", {}, element);
}
