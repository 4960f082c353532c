internal import PortolanExpressions

/// The specifications of the style properties that are drawn.
///
/// - SeeAlso: [Layers](https://maplibre.org/maplibre-style-spec/layers/)
enum StylePropertySpecifications {
  /// The specifications by the name of the property.
  static let all: [String: PropertySpecification] = {
    var all: [String: PropertySpecification] = [:]
    for name in colors { all[name] = PropertySpecification(.color) }
    for name in flags { all[name] = PropertySpecification(.boolean, isInterpolated: false) }
    for name in images {
      all[name] = PropertySpecification(.resolvedImage, isInterpolated: false, hasTokens: true)
    }
    for name in pairs { all[name] = PropertySpecification(.array(.number, length: 2)) }
    for (name, values) in choices {
      all[name] = PropertySpecification(.choice(Set(values)), isInterpolated: false)
    }
    for (name, specification) in others { all[name] = specification }
    for name in wholeLayer + flags {
      var specification = all[name] ?? PropertySpecification(.number)
      specification.allowsFeatures = false
      all[name] = specification
    }
    return all
  }()

  /// The specification of a property; properties that are not listed are numbers.
  static func specification(_ name: String) -> PropertySpecification {
    all[name] ?? PropertySpecification(.number)
  }

  /// The properties that are the same for all that a layer draws, also where it draws features; so
  /// are all booleans.
  private static let wholeLayer = [
    "background-color", "background-pattern", "background-opacity", "raster-opacity",
    "raster-hue-rotate", "raster-brightness-min", "raster-brightness-max", "raster-saturation",
    "raster-contrast", "raster-resampling", "resampling", "hillshade-illumination-direction",
    "hillshade-illumination-altitude", "hillshade-illumination-anchor", "hillshade-exaggeration",
    "hillshade-shadow-color", "hillshade-highlight-color", "hillshade-accent-color",
    "hillshade-method", "color-relief-opacity", "heatmap-intensity", "heatmap-opacity",
    "fill-extrusion-opacity", "fill-extrusion-translate", "fill-extrusion-translate-anchor",
    "fill-translate", "fill-translate-anchor", "circle-translate", "circle-translate-anchor",
    "line-translate", "line-translate-anchor", "line-cap", "line-miter-limit", "line-round-limit",
    "symbol-placement", "symbol-spacing", "symbol-z-order", "icon-overlap",
    "icon-rotation-alignment", "icon-text-fit", "icon-text-fit-padding", "icon-translate",
    "icon-translate-anchor", "text-overlap", "text-rotation-alignment", "text-line-height",
    "text-max-angle", "text-variable-anchor", "text-writing-mode", "text-padding",
    "text-translate", "text-translate-anchor",
  ]

  private static let colors = [
    "background-color", "fill-color", "fill-outline-color", "line-color", "circle-color",
    "circle-stroke-color", "icon-color", "icon-halo-color", "text-color", "text-halo-color",
    "fill-extrusion-color", "hillshade-accent-color",
  ]

  private static let flags = [
    "fill-antialias", "icon-allow-overlap", "icon-ignore-placement", "icon-optional",
    "icon-keep-upright", "text-keep-upright", "text-allow-overlap", "text-ignore-placement",
    "text-optional", "symbol-avoid-edges",
  ]

  private static let images = [
    "background-pattern", "fill-pattern", "line-pattern", "icon-image", "fill-extrusion-pattern",
  ]

  private static let pairs = [
    "fill-translate", "line-translate", "circle-translate", "icon-translate", "text-translate",
    "icon-offset", "text-offset", "fill-extrusion-translate",
  ]

  private static let anchors = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
    "bottom-right",
  ]

  private static let choices: [String: [String]] = [
    "fill-translate-anchor": ["map", "viewport"], "line-translate-anchor": ["map", "viewport"],
    "circle-translate-anchor": ["map", "viewport"], "icon-translate-anchor": ["map", "viewport"],
    "text-translate-anchor": ["map", "viewport"],
    "fill-extrusion-translate-anchor": ["map", "viewport"],
    "line-cap": ["butt", "round", "square"],
    "line-join": ["bevel", "round", "miter"],
    "symbol-placement": ["point", "line", "line-center"],
    "icon-overlap": ["never", "always", "cooperative"],
    "text-overlap": ["never", "always", "cooperative"],
    "icon-rotation-alignment": ["map", "viewport", "auto"],
    "text-rotation-alignment": ["map", "viewport", "viewport-glyph", "auto"],
    "icon-text-fit": ["none", "width", "height", "both"], "icon-anchor": anchors,
    "text-anchor": anchors, "text-justify": ["auto", "left", "center", "right"],
    "text-transform": ["none", "uppercase", "lowercase"],
    "raster-resampling": ["linear", "nearest"], "resampling": ["linear", "nearest"],
    "hillshade-method": HillShading.Method.allCases.map(\.rawValue),
    "hillshade-illumination-anchor": ["map", "viewport"],
    "symbol-z-order": ["auto", "viewport-y", "source"],
  ]

  private static let others: [String: PropertySpecification] = [
    "text-field": PropertySpecification(.formatted, isInterpolated: false, hasTokens: true),
    "text-font": PropertySpecification(.array(.string, length: nil), isInterpolated: false),
    "text-writing-mode": PropertySpecification(
      .array(.choice(["horizontal", "vertical"]), length: nil), isInterpolated: false),
    "text-variable-anchor": PropertySpecification(
      .array(.choice(Set(anchors)), length: nil), isInterpolated: false),
    "text-variable-anchor-offset": PropertySpecification(.variableAnchorOffsetCollection),
    "line-dasharray": PropertySpecification(.array(.number, length: nil), isInterpolated: false),
    "icon-text-fit-padding": PropertySpecification(.array(.number, length: 4)),
    "icon-padding": PropertySpecification(.padding),
    StyleLayer.heatmapColor: PropertySpecification(
      .color, allowsFeatures: false, allowsZoom: false),
    StyleLayer.lineGradient: PropertySpecification(
      .color, allowsFeatures: false, allowsZoom: false),
    StyleLayer.reliefColor: PropertySpecification(
      .color, allowsFeatures: false, allowsZoom: false),
    "hillshade-shadow-color": PropertySpecification(.colorArray),
    "hillshade-highlight-color": PropertySpecification(.colorArray),
    "hillshade-illumination-direction": PropertySpecification(.numberArray),
    "hillshade-illumination-altitude": PropertySpecification(.numberArray),
  ]
}
