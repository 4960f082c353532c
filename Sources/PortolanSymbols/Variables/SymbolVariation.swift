internal import PortolanDrawing
internal import PortolanGeometry
package import PortolanMap

/// The changes that a feature's values make to its symbol.
package struct SymbolVariation: Hashable, Sendable {
  /// The size of a marker or the width of a line, in pixels.
  package var size: Double?
  /// The width of lines around areas and markers, in pixels.
  var outlineWidth: Double?
  var color: RGBAColor?
  /// The opacity, from 0 to 1.
  var opacity: Double?
  /// In degrees, clockwise from north.
  package var heading: Double?

  package init(
    size: Double? = nil, outlineWidth: Double? = nil, color: RGBAColor? = nil,
    opacity: Double? = nil, heading: Double? = nil
  ) {
    self.size = size
    self.outlineWidth = outlineWidth
    self.color = color
    self.opacity = opacity
    self.heading = heading
  }

  /// Whether the symbol stays as it is but for its angle.
  var keepsStyle: Bool { size == nil && outlineWidth == nil && color == nil && opacity == nil }
}

extension SymbolStyle {
  /// The symbol as a feature changes it.
  package func varied(by variation: SymbolVariation) -> SymbolStyle {
    guard !variation.keepsStyle else { return self }
    var style = self
    let wanted = variation.size.flatMap { nominalSize > 0 ? max($0, 0) / nominalSize : nil } ?? 1
    // A symbol without any size would have to grow beyond all numbers.
    let factor = min(wanted, 1e4)
    let hasFill = hasFills
    style.layers = layers.map { layer in
      layer.withBase { base in
        switch base {
        case .fill(let fill): .fill(fill.varied(variation.color, variation.opacity))
        case .stroke(let stroke):
          // The outline of an area keeps its colour and width: the value is in the fill.
          .stroke(
            hasFill
              ? stroke.varied(asOutline: variation)
              : stroke.varied(variation.color, variation.opacity, factor: factor))
        case .marker(let marker): .marker(marker.varied(variation, factor: factor))
        case .changed: base
        }
      }
    }
    style.nominalSize *= factor
    return style
  }
}

extension FillStyle {
  fileprivate func varied(_ color: RGBAColor?, _ opacity: Double?) -> FillStyle {
    switch self {
    case .solid(let own): return .solid((color ?? own).faded(opacity))
    case .crisp(let own): return .crisp((color ?? own).faded(opacity))
    case .spread(let own): return .spread((color ?? own).faded(opacity))
    case .union(let own): return .union((color ?? own).faded(opacity))
    case .hatch(var hatch):
      hatch.stroke.color = (color ?? hatch.stroke.color).faded(opacity)
      return .hatch(hatch)
    case .picture(var tile):
      tile.opacity *= opacity ?? 1
      return .picture(tile)
    case .gradient: return color.map { .solid($0.faded(opacity)) } ?? self
    }
  }
}

extension StrokeStyle {
  fileprivate func varied(
    _ color: RGBAColor?, _ opacity: Double?, factor: Double
  ) -> StrokeStyle {
    var style = self
    style.color = (color ?? self.color).faded(opacity)
    style.width = min(width * factor, SymbolReader.maximumLength)
    style.dashes = dashes.map { $0 * factor }
    return style
  }
}

extension StrokeStyle {
  /// The line around something that is filled, which keeps its colour.
  fileprivate func varied(asOutline variation: SymbolVariation) -> StrokeStyle {
    let factor = variation.outlineWidth.flatMap { width > 0 ? min($0 / width, 1e4) : nil }
    return varied(nil, variation.opacity, factor: factor ?? 1)
  }
}

extension MarkerStyle {
  fileprivate func varied(_ variation: SymbolVariation, factor: Double) -> MarkerStyle {
    var style = self
    style.graphics = graphics.map { $0.varied(variation, factor: factor) }
    style.reach = min(reach * factor, SymbolReader.maximumLength * 2)
    style.offset = Coordinate(x: offset.x * factor, y: offset.y * factor)
    style.opacity *= variation.opacity ?? 1
    return style
  }
}

extension MarkerGraphic {
  /// Larger by `factor`, its fills in another colour; outlines keep their width.
  fileprivate func varied(_ variation: SymbolVariation, factor: Double) -> MarkerGraphic {
    switch self {
    case .shape(let path, let paints):
      let scaled =
        factor == 1 ? path : path.mapped { Coordinate(x: $0.x * factor, y: $0.y * factor) }
      let hasFill = paints.contains { if case .fill = $0 { true } else { false } }
      return .shape(
        scaled,
        paints.map { paint in
          switch paint {
          case .fill(let fill): .fill(fill.varied(variation.color, variation.opacity))
          case .stroke(let stroke):
            .stroke(
              hasFill
                ? stroke.varied(asOutline: variation)
                : stroke.varied(variation.color, variation.opacity, factor: 1))
          }
        })
    case .image(let image, let box):
      return .image(
        image,
        Envelope(
          xMin: box.xMin * factor, yMin: box.yMin * factor, xMax: box.xMax * factor,
          yMax: box.yMax * factor))
    case .text(var run):
      run.style.size = min(max(run.style.size * factor, 1), 1000)
      run.style.color = (variation.color ?? run.style.color).faded(variation.opacity)
      return .text(run)
    }
  }
}
