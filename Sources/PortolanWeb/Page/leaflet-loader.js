// Loads Leaflet the first time that a map is shown.

let loading = null;

/// Leaflet's namespace. A failed attempt is made again at the next call.
export function loadLeaflet() {
  loading ??= Promise.all([loadStyle("/leaflet/leaflet.css"), loadScript("/leaflet/leaflet.js")])
    .then(() => window.L)
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

function loadStyle(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return loaded(link, () => document.querySelector("link[rel=stylesheet]").before(link));
}

function loadScript(address) {
  const script = document.createElement("script");
  script.src = address;
  return loaded(script, () => document.head.append(script));
}

function loaded(element, insert) {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", () => reject(new Error(`${element.src ?? element.href}`)));
    insert();
  });
}
