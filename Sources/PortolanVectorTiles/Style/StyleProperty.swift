/// The support for the properties of vector tile styles.
///
/// - SeeAlso: [Layers](https://maplibre.org/maplibre-style-spec/layers/)
enum StyleProperty: Hashable {
  /// The property is followed.
  case drawn
  /// The property says nothing of pictures that stand still and lie flat.
  case withoutEffect
  /// The property is not followed; the clause is for people.
  case told(String)

  /// The support of a property of layers of a kind.
  init(_ name: String, of kind: StyleLayer.Kind) {
    if Self.followed[kind]?.contains(name) ?? false {
      self = .drawn
    } else if name.hasSuffix("-transition") || name == "visibility" || Self.idle.contains(name) {
      self = .withoutEffect
    } else {
      self = .told("\"\(name.prefix(60))\" of its style is not understood")
    }
  }

  static let followed: [StyleLayer.Kind: Set<String>] = [
    .background: ["background-color", "background-pattern", "background-opacity"],
    .fill: [
      "fill-antialias", "fill-opacity", "fill-color", "fill-outline-color", "fill-translate",
      "fill-translate-anchor", "fill-pattern", "fill-sort-key",
    ],
    .line: [
      "line-cap", "line-join", "line-miter-limit", "line-round-limit", "line-sort-key",
      "line-opacity", "line-color", "line-translate", "line-translate-anchor", "line-width",
      "line-gap-width", "line-offset", "line-blur", "line-dasharray", "line-pattern",
      "line-gradient",
    ],
    .circle: [
      "circle-radius", "circle-color", "circle-blur", "circle-opacity", "circle-translate",
      "circle-translate-anchor", "circle-stroke-width", "circle-stroke-color",
      "circle-stroke-opacity", "circle-sort-key",
    ],
    .symbol: symbol,
    .raster: [
      "raster-opacity", "raster-hue-rotate", "raster-brightness-min", "raster-brightness-max",
      "raster-saturation", "raster-contrast", "raster-resampling", "resampling",
    ],
    .hillshade: [
      "hillshade-illumination-direction", "hillshade-illumination-anchor",
      "hillshade-exaggeration", "hillshade-shadow-color", "hillshade-highlight-color",
      "hillshade-accent-color", "hillshade-method", "hillshade-illumination-altitude", "resampling",
    ],
    .colorRelief: ["color-relief-color", "color-relief-opacity", "resampling"],
    .heatmap: [
      "heatmap-radius", "heatmap-weight", "heatmap-intensity", "heatmap-color", "heatmap-opacity",
    ],
    .fillExtrusion: [
      "fill-extrusion-opacity", "fill-extrusion-color", "fill-extrusion-translate",
      "fill-extrusion-translate-anchor", "fill-extrusion-pattern", "fill-extrusion-height",
    ],
  ]

  private static let symbol: Set<String> = [
    "text-writing-mode", "symbol-placement", "symbol-spacing", "symbol-sort-key", "symbol-z-order",
    "icon-allow-overlap", "icon-overlap",
    "icon-ignore-placement", "icon-optional", "icon-rotation-alignment", "icon-size",
    "icon-text-fit", "icon-text-fit-padding", "icon-image", "icon-rotate", "icon-padding",
    "icon-keep-upright", "icon-offset", "icon-anchor", "icon-opacity", "icon-color",
    "icon-halo-color", "icon-halo-width", "icon-halo-blur", "icon-translate",
    "icon-translate-anchor",
    "text-rotation-alignment", "text-field", "text-font", "text-size", "text-max-width",
    "text-line-height", "text-letter-spacing", "text-justify", "text-radial-offset",
    "text-variable-anchor", "text-variable-anchor-offset", "text-anchor", "text-max-angle",
    "text-rotate", "text-padding", "text-keep-upright", "text-transform", "text-offset",
    "text-allow-overlap", "text-overlap", "text-ignore-placement", "text-optional", "text-opacity",
    "text-color", "text-halo-color", "text-halo-width", "text-halo-blur", "text-translate",
    "text-translate-anchor",
  ]

  /// Of views that lean or move, of walls, and of labels that tiles would cut, which they do not here.
  private static let idle: Set<String> = [
    "circle-pitch-scale", "circle-pitch-alignment", "icon-pitch-alignment", "text-pitch-alignment",
    "symbol-avoid-edges", "raster-fade-duration", "fill-emissive-strength",
    "line-emissive-strength", "circle-emissive-strength", "icon-emissive-strength",
    "text-emissive-strength", "background-emissive-strength", "fill-extrusion-base",
    "fill-extrusion-vertical-gradient",
  ]
}
