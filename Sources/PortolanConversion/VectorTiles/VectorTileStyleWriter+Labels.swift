internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

extension VectorTileStyleWriter {
  /// What has no symbol of its own is set so.
  private static let defaultSymbol = TextSymbol(
    color: defaultColor, size: 9, haloColor: RGBAColor(red: 255, green: 255, blue: 255), haloSize: 1
  )
  private static let defaultColor = RGBAColor(red: 0, green: 0, blue: 0)

  /// Adds the classes of labels of a layer, each of which labels all features that it takes.
  mutating func addLabels(_ layer: StyledTileLayer, _ renderer: RendererStyle) {
    let filters = StyleFilter(schema: layer.schema)
    var written: [LabelClassStyle] = []
    for (number, definition) in layer.drawingInfo.labelDefinitions.enumerated() {
      var labels = LabelClassStyle(definition, number)
      if let clause = definition.whereClause {
        guard let filter = filters.filter(clause) else {
          notes.append(
            "The style leaves out the labels of \"\(layer.name)\" where \(clause): "
              + "it cannot say that condition.")
          continue
        }
        labels.filter = filter
      }
      written.append(labels)
    }
    // Programs place the topmost layers first.
    for labels in written.sorted(by: { $0.isBelow($1) }) { add(labels, of: layer, renderer) }
    if !written.isEmpty { reportGlyphs(layer) }
  }

  private mutating func reportGlyphs(_ layer: StyledTileLayer) {
    let advice =
      "The labels need glyphs: programs that have none of their own need an address of them "
      + "(\"glyphs\") in the style."
    if !notes.contains(advice) { notes.append(advice) }
    if [.polygon, .envelope].contains(layer.geometryType) {
      notes.append("Areas of \"\(layer.name)\" have a label in each tile that they reach into.")
    }
  }

  private mutating func add(
    _ labels: LabelClassStyle, of layer: StyledTileLayer, _ renderer: RendererStyle
  ) {
    let definition = labels.definition
    guard let pieces = definition.pieces(of: layer.schema) else {
      if definition.text != .none {
        notes.append(
          "The style leaves out labels of \"\(layer.name)\": it cannot say their expression.")
      }
      return
    }
    let known = pieces.filter { $0.isIn(layer) }
    guard known.contains(where: \.isSeen) else { return }
    if known.contains(where: \.hasMarkup) {
      notes.append("The style draws the labels of \"\(layer.name)\" without their formatting tags.")
    }
    let symbol = definition.symbol ?? Self.defaultSymbol
    var members: JSONObject = [
      "layout": .object(
        labels.layout(known.text(in: layer), symbol, layer.geometryType, renderer)),
      "paint": .object(Self.paint(symbol, opacity: layer.styleOpacity)),
    ]
    if labels.filter != true { members["filter"] = labels.filter }
    addLabels(
      of: layer, labels.number == 0 ? "labels" : "labels \(labels.number + 1)", members,
      in: definition.scaleRange)
  }

  private static func paint(_ symbol: TextSymbol, opacity: Double) -> JSONObject {
    var paint: JSONObject = ["text-color": .string((symbol.color ?? defaultColor).style)]
    if let color = symbol.haloColor, symbol.haloSize > 0 {
      paint["text-halo-color"] = .string(color.style)
      paint["text-halo-width"] = .number(symbol.haloSize * SymbolAppearance.pixelsPerPoint)
    }
    if opacity < 1 { paint["text-opacity"] = .number(opacity) }
    return paint
  }
}

extension LabelDefinition.Piece {
  /// The name of the field, if it is one.
  fileprivate var field: String? {
    switch self {
    case .text: nil
    case .field(let name), .domainName(let name): name
    }
  }

  /// Whether the piece says anything: fields that the tiles do not have are blank.
  fileprivate func isIn(_ layer: StyledTileLayer) -> Bool {
    field.map { layer.value(of: $0) != nil } ?? true
  }

  /// Whether the piece leaves letters, at least of some features.
  fileprivate var isSeen: Bool {
    guard case .text(let text) = self else { return true }
    return Self.withoutTags(text).contains { !$0.isWhitespace }
  }

  /// Whether parts of the text are set apart (`<BOL>`, `<CLR>`).
  fileprivate var hasMarkup: Bool {
    guard case .text(let text) = self else { return false }
    return text != Self.withoutTags(text)
  }

  private static func withoutTags(_ text: String) -> String {
    let tag = #/<\/?_?(?:BOL|ITA|UND|CLR|FNT|SUP|SUB|ACP|SCP|CHR|WRD|LIN)\b[^<>]*>/#
      .ignoresCase()
    return text.replacing(tag, with: "")
  }

  /// The piece as an expression.
  fileprivate func json(in layer: StyledTileLayer) -> JSONValue? {
    switch self {
    case .text(let text):
      let plain = Self.withoutTags(text)
      if plain.isEmpty { return nil }
      return .string(plain)
    case .field(let name): return layer.value(of: name)?.text
    case .domainName(let name): return layer.value(of: name)?.domainName
    }
  }
}

extension [LabelDefinition.Piece] {
  fileprivate func text(in layer: StyledTileLayer) -> JSONValue {
    let parts = compactMap { $0.json(in: layer) }
    return parts.count == 1 ? parts[0] : .array(["concat"] + parts)
  }
}
