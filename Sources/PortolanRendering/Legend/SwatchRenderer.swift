public import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
public import PortolanImages
internal import PortolanJSON
public import PortolanMap
internal import PortolanSymbols

/// Draws the symbols of the lines of a legend.
public struct SwatchRenderer: Hashable, Sendable {
  /// The width of a picture, in points of 1/96 inch.
  public var width: Double
  /// The height of a picture, in points of 1/96 inch.
  public var height: Double
  /// The pixels along a point.
  public var pixelRatio: Double

  /// Creates what draws pictures of one size.
  public init(width: Double = 24, height: Double = 24, pixelRatio: Double = 1) {
    self.width = width
    self.height = height
    self.pixelRatio = pixelRatio
  }

  /// The picture as a PNG file, clear where nothing is drawn; `nil` if there is nothing to draw.
  ///
  /// Markers larger than the picture are shrunk, so that all of them is seen.
  ///
  /// - Throws: `RenderingError.unusableSize(width:height:)` if the sides are not from 1 to 1024
  ///   pixels.
  public func pngData(of swatch: LegendInfo.Swatch) throws(RenderingError) -> Data? {
    try image(of: swatch).map { image throws(RenderingError) in try PNGEncoder.encode(image) }
  }

  /// The picture as pixels; `nil` if there is nothing to draw.
  ///
  /// - Throws: `RenderingError.unusableSize(width:height:)`.
  public func image(of swatch: LegendInfo.Swatch) throws(RenderingError) -> PixelImage? {
    let sides = [width, height].map { ($0 * pixelRatio).rounded() }
    guard sides.allSatisfy({ (1...1024).contains($0) }) else {
      throw .unusableSize(
        width: Int(exactly: sides[0]) ?? 0, height: Int(exactly: sides[1]) ?? 0)
    }
    let commands = commands(for: swatch, width: sides[0], height: sides[1])
    guard !commands.isEmpty else { return nil }
    let surface = try PictureSurface(width: Int(sides[0]), rows: 0..<Int(sides[1]))
    surface.draw(commands)
    return surface.image()
  }

  private func commands(
    for swatch: LegendInfo.Swatch, width: Double, height: Double
  ) -> [DrawCommand] {
    let box = Envelope(xMin: 0, yMin: 0, xMax: width, yMax: height)
    switch swatch {
    case .none: return []
    case .ramp(let stops): return Self.ramp(stops, box.expanded(by: -pixelRatio))
    case .symbol(let symbol):
      let reader = SymbolReader(pixelsPerPoint: pixelRatio * 96 / 72)
      var commands: [DrawCommand] = []
      // Shapes that the symbol has no part for leave the picture empty.
      _ = reader.style(for: symbol.withSampleText).fitted(to: min(width, height))
        .drawSample(in: box, margin: 2 * pixelRatio, into: &commands)
      return commands
    }
  }

  private static func ramp(_ stops: [ColorStop], _ box: Envelope) -> [DrawCommand] {
    guard let first = stops.first, let last = stops.last else { return [] }
    let whole = last.value - first.value
    let shares = stops.map { stop in
      ColorStop(
        value: whole > 0 && whole.isFinite ? (stop.value - first.value) / whole : 0,
        color: stop.color)
    }
    return [
      .fill(.rectangle(box), .gradient(FillStyle.Gradient(stops: shares, angle: 0)))
    ]
  }
}

extension Symbol {
  /// A text symbol says something in a legend.
  fileprivate var withSampleText: Symbol {
    guard case .text(let symbol) = self, (symbol.text ?? "").isEmpty else { return self }
    var json = symbol.json
    json["text"] = "Aa"
    return .text(TextSymbol(json: json))
  }
}

extension SymbolStyle {
  /// The symbol made smaller if its markers would not fit.
  fileprivate func fitted(to side: Double) -> SymbolStyle {
    let room = side - 2
    guard hasMarkers, nominalSize > room else { return self }
    return varied(by: SymbolVariation(size: room))
  }

  /// Draws the symbol as legends show it: an area, else a line, else a point.
  fileprivate func drawSample(
    in box: Envelope, margin: Double, into commands: inout [DrawCommand]
  ) -> Bool {
    let inner = box.expanded(by: -margin)
    if hasFills { return draw(.area(.rectangle(inner)), heading: 0, into: &commands) }
    guard hasStrokes else {
      return draw(.points([box.center]), heading: 0, into: &commands)
    }
    let line = PixelPath(
      [
        [
          Coordinate(x: inner.xMin, y: box.center.y), Coordinate(x: inner.xMax, y: box.center.y),
        ]
      ], isClosed: false)
    return draw(.lines(line), heading: 0, into: &commands)
  }
}
