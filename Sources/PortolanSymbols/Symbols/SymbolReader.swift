package import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON
package import PortolanMap

/// Turns symbols of maps into what is drawn.
package struct SymbolReader {
  /// Lengths beyond this, in pixels, are cut.
  package static let maximumLength = DrawCommand.maximumLength

  /// The pixels in a point of 1/72 inch.
  package let pixelsPerPoint: Double

  package init(pixelsPerPoint: Double) {
    self.pixelsPerPoint = pixelsPerPoint
  }

  /// The style of a symbol.
  package func style(for symbol: Symbol) -> SymbolStyle {
    switch symbol {
    case .simpleMarker(let symbol): style(symbol)
    case .simpleLine(let symbol): style(symbol)
    case .simpleFill(let symbol): style(symbol)
    case .pictureMarker(let symbol): style(symbol)
    case .pictureFill(let symbol): style(symbol)
    case .text(let symbol): style(symbol)
    case .other("CIMSymbolReference", let json):
      CIMSymbolReader(pixelsPerPoint: pixelsPerPoint).style(for: json)
    case .other(let type, let json) where type.hasPrefix("CIM"):
      CIMSymbolReader(pixelsPerPoint: pixelsPerPoint).style(for: ["symbol": .object(json)])
    case .other(let type, _):
      SymbolStyle(problems: ["symbols of the kind \"\(type)\" are not drawn"])
    }
  }

  /// A length in points as pixels, cut to what is sensible.
  package func pixels(_ points: Double) -> Double {
    min(max(points * pixelsPerPoint, -Self.maximumLength), Self.maximumLength)
  }

  package func stroke(_ symbol: SimpleLineSymbol?) -> StrokeStyle? {
    guard let symbol, symbol.style != .none, let color = symbol.color, symbol.width > 0 else {
      return nil
    }
    let width = pixels(symbol.width)
    let dashes = symbol.style.dashes.map { $0 * max(width, 1) }
    let cap = StrokeStyle.Cap(name: symbol.json.text("cap")) ?? (dashes.isEmpty ? .round : .butt)
    return StrokeStyle(
      color: color, width: width, dashes: dashes, cap: cap,
      join: StrokeStyle.Join(name: symbol.json.text("join")) ?? .round)
  }

  private func style(_ symbol: SimpleLineSymbol) -> SymbolStyle {
    var style = SymbolStyle(nominalSize: max(pixels(symbol.width), 0))
    style.problems = lengthProblems(symbol.width)
    guard let stroke = stroke(symbol) else { return style }
    style.layers = [.stroke(stroke)]
    addArrows(symbol.json.object("marker"), stroke, to: &style)
    return style
  }

  private func style(_ symbol: SimpleFillSymbol) -> SymbolStyle {
    var style = SymbolStyle()
    if let fill = fill(symbol) { style.layers.append(.fill(fill)) }
    if let outline = stroke(symbol.outline) {
      style.layers.append(.stroke(outline))
      style.nominalSize = outline.width
      style.problems = lengthProblems(symbol.outline?.width ?? 0)
    }
    return style
  }

  private func fill(_ symbol: SimpleFillSymbol) -> FillStyle? {
    guard let color = symbol.color, symbol.style != .none else { return nil }
    let angles = symbol.style.hatchAngles
    guard !angles.isEmpty else { return .solid(color) }
    let line = StrokeStyle(color: color, width: pixels(0.75), cap: .butt)
    return .hatch(FillStyle.Hatch(stroke: line, angles: angles, separation: pixels(6)))
  }

  func lengthProblems(_ lengths: Double...) -> [String] {
    lengths.contains { abs($0) * pixelsPerPoint > Self.maximumLength }
      ? ["a symbol is larger than any map, and is drawn smaller"] : []
  }
}

extension SimpleFillSymbol.Style {
  /// The directions of the lines of a hatch, in degrees counter-clockwise from the right.
  ///
  /// Forward diagonals fall from left to right, as they do in Windows, where the names are from.
  var hatchAngles: [Double] {
    switch self {
    case .solid, .none: []
    case .horizontal: [0]
    case .vertical: [90]
    case .cross: [0, 90]
    case .forwardDiagonal: [-45]
    case .backwardDiagonal: [45]
    case .diagonalCross: [45, -45]
    }
  }
}
