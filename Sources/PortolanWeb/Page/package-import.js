// Brings a package in; where one of its name is there already, a person decides what becomes of it.

import { ask } from "./dom.js";
import { notify } from "./notices.js";
import { t } from "./texts.js";

/// Brings a package in. `take(policy)` does so, and answers with what became of it, which `tell(text)` says.
export async function importPackage(take, tell = notify, policy = null) {
  const { outcome, title, warnings } = await take(policy ?? "skip");
  const choice = outcome === "skipped" && policy === null ? await askPolicy(title) : null;
  if (choice) return importPackage(take, tell, choice);
  tell([t(`import.${outcome}`, { title }), ...warnings].join(" "));
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
