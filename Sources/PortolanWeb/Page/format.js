// Numbers, sizes, dates and durations in the reader's language.

import { language, t } from "./texts.js";

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/// A size such as "1.5 MB", in powers of 1000.
export function bytes(count) {
  if (count === null || count === undefined) return "";
  let value = count;
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(language, {
    style: "unit", unit: byteUnits[unit], unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: unit > 1 && value < 100 ? 1 : 0,
  }).format(value);
}

/// A rate such as "2.3 MB/s".
export function rate(bytesPerSecond) {
  return t("format.rate", { size: bytes(bytesPerSecond) });
}

/// The time left, such as "about 3 minutes left".
export function timeLeft(seconds) {
  if (seconds < 5) return t("format.fewSecondsLeft");
  return t("format.timeLeft", { duration: duration(seconds) });
}

/// How long it is until a moment, to the second within a minute.
export function timeUntil(moment) {
  const seconds = Math.max(0, Math.ceil((new Date(moment) - Date.now()) / 1000));
  return seconds < 60 ? unit(seconds, "second") : duration(seconds);
}

function duration(seconds) {
  if (seconds < 60) return unit(Math.ceil(seconds / 5) * 5, "second");
  if (seconds < 3600) return unit(Math.ceil(seconds / 60), "minute");
  return unit(Math.ceil(seconds / 3600), "hour");
}

function unit(value, name) {
  return new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "long" })
    .format(value);
}

/// A whole percentage, such as "42%".
export function percent(fraction) {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 })
    .format(fraction);
}

/// A whole or broken number with separators.
export function number(value, digits = 2) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/// A day such as "May 3, 2026"; empty for none or for a text that is no date.
export function day(iso) {
  return formatDate(iso, { dateStyle: "medium" });
}

/// A day and a time, in the reader's time zone unless another is given; empty for none or for a text that is no date.
export function moment(iso, timeZone) {
  return formatDate(iso, { dateStyle: "medium", timeStyle: "short", timeZone });
}

/// The name of the reader's time zone, such as "Europe/Rome".
export function timeZone() {
  return new Intl.DateTimeFormat(language).resolvedOptions().timeZone;
}

/// The time of a moment to the second, with its day unless that is the day of the moment before.
export function timeOfDay(iso, before) {
  const isSameDay = before !== null && day(before) === day(iso);
  return formatDate(iso, isSameDay ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "medium" });
}

function formatDate(iso, options) {
  const date = iso ? new Date(iso) : null;
  if (!date || Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(language, options).format(date);
}

/// A number without separators, as it is entered.
export function plainNumber(value) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: false })
    .format(value);
}

/// A number that was entered, with a point: a comma stands for it where it does in the reader's own language. Any other
/// comma may separate thousands, and stays.
export function enteredNumber(text) {
  const entered = text.trim();
  const parts = new Intl.NumberFormat(navigator.language).formatToParts(0.5);
  const hasComma = parts.some(({ type, value }) => type === "decimal" && value === ",");
  return hasComma && /^[-+]?\d*,\d+$/.test(entered) ? entered.replace(",", ".") : entered;
}

/// A scale such as "1:25,000", rounded to three digits.
export function scale(denominator) {
  const rounded = Number(denominator.toPrecision(3));
  return `1:${number(rounded, 0)}`;
}

/// Words joined as in "a, b and c".
export function list(words) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(words);
}
