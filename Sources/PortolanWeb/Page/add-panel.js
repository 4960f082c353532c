// The first steps of adding a feature: which layer, and which kind.

import { post } from "./api.js";
import { fill, focusOn, h, runBusy } from "./dom.js";
import { icon } from "./icons.js";
import { attempt } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, update(map) }. `start(form, layer)` receives the form of the chosen layer and
/// kind.
export function createAddPanel(start) {
  const element = h("div", {});
  let drawn = null;

  function update({ editable, opening }) {
    const key = JSON.stringify([editable, opening]);
    if (key === drawn) return;
    drawn = key;
    fill(element, editable.length === 0 ? h("p", { class: "hint", text: t("form.noLayers") }) : [
      h("h3", { text: t("form.chooseLayer") }),
      choiceList(editable.map((layer) => ({
        label: layer.title, detail: t(`geometry.${layer.geometry ?? "none"}`),
        choose: () => chooseLayer(layer, opening),
      }))),
    ]);
  }

  async function chooseLayer(layer, opening) {
    const form = await post("map/form", { layer: layer.id, opening });
    if (form.templates.length < 2) return start(await withTemplate(form, form.templates[0]), layer);
    const heading = h("h3", { text: t("form.chooseTemplate") });
    fill(element, heading, choiceList(form.templates.map((name) => ({
      label: name, detail: layer.title,
      choose: async () => start(await withTemplate(form, name), layer),
    }))));
    focusOn(heading);
    drawn = null;
  }

  return { element, update };
}

async function withTemplate(form, name) {
  if (!name) return form;
  const chosen = await post("map/form-template", { name, form: form.form });
  return { ...chosen, templates: form.templates, chosenTemplate: name };
}

function choiceList(choices) {
  return h("ul", { class: "choice-list" }, choices.map(({ label, detail, choose }) => {
    const element = h(
      "button", { type: "button", class: "choice" },
      h("span", {}, h("strong", { text: label }), h("span", { class: "hint", text: detail })),
      icon("forward"));
    element.addEventListener("click", () => runBusy(element, () => attempt(choose)));
    return h("li", {}, element);
  }));
}
