import Foundation
import PortolanJSON

@testable import PortolanVectorTiles

/// The values that are tried with each property of a style.
enum StylePropertyRows {
  typealias Row = StylePropertyTests.Row

  /// Two areas, two lines and two points that are near each other, with names and colours.
  static let tile = MadeVectorTile.tile([
    (
      "areas",
      [
        .init(
          shape: .area([(180, 200), (270, 200), (270, 280), (180, 280)]),
          properties: [("color", "#c33")], numbers: [("order", 1)]),
        .init(
          shape: .area([(230, 230), (320, 230), (320, 300), (230, 300)]),
          properties: [("color", "#33c")], numbers: [("order", 2)]),
      ]
    ),
    (
      "lines",
      [
        .init(
          shape: .line([(340, 220), (200, 200), (180, 210), (172, 222), (170, 310)]),
          properties: [("name", "TILT HILL"), ("color", "#c33")], numbers: [("order", 1)]),
        .init(
          shape: .line([(160, 250), (330, 290), (200, 300)]),
          properties: [("name", "LIT"), ("color", "#33c")], numbers: [("order", 2)]),
      ]
    ),
    (
      "points",
      [
        .init(
          shape: .points([(250, 250)]), properties: [("name", "HILL TILT"), ("color", "#c33")],
          numbers: [("order", 1)]),
        .init(
          shape: .points([(258, 254)]), properties: [("name", "LIT"), ("color", "#33c")],
          numbers: [("order", 2)]),
      ]
    ),
  ])

  /// Properties of other layers than symbols that stand in the layout.
  static let layout: Set<String> = [
    "line-cap", "line-join", "line-miter-limit", "line-round-limit", "line-sort-key",
    "fill-sort-key", "circle-sort-key",
  ]

  static let all =
    background + fill + line + circle + icons + texts + placing + heatmap + buildings

  private static let lastFirst: JSONValue = ["-", 0, ["get", "order"]]
  private static let byColor: JSONValue = ["get", "color"]
  private static let font: JSONValue = ["Strokes"]

  private static let background: [Row] = [
    Row(.background, "background-color", "#a00"),
    Row(.background, "background-pattern", "i"),
    Row(.background, "background-opacity", 0.5),
  ]

  private static let fill: [Row] = [
    Row(.fill, "fill-color", "#0a0"), Row(.fill, "fill-opacity", 0.4),
    Row(.fill, "fill-outline-color", "#f00"),
    Row(.fill, "fill-antialias", false, ["fill-outline-color": "#f00"]),
    Row(.fill, "fill-translate", [9, 4]),
    Row(.fill, "fill-translate-anchor", "viewport", ["fill-translate": [9, 4]], turned: true),
    Row(.fill, "fill-pattern", "i"),
    Row(.fill, "fill-sort-key", lastFirst, ["fill-color": byColor]),
  ]

  private static let heatmap: [Row] = [
    Row(.heatmap, "heatmap-radius", 9), Row(.heatmap, "heatmap-weight", ["get", "order"]),
    Row(.heatmap, "heatmap-intensity", 3), Row(.heatmap, "heatmap-opacity", 0.5),
    Row(
      .heatmap, "heatmap-color",
      ["interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0,0,0,0)", 1, "#0a0"]),
  ]

  private static let buildings: [Row] = [
    Row(.fillExtrusion, "fill-extrusion-color", "#0a0"),
    Row(.fillExtrusion, "fill-extrusion-opacity", 0.4),
    Row(.fillExtrusion, "fill-extrusion-translate", [9, 4]),
    Row(
      .fillExtrusion, "fill-extrusion-translate-anchor", "viewport",
      ["fill-extrusion-translate": [9, 4]], turned: true),
    Row(.fillExtrusion, "fill-extrusion-pattern", "i"),
    Row(
      // Of roofs that are as high as each other the first one is seen.
      .fillExtrusion, "fill-extrusion-height", ["get", "order"],
      ["fill-extrusion-color": byColor]),
  ]

  private static let line: [Row] = [
    Row(.line, "line-cap", "round", ["line-width": 14]),
    Row(.line, "line-join", "round", ["line-width": 14]),
    Row(.line, "line-miter-limit", 9, ["line-width": 8]),
    Row(.line, "line-round-limit", 9, ["line-join": "round", "line-width": 14]),
    Row(.line, "line-sort-key", lastFirst, ["line-color": byColor, "line-width": 14]),
    Row(.line, "line-opacity", 0.4), Row(.line, "line-color", "#0a0"),
    Row(.line, "line-translate", [0, 9]),
    Row(.line, "line-translate-anchor", "viewport", ["line-translate": [0, 9]], turned: true),
    Row(.line, "line-width", 5), Row(.line, "line-gap-width", 6), Row(.line, "line-offset", 6),
    Row(.line, "line-blur", 3, ["line-width": 12]), Row(.line, "line-dasharray", [4, 3]),
    Row(.line, "line-pattern", "i", ["line-width": 10]),
  ]

  private static let circle: [Row] = [
    Row(.circle, "circle-radius", 9), Row(.circle, "circle-color", "#0a0"),
    Row(.circle, "circle-blur", 1, ["circle-radius": 12]), Row(.circle, "circle-opacity", 0.4),
    Row(.circle, "circle-translate", [0, 9]),
    Row(
      .circle, "circle-translate-anchor", "viewport", ["circle-translate": [0, 9]], turned: true),
    Row(.circle, "circle-stroke-width", 3),
    Row(.circle, "circle-stroke-color", "#f00", ["circle-stroke-width": 3]),
    Row(.circle, "circle-stroke-opacity", 0.3, ["circle-stroke-width": 3]),
    Row(.circle, "circle-sort-key", lastFirst, ["circle-color": byColor, "circle-radius": 9]),
  ]

  private static let icons: [Row] = [
    Row(.symbol, "icon-image", "i"),
    Row(.symbol, "icon-allow-overlap", true, ["icon-image": "i"]),
    Row(.symbol, "icon-overlap", "always", ["icon-image": "i"]),
    Row(.symbol, "icon-ignore-placement", true, ["icon-image": "i"]),
    Row(
      .symbol, "icon-optional", true,
      ["icon-image": "i", "text-field": "{name}", "text-allow-overlap": true]),
    Row(.symbol, "icon-rotation-alignment", "map", ["icon-image": "i"], turned: true),
    Row(.symbol, "icon-size", 2, ["icon-image": "i"]),
    Row(.symbol, "icon-text-fit", "both", ["icon-image": "i", "text-field": "{name}"]),
    Row(
      .symbol, "icon-text-fit-padding", [4, 5, 6, 7],
      ["icon-image": "i", "text-field": "{name}", "icon-text-fit": "both"]),
    Row(.symbol, "icon-rotate", 30, ["icon-image": "i"]),
    Row(.symbol, "icon-padding", 0, ["icon-image": "i", "icon-size": 0.4]),
    Row(
      .symbol, "icon-keep-upright", true, ["icon-image": "i", "symbol-placement": "line"]),
    Row(.symbol, "icon-offset", [5, 5], ["icon-image": "i"]),
    Row(.symbol, "icon-anchor", "bottom-left", ["icon-image": "i"]),
    Row(.symbol, "icon-opacity", 0.5, ["icon-image": "i"]),
    Row(.symbol, "icon-color", "#0a0", ["icon-image": "s"]),
    Row(.symbol, "icon-halo-color", "#fa0", ["icon-image": "s", "icon-halo-width": 2]),
    Row(.symbol, "icon-halo-width", 2, ["icon-image": "s", "icon-halo-color": "#fa0"]),
    Row(
      .symbol, "icon-halo-blur", 2,
      ["icon-image": "s", "icon-halo-color": "#fa0", "icon-halo-width": 2]),
    Row(.symbol, "icon-translate", [0, 9], ["icon-image": "i"]),
    Row(
      .symbol, "icon-translate-anchor", "viewport", ["icon-image": "i", "icon-translate": [0, 9]],
      turned: true),
  ]

  private static let texts: [Row] = [
    Row(.symbol, "text-field", "HILL", ["text-font": font]),
    Row(.symbol, "text-font", font),
    Row(.symbol, "text-size", 20, ["text-font": font]),
    Row(.symbol, "text-max-width", 2, ["text-font": font]),
    Row(.symbol, "text-line-height", 2, ["text-font": font, "text-max-width": 2]),
    Row(.symbol, "text-letter-spacing", 0.4, ["text-font": font]),
    Row(.symbol, "text-justify", "left", ["text-font": font, "text-max-width": 2]),
    Row(.symbol, "text-transform", "lowercase"),
    Row(.symbol, "text-rotate", 30, ["text-font": font]),
    Row(.symbol, "text-opacity", 0.4, ["text-font": font]),
    Row(.symbol, "text-color", "#0a0", ["text-font": font]),
    Row(.symbol, "text-halo-color", "#fa0", ["text-font": font, "text-halo-width": 2]),
    Row(.symbol, "text-halo-width", 2, ["text-font": font, "text-halo-color": "#fa0"]),
    Row(
      .symbol, "text-halo-blur", 1,
      ["text-font": font, "text-halo-color": "#fa0", "text-halo-width": 1]),
  ]

  private static let placing: [Row] = [
    Row(.symbol, "symbol-placement", "line", ["text-font": font]),
    Row(.symbol, "symbol-spacing", 60, ["text-font": font, "symbol-placement": "line"]),
    Row(.symbol, "symbol-sort-key", lastFirst, ["text-font": font]),
    Row(
      .symbol, "symbol-z-order", "viewport-y",
      ["icon-image": "i", "icon-allow-overlap": true, "symbol-sort-key": lastFirst]),
    Row(.symbol, "text-rotation-alignment", "map", ["text-font": font], turned: true),
    Row(.symbol, "text-anchor", "top-left", ["text-font": font]),
    Row(.symbol, "text-offset", [0, 1], ["text-font": font]),
    Row(.symbol, "text-radial-offset", 2, ["text-font": font, "text-anchor": "top"]),
    Row(.symbol, "text-variable-anchor", ["bottom", "right"], ["text-font": font]),
    Row(
      .symbol, "text-variable-anchor-offset", ["top", [0, 2], "left", [2, 0]],
      ["text-font": font]),
    Row(
      .symbol, "text-max-angle", 2, ["text-font": font, "symbol-placement": "line-center"]),
    Row(
      .symbol, "text-keep-upright", false, ["text-font": font, "symbol-placement": "line"]),
    Row(
      .symbol, "text-padding", 30, ["text-font": font, "text-variable-anchor": ["right", "left"]]),
    Row(.symbol, "text-allow-overlap", true, ["text-font": font]),
    Row(.symbol, "text-overlap", "always", ["text-font": font]),
    Row(.symbol, "text-ignore-placement", true, ["text-font": font]),
    Row(
      .symbol, "text-optional", true,
      ["text-font": font, "text-field": "{name}", "icon-image": "i", "icon-allow-overlap": true]),
    Row(.symbol, "text-translate", [0, 9], ["text-font": font]),
    Row(
      .symbol, "text-translate-anchor", "viewport",
      ["text-font": font, "text-translate": [0, 9]], turned: true),
  ]
}
