internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// Turns symbols of ArcGIS Pro, which layers of packages carry, into what is drawn.
///
/// - SeeAlso: [CIM specification](https://github.com/Esri/cim-spec)
struct CIMSymbolReader {
  /// Symbols are in markers of symbols; deeper ones than this are left out.
  private static let maximumDepth = 6

  let pixelsPerPoint: Double
  var depth = 0

  /// What is drawn for a `CIMSymbolReference`.
  func style(for reference: JSONObject) -> SymbolStyle {
    guard let symbol = reference.object("symbol"), depth < Self.maximumDepth else {
      return SymbolStyle(problems: ["a symbol of ArcGIS Pro is empty or nested too deeply"])
    }
    var style = SymbolStyle()
    // The first layer of a document is the topmost.
    for layer in symbol.objects("symbolLayers").reversed() where layer.flag("enable") ?? true {
      add(layer, to: &style)
    }
    if style.layers.isEmpty, style.problems.isEmpty {
      style.problems.append("a symbol of ArcGIS Pro has no layer that is drawn")
    }
    rotate(&style, by: symbol.number("angle") ?? 0)
    return style
  }

  private func add(_ layer: JSONObject, to style: inout SymbolStyle) {
    let type = layer.text("type") ?? ""
    switch type {
    case "CIMSolidFill", "CIMHatchFill", "CIMPictureFill", "CIMGradientFill", "CIMFill":
      if let fill = fill(layer, &style.problems) { style.layers.append(.fill(fill)) }
    case "CIMSolidStroke", "CIMFilledStroke", "CIMGradientStroke":
      guard let stroke = stroke(layer, &style.problems) else { return }
      style.layers.append(.stroke(stroke))
      style.nominalSize = max(style.nominalSize, stroke.width)
    case "CIMVectorMarker", "CIMSimpleMarker", "CIMPictureMarker", "CIMCharacterMarker":
      guard let marker = marker(layer, &style.problems) else { return }
      style.layers.append(.marker(marker))
      let size = reader.pixels(layer.number("size") ?? 0)
      style.nominalSize = max(style.nominalSize, size)
    default: style.problems.append("symbol layers of the kind «\(type)» are not drawn")
    }
  }

  private func rotate(_ style: inout SymbolStyle, by angle: Double) {
    guard angle != 0 else { return }
    for index in style.layers.indices {
      guard case .marker(var marker) = style.layers[index] else { continue }
      marker.angle -= angle
      style.layers[index] = .marker(marker)
    }
  }

  var reader: SymbolReader { SymbolReader(pixelsPerPoint: pixelsPerPoint) }

  /// A line, with its colour, dashes and offset.
  func stroke(_ layer: JSONObject, _ problems: inout [String]) -> StrokeStyle? {
    let width = reader.pixels(layer.number("width") ?? 1)
    guard width > 0, let color = strokeColor(layer) else { return nil }
    var stroke = StrokeStyle(color: color, width: width)
    stroke.cap = layer.text("capStyle").map(Self.cap) ?? .round
    stroke.join = layer.text("joinStyle").map(Self.join) ?? .round
    for effect in layer.objects("effects") {
      switch effect.text("type") {
      case "CIMGeometricEffectDashes":
        stroke.dashes = (effect["dashTemplate"]?.array ?? []).prefix(32)
          .compactMap(\.lenientNumber).map { reader.pixels($0) }
      case "CIMGeometricEffectOffset": stroke.offset = reader.pixels(effect.number("offset") ?? 0)
      case let type:
        problems.append("the effect «\(type ?? "")» of a line is left out")
      }
    }
    return stroke
  }

  private func strokeColor(_ layer: JSONObject) -> RGBAColor? {
    CIMColor.color(layer["color"]) ?? CIMColor.color(layer.object("pattern")?["color"])
      ?? layer.object("colorRamp").flatMap { ramp in
        CIMColor.color(ramp["fromColor"])
      }
  }

  private static func cap(_ name: String) -> StrokeStyle.Cap {
    switch name {
    case "Butt": .butt
    case "Square": .square
    default: .round
    }
  }

  private static func join(_ name: String) -> StrokeStyle.Join {
    switch name {
    case "Miter": .miter
    case "Bevel": .bevel
    default: .round
    }
  }
}
