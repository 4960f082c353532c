// The parts of a popup: text, fields, pictures and charts.

import { h } from "./dom.js";
import { svgElement } from "./icons.js";
import { sanitized, webAddress } from "./sanitize.js";
import { t } from "./texts.js";

/// Colours of charts whose values have none.
const colors = ["#0b7a82", "#e0a12e", "#3b6fb6", "#c2533f", "#6a8f3c", "#7b5aa6", "#8a6d3b", "#4f7f8f"];

/// An element of the page for an element of a popup.
export function popupElement(part) {
  switch (part.type) {
    case "text": return h("div", { class: "prose" }, sanitized(part.html ?? ""));
    case "fields": return fields(part);
    case "expression": return fields({ fields: [part.field] });
    case "media": return media(part);
    // Both have sections of their own.
    case "attachments":
    case "relationship": return null;
    default: return unsupported(part.type);
  }
}

function unsupported(type) {
  return h("p", { class: "hint", text: t("popup.unsupported", { type }) });
}

function fields({ title, summary, fields: values }) {
  return h(
    "section", {}, title ? h("h3", { text: title }) : null,
    summary ? h("p", { class: "hint", text: summary }) : null,
    h("dl", { class: "popup-fields" }, values.map((value) => h(
      "div", {}, h("dt", { text: value.label }), h("dd", {}, fieldValue(value))))));
}

function fieldValue({ text, link, problem }) {
  if (problem) return h("span", { class: "failure", text: problem });
  const address = webAddress(link);
  if (address) {
    return h("a", {
      href: address, target: "_blank", rel: "noopener noreferrer", text: text || address,
    });
  }
  return text === "" || text === null
    ? h("span", { class: "hint", text: "–", "aria-label": t("popup.noValue"), role: "img" }) : text;
}

function media({ title, media: items }) {
  return h(
    "section", {}, title ? h("h3", { text: title }) : null, items.map(mediaItem));
}

function mediaItem(item) {
  const words = [
    item.title ? h("strong", { text: item.title }) : null,
    item.caption ? h("span", { class: "hint" }, sanitized(item.caption)) : null,
  ];
  const picture = item.image ? image(item) : chart(item);
  return h("figure", { class: "media" }, picture, h("figcaption", {}, words));
}

/// A picture that is here; one on another host, from which the page loads nothing, as a link to it.
function image(item) {
  const words = item.alt || item.title || "";
  const address = webAddress(item.image);
  if (!address) return h("img", { src: item.image, alt: words, loading: "lazy" });
  return h("a", {
    href: address, target: "_blank", rel: "noopener noreferrer",
    text: t("popup.remotePicture", { name: words || new URL(address).hostname }),
  });
}

/// A chart, and its values as a list that everybody can read.
function chart({ type, values, alt, title }) {
  if (!values?.length) return alt ? h("p", { text: alt }) : null;
  const colored = values.map((value, index) => ({
    ...value, number: Number(value.value) || 0, fill: value.color ?? colors[index % colors.length],
  }));
  const kind = (type ?? "").toLowerCase();
  const picture = kind.includes("pie") ? pie(colored)
    : kind.includes("line") ? line(colored) : null;
  return h(
    "div", { class: "chart", role: "group", "aria-label": alt || title || t("popup.chart") }, picture,
    h("ul", { class: "chart-values" }, colored.map((value) => chartRow(value, colored, !picture))));
}

function chartRow({ label, text, value, number, fill }, all, hasBar) {
  const key = h("span", { class: "chart-key" });
  key.style.backgroundColor = fill;
  const row = h("li", {}, key, h("span", { class: "chart-label", text: label }),
    h("span", { class: "chart-value", text: text ?? String(value) }));
  if (!hasBar) return row;
  const bar = h("span", { class: "chart-bar", "aria-hidden": "true" });
  const largest = Math.max(...all.map((other) => Math.abs(other.number)), Number.MIN_VALUE);
  bar.style.width = `${(Math.abs(number) / largest) * 100}%`;
  bar.style.backgroundColor = fill;
  row.append(bar);
  return row;
}

function pie(values) {
  const total = values.reduce((sum, value) => sum + Math.max(0, value.number), 0);
  const svg = svgElement("svg", { viewBox: "-1.05 -1.05 2.1 2.1", class: "pie", "aria-hidden": "true" });
  let start = -Math.PI / 2;
  for (const { number, fill } of values) {
    const angle = total > 0 ? (Math.max(0, number) / total) * 2 * Math.PI : 0;
    if (angle > 0) svg.append(slice(start, angle, fill));
    start += angle;
  }
  return svg;
}

function slice(start, angle, fill) {
  if (angle > 2 * Math.PI - 1e-6) return svgElement("circle", { r: 1, fill });
  const end = start + angle;
  const point = (direction) => `${Math.cos(direction)} ${Math.sin(direction)}`;
  return svgElement("path", {
    d: `M0 0L${point(start)}A1 1 0 ${angle > Math.PI ? 1 : 0} 1 ${point(end)}Z`, fill,
    class: "pie-slice",
  });
}

function line(values) {
  const numbers = values.map((value) => value.number);
  const least = Math.min(0, ...numbers);
  const range = Math.max(...numbers) - least || 1;
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  const points = numbers.map((number, index) => [index * step, 48 - ((number - least) / range) * 44]);
  return svgElement(
    "svg", { viewBox: "-3 -2 106 54", class: "line-chart", "aria-hidden": "true" },
    svgElement("polyline", { points: points.map((point) => point.join()).join(" ") }),
    ...points.map(([cx, cy], index) => svgElement("circle", { cx, cy, r: 2, fill: values[index].fill })));
}
