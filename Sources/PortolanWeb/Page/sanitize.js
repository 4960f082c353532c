// Turns HTML from a map's author into elements of an allow list. Nothing of the text is ever
// inserted as markup: it is parsed in a template, where nothing runs or loads, and copied element
// by element.

const allowedTags = new Set([
  "b", "i", "em", "strong", "u", "br", "p", "ul", "ol", "li", "a", "span", "div", "table", "thead",
  "tbody", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6",
]);

/// Elements whose content is no text for people.
const droppedTags = new Set([
  "script", "style", "template", "iframe", "object", "embed", "noscript", "svg", "math", "head",
  "title", "textarea", "select", "audio", "video", "canvas", "frameset",
]);

const maximumDepth = 40;

/// The most tags that are parsed: how long browsers take for elements in elements grows with the square of their number.
const mostTags = 10_000;

/// The allowed part of `html`, as a fragment to insert.
export function sanitized(html) {
  const source = document.createElement("template");
  source.innerHTML = hasTooManyTags(html) ? withoutTags(html) : withoutReports(html);
  const fragment = document.createDocumentFragment();
  copyChildren(source.content, fragment, 0);
  return fragment;
}

/// The same HTML with its styles and event handlers renamed. Neither would be copied; but while
/// they are parsed, the browser reports each as a violation of the page's policy.
function withoutReports(html) {
  return html.replace(
    /<[^<>]*>/g, (tag) => tag.replace(/([\s"'/])(style|on\w+)\s*=/gi, "$1data-dropped="));
}

function hasTooManyTags(html) {
  let place = -1;
  for (let count = 0; count <= mostTags; count += 1) {
    place = html.indexOf("<", place + 1);
    if (place < 0) return false;
  }
  return true;
}

/// The text of HTML that is too much to be parsed, with its character references.
function withoutTags(html) {
  return html.replace(/<[^<>]*>/g, " ").replaceAll("<", "&lt;");
}

/// The text of `html`, without any markup.
export function plainText(html) {
  const element = document.createElement("div");
  element.append(sanitized(html ?? ""));
  return element.textContent.replace(/\s+/g, " ").trim();
}

function copyChildren(source, target, depth) {
  if (depth > maximumDepth) {
    target.append(source.textContent);
    return;
  }
  for (const node of source.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) target.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE) copyElement(node, target, depth);
  }
}

function copyElement(element, target, depth) {
  const tag = element.localName;
  if (droppedTags.has(tag)) return;
  if (!allowedTags.has(tag)) {
    copyChildren(element, target, depth + 1);
    return;
  }
  const copy = document.createElement(replacement(tag));
  if (tag === "a") copyLink(element, copy);
  if (tag === "td" || tag === "th") copySpans(element, copy);
  copyChildren(element, copy, depth + 1);
  target.append(copy);
}

/// Headings of an author rank below those of the page.
function replacement(tag) {
  const level = /^h([1-6])$/.exec(tag)?.[1];
  return level ? `h${Math.min(6, Number(level) + 3)}` : tag;
}

function copyLink(element, copy) {
  const address = webAddress(element.getAttribute("href"));
  if (!address) return;
  copy.href = address;
  copy.target = "_blank";
  copy.rel = "noopener noreferrer";
}

function copySpans(element, copy) {
  for (const name of ["colspan", "rowspan"]) {
    const value = Number(element.getAttribute(name));
    if (Number.isInteger(value) && value > 1 && value <= 100) copy.setAttribute(name, value);
  }
}

/// The address if it is one of the web, else `null`.
export function webAddress(text) {
  try {
    const address = new URL((text ?? "").trim());
    return ["http:", "https:"].includes(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}
