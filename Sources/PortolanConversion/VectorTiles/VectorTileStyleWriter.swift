internal import Foundation
internal import PortolanGeometry
public import PortolanJSON
internal import PortolanMap

/// Writes how a map draws its layers as a style for vector tiles, version 8 of Mapbox.
///
/// Simple symbols, symbols by value of one field and by range of a number, and colors, sizes and
/// transparency that follow a number are carried over: colors, widths, dashes, outlines and sizes;
/// so are opacity, scale ranges and classes of labels. What a style does not say as the map does is
/// listed.
public struct VectorTileStyleWriter {
  /// The scale of zoom 0, where the world is 512 pixels wide, 96 of them to the inch.
  private static let scaleOfZoomZero = 2 * 20_037_508.342_789_244 / 512 * 96 / 0.0254
  private static let zooms = 0.0...24.0

  private let source: String
  private var layers: [JSONValue] = []
  /// The layers of labels, which lie above all shapes.
  private var labels: [JSONValue] = []
  /// What the style does not say as the map does, in sentences.
  public internal(set) var notes: [String] = []

  /// Begins a style whose layers draw a source of that name.
  public init(source: String) { self.source = source }

  /// The style; `url` is where its source is.
  public func json(sourceURL url: String, name: String) -> JSONValue {
    [
      "version": 8, "name": .string(name),
      "sources": .object(
        JSONObject([
          JSONObject.Member(name: source, value: ["type": "vector", "url": .string(url)])
        ])),
      "layers": .array(layers + labels),
    ]
  }

  /// Adds the layers that draw a layer of the tiles, above those that were added before: outlines
  /// lie above areas, labels above everything.
  public mutating func add(_ layer: StyledTileLayer) {
    let renderer = RendererStyle(layer)
    notes += renderer.notes + Self.losses(of: layer)
    switch layer.geometryType {
    case .polygon, .envelope: addAreas(layer, renderer)
    case .polyline:
      let paint: JSONObject = [
        "line-color": renderer.color,
        "line-width": renderer.size(pixelsPerPoint: SymbolAppearance.pixelsPerPoint) {
          $0.lineWidth
        },
      ]
      addLine(layer, "lines", paint, renderer, opacity: renderer.opacity())
    case .point, .multipoint: addPoints(layer, renderer)
    }
    if layer.showsLabels { addLabels(layer, renderer) }
  }

  private mutating func addAreas(_ layer: StyledTileLayer, _ renderer: RendererStyle) {
    var fill: JSONObject = ["fill-color": renderer.color]
    fill["fill-opacity"] = renderer.opacity()
    layers += drawing(layer, "areas", "fill", ["paint": .object(fill)])
    let outline: JSONObject = [
      "line-color": renderer.value { $0.outlineColor },
      "line-width": renderer.value { $0.outlineWidth },
    ]
    addLine(layer, "outlines", outline, renderer, opacity: renderer.opacity(follows: false))
  }

  private mutating func addLine(
    _ layer: StyledTileLayer, _ part: String, _ paint: JSONObject, _ renderer: RendererStyle,
    opacity: JSONValue?
  ) {
    var paint = paint
    paint["line-opacity"] = opacity
    // Programs expect one row of dashes for a whole layer.
    let dashes = renderer.dashes
    if dashes.count > 1 {
      notes.append("The style draws the lines of \"\(layer.name)\" without dashes.")
    } else if let dashes = dashes.first, !dashes.isEmpty {
      paint["line-dasharray"] = .array(dashes.map { .number($0) })
    }
    layers += drawing(layer, part, "line", ["paint": .object(paint)])
  }

  private mutating func addPoints(_ layer: StyledTileLayer, _ renderer: RendererStyle) {
    var paint: JSONObject = [
      "circle-color": renderer.color,
      "circle-radius": renderer.size(pixelsPerPoint: SymbolAppearance.pixelsPerPoint / 2) {
        $0.radius
      },
      "circle-stroke-color": renderer.value { $0.outlineColor },
      "circle-stroke-width": renderer.value { $0.outlineWidth },
    ]
    paint["circle-opacity"] = renderer.opacity()
    paint["circle-stroke-opacity"] = renderer.opacity()
    layers += drawing(layer, "points", "circle", ["paint": .object(paint)])
  }

  /// Adds a layer of labels above those that were added before.
  mutating func addLabels(
    of layer: StyledTileLayer, _ part: String, _ members: JSONObject, in range: ScaleRange
  ) {
    labels += drawing(layer, part, "symbol", members, in: range)
  }

  /// A layer of the style; none where there is no scale at which it is shown.
  private func drawing(
    _ layer: StyledTileLayer, _ part: String, _ type: String, _ members: JSONObject,
    in range: ScaleRange? = nil
  ) -> [JSONValue] {
    var json: JSONObject = [
      "id": .string("\(layer.name) \(part)"), "type": .string(type), "source": .string(source),
      "source-layer": .string(layer.name),
    ]
    let ranges = layer.scaleRanges + [range].compactMap(\.self)
    let first = ranges.compactMap { Self.zoom(of: $0.minScale) }.max()
    let last = ranges.compactMap { Self.zoom(of: $0.maxScale) }.min()
    if let first, let last, first >= last { return [] }
    json["minzoom"] = first.map { .number($0) }
    json["maxzoom"] = last.map { .number($0) }
    for member in members.members { json[member.name] = member.value }
    return [.object(json)]
  }

  /// The zoom of a scale; `nil` for no limit.
  private static func zoom(of scale: Double) -> Double? {
    guard scale > 0 else { return nil }
    // Two decimals are less than a hundredth of the scale.
    let zoom = (log2(scaleOfZoomZero / scale) * 100).rounded() / 100
    return min(max(zoom, zooms.lowerBound), zooms.upperBound)
  }

  /// What styles cannot say about a layer at all, in sentences.
  private static func losses(of layer: StyledTileLayer) -> [String] {
    guard let shown = layer.layer else { return [] }
    var losses: [String] = []
    if let mode = shown.blendMode { losses.append("the blend mode \"\(mode)\"") }
    if let effect = shown.json["effect"], !effect.isNull { losses.append("its effects") }
    if let reduction = shown.layerDefinition.featureReductionType {
      losses.append("the \"\(reduction)\" of its features")
    }
    if layer.layer?.layerDefinition.json.object("displayFilterInfo") != nil {
      losses.append("its display filter")
    }
    return losses.map { "The style draws \"\(layer.name)\" without \($0)." }
  }
}
