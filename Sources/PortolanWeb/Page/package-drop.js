// Brings packages in that are dropped on the list of maps, or chosen there.

import { Problem, post, sendFile } from "./api.js";
import { button, h } from "./dom.js";
import { attempt, notify, showProblem, showProgress } from "./notices.js";
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
  if (files.length === 1) return attempt(() => importOne(files[0]));
  // What becomes of them is told once all are over: the message of one would take the place of that of another.
  const outcomes = [];
  const failures = [];
  for (const file of files) {
    try {
      await importOne(file, (text) => outcomes.push(text));
    } catch (problem) {
      failures.push({ file, problem });
    }
  }
  if (outcomes.length > 0) notify(outcomes.join(" "));
  const again = () => importAll(failures.map(({ file }) => file));
  if (failures.length > 0) showProblem(together(failures.map(({ problem }) => problem)), again);
  return undefined;
}

/// Several problems as one, in which each is said once.
function together(problems) {
  if (problems.length === 1) return problems[0];
  const texts = problems.map(({ message, suggestion }) => [message, suggestion].filter(Boolean).join(" "));
  return new Problem({
    message: t("import.someFailed", { count: problems.length }), suggestion: [...new Set(texts)].join(" "),
    actions: problems.flatMap(({ actions = [] }) => actions),
  });
}

/// Imports a file, which is sent again for each answer to what becomes of it; `tell(text)` says what that was.
function importOne(file, tell) {
  return importPackage(async (policy) => {
    const progress = showProgress(t("import.running", { name: file.name }));
    try {
      return await post("maps/import", { upload: await sendFile(file, progress.update), policy });
    } finally {
      progress.remove();
    }
  }, tell);
}
