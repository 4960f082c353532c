// Chooses between the maps of the open package.

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { attempt } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }; hidden for a package with one map. `mayLeave` asks where
/// something would be lost with the map that is open.
export function createMapChoice({ mayLeave }) {
  const choice = h("select", { name: "map", class: "map-choice", "aria-label": t("map.choose") });
  let open = null;
  let shown = "";
  choice.addEventListener("change", async () => {
    const index = Number(choice.value);
    if (await mayLeave()) await attempt(() => post("map/open", { id: open.id, index }));
    // What is open says which one is chosen, also where the other could not be opened.
    choice.value = String(open.index);
  });

  function update(map) {
    open = map;
    choice.hidden = !map.id || map.siblings.length < 2;
    const latest = JSON.stringify(map.siblings);
    if (latest !== shown) {
      shown = latest;
      fill(choice, map.siblings.map((title, index) => h("option", { value: String(index), text: title })));
    }
    choice.value = String(map.index ?? 0);
  }

  return { element: choice, update };
}
