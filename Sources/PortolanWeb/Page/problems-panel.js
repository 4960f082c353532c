// What of the map could not be drawn, and why.

import { post } from "./api.js";
import { button, fill, h, keepingFocus } from "./dom.js";
import { signInToServer } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }.
export function createProblemsPanel() {
  const element = h("div", {});
  let drawn = null;
  function update({ problems }) {
    const key = JSON.stringify(problems);
    if (key === drawn) return;
    drawn = key;
    keepingFocus(element, () => fill(element, h("h3", { text: t("map.problemsTitle") }), problemList(problems)));
  }
  return { element, update };
}

/// Why layers of the open map cannot be used, with buttons that sign in to the servers of those that lack it.
export function problemList(problems) {
  return h("ul", { class: "findings" }, problems.map((problem) => h(
    "li", {}, h("strong", { text: problem.title }), h("span", { text: problem.reason }),
    problem.server ? serverButton(problem, () => post("map/retry-layers")) : null)));
}

/// A button that signs in to the server of a layer, and does `again` then.
export function serverButton({ title, server, reason }, again) {
  const label = t("server.signIn");
  return h("div", { class: "actions" }, button(label, "signIn", () => signInToServer({ server, reason }, again), {
    class: "button small", "aria-label": t("action.of", { action: label, title }),
  }));
}
