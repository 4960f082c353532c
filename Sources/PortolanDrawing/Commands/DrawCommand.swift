package import PortolanGeometry
package import PortolanImages

/// A step of drawing, in pixels of the picture.
package enum DrawCommand: Sendable {
  /// Begins a group that is drawn apart, until it ends.
  case beginGroup
  /// Ends a group and composes it with the picture below.
  case endGroup(opacity: Double, mode: BlendMode = .normal)
  case fill(PixelPath, FillStyle)
  case stroke(PixelPath, StrokeStyle)
  case image(PixelImage, ImagePlacement)
  /// A marker at a point, turned by degrees, clockwise.
  case marker(MarkerStyle, at: Coordinate, angle: Double)
  case text(TextRun)
  /// Glyphs of a package at their places.
  case letters(GlyphText, [GlyphText.Placed])
  /// Steps that change nothing outside of an area, whose edges are hard.
  indirect case clipped([DrawCommand], to: PixelPath)

  /// Lengths beyond this, in pixels, are cut: no map has such symbols on purpose.
  package static let maximumLength = 4096.0

  /// The rows that the command may change; `nil` for all.
  var rows: ClosedRange<Double>? {
    switch self {
    case .beginGroup, .endGroup, .text: nil
    case .fill(let path, _), .clipped(_, let path): Self.rows(path.bounds, 1)
    case .stroke(let path, let style):
      // Mitred corners reach out ten times the width at most, as cairo limits them.
      Self.rows(
        path.bounds,
        (style.width + style.gapWidth) * (style.join == .miter ? 10 : 1) + abs(style.offset) + 1)
    case .image(_, let placement): Self.rows(placement.area.bounds, 1)
    case .marker(let style, let point, _): Self.rows(from: point.y, to: point.y, style.reach)
    case .letters(let text, let placed):
      placed.isEmpty
        ? 0...0
        : Self.rows(
          from: placed.reduce(.infinity) { min($0, $1.station.point.y) },
          to: placed.reduce(-.infinity) { max($0, $1.station.point.y) }, text.reach)
    }
  }

  /// The vertices of its shapes, as many for a picture as take its memory, and one for anything else.
  var partCount: Int {
    switch self {
    case .fill(let path, _), .stroke(let path, _): path.points.count
    case .clipped(let commands, let path):
      commands.reduce(path.points.count) { $0 + $1.partCount }
    case .letters(_, let placed): placed.count
    // A vertex takes the memory of four pixels.
    case .image(let image, _): max(image.pixels.count / 4, 1)
    case .beginGroup, .endGroup, .marker, .text: 1
    }
  }

  private static func rows(_ bounds: Envelope, _ margin: Double) -> ClosedRange<Double>? {
    bounds.isEmpty ? 0...0 : rows(from: bounds.yMin, to: bounds.yMax, margin)
  }

  /// The rows with a margin around them; all where lengths make no sense.
  private static func rows(
    from top: Double, to bottom: Double, _ margin: Double
  ) -> ClosedRange<Double>? {
    let (first, last) = (top - margin, bottom + margin)
    return first <= last ? first...last : nil
  }
}

/// The place where a picture is drawn.
package struct ImagePlacement: Sendable {
  /// The transform from pixels of the picture that is drawn to pixels of the one that is drawn on.
  package var transform: PixelTransform
  /// The area that is covered.
  package var area: PixelPath
  /// Whether pixels that are enlarged run into each other.
  package var isSmooth: Bool
  package var opacity = 1.0

  package init(transform: PixelTransform, area: PixelPath, isSmooth: Bool, opacity: Double = 1) {
    self.transform = transform
    self.area = area
    self.isSmooth = isSmooth
    self.opacity = opacity
  }

  /// Pixel on pixel, for a picture as large as the one that is drawn on.
  package static func whole(of image: PixelImage, opacity: Double = 1) -> ImagePlacement {
    ImagePlacement(
      transform: .identity, area: .rectangle(image.box), isSmooth: false, opacity: opacity)
  }
}
