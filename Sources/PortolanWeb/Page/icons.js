// Line icons on a 24 by 24 grid, built as SVG elements. They are decoration: the text beside them
// or the label of their button says what they mean.

const svgNamespace = "http://www.w3.org/2000/svg";

const paths = {
  accept: "M4 12.5l5 5L20 6.5",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
  back: "M15 5l-7 7 7 7",
  bookmark: "M6 4h12v16l-6-4.5L6 20z",
  camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z",
  cancel: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9l6 6M15 9l-6 6",
  changes: "M5 7h9M5 12h14M5 17h6M17 4v6M14 7h6",
  close: "M6 6l12 12M18 6L6 18",
  crosshair: "M12 3v6M12 15v6M3 12h6M15 12h6",
  down: "M6 9.5l6 6 6-6",
  download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  edit: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19z",
  folder: "M3.5 6h6l2 2.5h9V19h-17z",
  forward: "M9 5l7 7-7 7",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5.5 5 12.5 0 18-5-5.5-5-12.5 0-18z",
  grid: "M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5v.5",
  jobs: "M4 6h10M4 12h16M4 18h7M18 3.5v5M15.5 6l2.5 2.5L20.5 6",
  layers: "M12 4l9 5-9 5-9-5zM3.5 13.5l8.5 4.7 8.5-4.7",
  legend: "M4 5h4v4H4zM4 15h4v4H4zM12 7h8M12 17h8",
  map: "M3.5 6.5L9 4l6 2.5L20.5 4v13.5L15 20l-6-2.5L3.5 20zM9 4v13.5M15 6.5V20",
  move: "M12 3v18M3 12h18M9.5 5.5L12 3l2.5 2.5M9.5 18.5L12 21l2.5-2.5M5.5 9.5L3 12l2.5 2.5M18.5 9.5L21 12l-2.5 2.5",
  offline: "M3 3l18 18M5 12.5c1-1 2.3-1.8 3.7-2.2M15 10.2c1.5.4 2.9 1.2 4 2.3M2 9c1.2-1.1 2.5-2 4-2.6M11 5.5c4-.2 8 1.1 11 3.5M9 16c.9-.6 1.9-1 3-1M12 19.5v.1",
  online: "M2 9c5.5-4.7 14.5-4.7 20 0M5 12.5c4-3.5 10-3.5 14 0M8.5 16c2-1.7 5-1.7 7 0M12 19.5v.1",
  paperclip: "M20 11.5l-7.8 7.6a5 5 0 0 1-7-7L13 4.5a3.3 3.3 0 0 1 4.7 4.7L10 16.7a1.7 1.7 0 0 1-2.4-2.4L14.5 8",
  pause: "M8.5 5v14M15.5 5v14",
  plus: "M12 5v14M5 12h14",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.4M20 4.5v4.9h-4.9",
  resume: "M8 5l11 7-11 7z",
  share: "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7",
  save: "M5 4h11l3 3v13H5zM8.5 4v5h6V4M8 20v-6.5h8V20",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20.5 20.5",
  settings: "M4 7h8M18 7h2M4 17h2M12 17h8M15 4v6M9 14v6",
  signIn: "M10 4h9v16h-9M3.5 12h11M11 8l4 4-4 4",
  signOut: "M14 4H5v16h9M10 12h10.5M17 8l4 4-4 4",
  storage: "M4 6.5C4 5 7.5 4 12 4s8 1 8 2.5v11C20 19 16.5 20 12 20s-8-1-8-2.5zM4 6.5C4 8 7.5 9 12 9s8-1 8-2.5M4 12c0 1.5 3.5 2.5 8 2.5s8-1 8-2.5",
  trash: "M4 6.5h16M9 6.5V4h6v2.5M6.5 6.5L7.5 20h9l1-13.5M10.5 10.5v5.5M13.5 10.5v5.5",
  undo: "M8 5L3.5 9.5 8 14M4 9.5h10a5.5 5.5 0 0 1 0 11H9",
  warning: "M12 4L2.5 20h19zM12 10v4.5M12 17v.3",
};

/// A new icon; an unknown name gives an empty one.
export function icon(name) {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const path = document.createElementNS(svgNamespace, "path");
  path.setAttribute("d", paths[name] ?? "");
  svg.append(path);
  return svg;
}

/// The compass rose of the header and of maps without a thumbnail.
export function compassRose() {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("class", "compass");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const parts = [
    ["circle", { cx: 32, cy: 32, r: 23, class: "compass-ring" }],
    ["path", { d: "M32 4l6 22-6 6-6-6z", class: "compass-north" }],
    ["path", { d: "M32 60l-6-22 6-6 6 6z", class: "compass-south" }],
    ["path", { d: "M60 32l-22 6-6-6 6-6zM4 32l22-6 6 6-6 6z", class: "compass-side" }],
  ];
  for (const [name, attributes] of parts) {
    const part = document.createElementNS(svgNamespace, name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
  }
  return svg;
}

/// An SVG element with attributes, for small charts.
export function svgElement(name, attributes = {}, ...children) {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
