internal import PortolanDrawing
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

  /// The style of a `CIMSymbolReference`.
  func style(for reference: JSONObject) -> SymbolStyle {
    guard let symbol = reference.object("symbol"), depth < Self.maximumDepth else {
      return SymbolStyle(problems: ["a symbol of ArcGIS Pro is empty or nested too deeply"])
    }
    var style = SymbolStyle()
    // The first layer of a document is the topmost.
    for layer in symbol.objects("symbolLayers").reversed() where layer.flag("enable") ?? true {
      add(layer, to: &style)
    }
    reportMembers(of: reference, symbol, &style.problems)
    dash(&style, dashes(symbol))
    let effects = effects(symbol, &style.problems)
    if !effects.isEmpty { style.layers = style.layers.map { .changed(effects, $0) } }
    if style.layers.isEmpty, style.problems.isEmpty {
      style.problems.append("a symbol of ArcGIS Pro has no layer that is drawn")
    }
    rotate(&style, by: symbol.number("angle") ?? 0)
    return style
  }

  /// The geometric effects, except dashes, which are part of the line.
  private func effects(_ json: JSONObject, _ problems: inout [String]) -> [GeometricEffect] {
    json.objects("effects").prefix(16).compactMap { effect in
      let type = effect.text("type") ?? ""
      guard type != "CIMGeometricEffectDashes", effect.flag("enable") ?? true else { return nil }
      if let known = GeometricEffect(effect, reader) { return known }
      problems.append("the effect \"\(type)\" of a symbol is left out")
      return nil
    }
  }

  private func add(_ layer: JSONObject, to style: inout SymbolStyle) {
    let count = style.layers.count
    addPart(layer, to: &style)
    let effects = effects(layer, &style.problems)
    guard style.layers.count > count, !effects.isEmpty else { return }
    style.layers[count] = .changed(effects, style.layers[count])
  }

  private func addPart(_ layer: JSONObject, to style: inout SymbolStyle) {
    let type = layer.text("type") ?? ""
    reportMembers(of: layer, &style.problems)
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
    default: style.problems.append("symbol layers of the kind \"\(type)\" are not drawn")
    }
  }

  private func rotate(_ style: inout SymbolStyle, by angle: Double) {
    guard angle != 0 else { return }
    for index in style.layers.indices {
      style.layers[index] = style.layers[index].withBase { base in
        guard case .marker(var marker) = base else { return base }
        marker.angle -= angle
        return .marker(marker)
      }
    }
  }

  var reader: SymbolReader { SymbolReader(pixelsPerPoint: pixelsPerPoint) }

  /// A line, with its colour, dashes and offset.
  func stroke(_ layer: JSONObject, _ problems: inout [String]) -> StrokeStyle? {
    let width = reader.pixels(layer.number("width") ?? 1)
    problems += reader.lengthProblems(layer.number("width") ?? 0)
    guard width > 0, let color = strokeColor(layer) else { return nil }
    var stroke = StrokeStyle(color: color, width: width)
    stroke.cap = StrokeStyle.Cap(name: layer.text("capStyle")) ?? .round
    stroke.join = StrokeStyle.Join(name: layer.text("joinStyle")) ?? .round
    stroke.dashes = dashes(layer)
    if layer.text("type") == "CIMGradientStroke" {
      problems.append("a run of colours along a line is drawn in its first colour")
    }
    return stroke
  }

  /// The dashes among the effects of a part, or of a whole symbol.
  private func dashes(_ json: JSONObject) -> [Double] {
    let effect = json.objects("effects").last {
      $0.text("type") == "CIMGeometricEffectDashes" && $0.flag("enable") ?? true
    }
    return (effect?["dashTemplate"]?.array ?? []).prefix(32)
      .compactMap(\.lenientNumber).map { reader.pixels($0) }
  }

  /// Gives dashes to the lines that have none of their own.
  private func dash(_ style: inout SymbolStyle, _ dashes: [Double]) {
    guard !dashes.isEmpty else { return }
    style.layers = style.layers.map { layer in
      layer.withBase { base in
        guard case .stroke(var stroke) = base, stroke.dashes.isEmpty else { return base }
        stroke.dashes = dashes
        return .stroke(stroke)
      }
    }
  }

  private func strokeColor(_ layer: JSONObject) -> RGBAColor? {
    CIMColor.color(layer["color"]) ?? CIMColor.color(layer.object("pattern")?["color"])
      ?? layer.object("colorRamp").flatMap { ramp in
        CIMColor.color(ramp["fromColor"])
      }
  }
}

extension StrokeStyle.Cap {
  /// The value of a name in documents, in any case.
  init?(name: String?) {
    switch name?.lowercased() {
    case "butt": self = .butt
    case "square": self = .square
    case "round": self = .round
    default: return nil
    }
  }
}

extension StrokeStyle.Join {
  /// The value of a name in documents, in any case.
  init?(name: String?) {
    switch name?.lowercased() {
    case "miter": self = .miter
    case "bevel": self = .bevel
    case "round": self = .round
    default: return nil
    }
  }
}
