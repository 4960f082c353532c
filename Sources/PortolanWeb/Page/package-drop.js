// Brings packages in that are dropped on the list of maps, or chosen there.

import { post, sendFile } from "./api.js";
import { ask, button, h } from "./dom.js";
import { announce, attempt, notify } from "./notices.js";
import { t } from "./texts.js";

/// Returns { element, remove() }; files that are dropped anywhere on `place` are imported.
export function createPackageDrop(place) {
  const input = h("input", {
    type: "file", accept: ".mmpk", multiple: true, class: "visually-hidden", tabindex: "-1",
    "aria-label": t("import.choose"),
  });
  const choose = button(t("import.choose"), "plus", () => input.click(), {
    title: t("import.hint"),
  });
  const element = h("div", { class: "package-drop" }, choose, input);
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    importAll(files);
  });
  place.addEventListener("dragover", over);
  place.addEventListener("dragleave", leave);
  place.addEventListener("drop", drop);

  function over(event) {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    place.classList.add("takes-drop");
  }

  function leave(event) {
    if (!place.contains(event.relatedTarget)) place.classList.remove("takes-drop");
  }

  function drop(event) {
    place.classList.remove("takes-drop");
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    importAll([...event.dataTransfer.files]);
  }

  function remove() {
    place.removeEventListener("dragover", over);
    place.removeEventListener("dragleave", leave);
    place.removeEventListener("drop", drop);
  }

  return { element, remove };
}

async function importAll(files) {
  for (const file of files) await attempt(() => importOne(file));
}

/// Imports a file; where a package of its name is there, a person decides what becomes of it.
async function importOne(file, policy = null) {
  announce(t("import.running", { name: file.name }));
  const upload = await sendFile(file);
  const { outcome, title, warnings } = await post("maps/import", { upload, policy: policy ?? "skip" });
  const choice = outcome === "skipped" && policy === null ? await askPolicy(title) : null;
  if (choice) return importOne(file, choice);
  notify([t(`import.${outcome}`, { title }), ...warnings].join(" "));
  return undefined;
}

/// What to do with a package whose name is there already; `null` to leave it out.
function askPolicy(title) {
  return ask({
    title: t("import.conflictTitle", { title }), body: t("import.conflictText"),
    choices: [
      { value: null, label: t("import.skip"), isDefault: true },
      { value: "rename", label: t("import.rename") },
      { value: "replace", label: t("import.replace"), kind: "primary" },
    ],
  });
}
