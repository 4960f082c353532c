// Looks up the page's texts. The tables are in modules of their own, one per language; a language
// is added with its table here. What is missing in a table is shown in English.

import { english } from "./texts-en.js";

const tables = { en: english };

/// The language of the page: the first that the reader prefers and that has a table.
export const language = preferredLanguage();

const table = tables[language.split("-")[0]] ?? english;
const plurals = new Intl.PluralRules(language);
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/// The text of that key with its parameters filled in.
///
/// A text with plural forms is chosen by `count`.
export function t(key, parameters = {}) {
  const entry = table[key] ?? english[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : pluralForm(entry, parameters.count);
  return text.replace(/\{(\w+)\}/g, (match, name) => isolated(parameters[name] ?? match));
}

/// What is written from right to left, set apart so that the sentence around it keeps its order.
function isolated(value) {
  return rightToLeft.test(value) ? `\u2068${value}\u2069` : value;
}

/// The text of that key, or `fallback` where there is none.
export function textOr(key, fallback) {
  return table[key] || english[key] ? t(key) : fallback;
}

function pluralForm(forms, count) {
  return forms[plurals.select(count)] ?? forms.other;
}

function preferredLanguage() {
  const preferred = navigator.languages ?? [navigator.language];
  return preferred.find((name) => name.split("-")[0] in tables) ?? "en";
}
