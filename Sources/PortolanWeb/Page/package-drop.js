// Brings packages in that are dropped on the list of maps, or chosen there.

import { post, sendFile } from "./api.js";
import { button, h } from "./dom.js";
import { attempt, showProgress } from "./notices.js";
import { importPackage } from "./package-import.js";
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

/// Keeps a browser from leaving the page for a file that is dropped where nothing takes it.
export function refuseOtherDrops() {
  for (const name of ["dragover", "drop"]) {
    window.addEventListener(name, (event) => {
      const isFile = [...event.dataTransfer.types].includes("Files");
      if (!isFile || event.defaultPrevented || event.target.matches?.("input[type='file']")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    });
  }
}

async function importAll(files) {
  for (const file of files) await attempt(() => importOne(file));
}

/// Imports a file, which is sent again for each answer to what becomes of it.
function importOne(file) {
  return importPackage(async (policy) => {
    const progress = showProgress(t("import.running", { name: file.name }));
    try {
      return await post("maps/import", { upload: await sendFile(file, progress.update), policy });
    } finally {
      progress.remove();
    }
  });
}
