internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

/// The space that a text along a line keeps free, as the renderers of the style specification have
/// it: circles along the line, whether the text is beside it or not; lengths in pixels of the
/// picture at the last whole zoom.
struct LineCircles {
  /// Circles are at least so wide, in pixels of an em of 24.
  private static let leastWidth = 10.0
  /// As far as they are from the anchor circles count as nearer, so that some are beyond the text.
  private static let nearness = 0.8

  /// The length of the text with what is kept free before and after it.
  private let length: Double
  private let radius: Double
  /// The distances from the anchor back to the middle of the first letter, and on to that of the
  /// last one.
  private let reach: (back: Double, ahead: Double)
  /// The factor by which the line is larger than at the last whole zoom.
  private let growth: Double
  private let overscaling: Double

  /// - Parameters:
  ///   - glyphs: The text.
  ///   - text: What is said of it.
  ///   - offset: From the anchor along the line to the middle of the text.
  ///   - growth: By how much larger the map is than at the last whole zoom.
  ///   - overscaling: How many times larger than meant the tile is drawn there.
  init(
    _ glyphs: GlyphText, of text: StyleText, offset: Double, growth: Double, overscaling: Double
  ) {
    let scale = text.collisionScale
    length = glyphs.width * scale + 2 * text.padding
    radius =
      max(
        glyphs.height * scale + 2 * text.padding,
        Self.leastWidth * glyphs.style.size * scale / GlyphShape.em) / 2
    func distance(_ letter: GlyphText.Letter?) -> Double {
      abs((letter?.center.x ?? 0) - glyphs.width / 2 + offset) / growth
    }
    reach = (distance(glyphs.letters.first), distance(glyphs.letters.last))
    self.growth = growth
    self.overscaling = overscaling
  }

  /// The circles; none where the line has no room for them.
  func circles(on curve: LabelCurve, around anchor: Double) -> [RotatedBox] {
    guard radius > 0, length > 0, growth > 0 else { return [] }
    // Circles begin at a vertex of the line so far before the text.
    let margin = min(radius - length * 0.625, 0) * growth
    let first = curve.vertex(before: anchor + margin)
    guard first != nil || -anchor / growth - radius <= -length / 2 else { return [] }
    let ends = ((first ?? 0) - anchor) / growth...(curve.length - anchor) / growth
    let places = self.places.filter { ends.contains($0) }
    var circles: [RotatedBox] = []
    // A circle that lies half in the one before is left out, unless it is the last one.
    var last: Coordinate?
    for (index, place) in places.enumerated() {
      guard isUsed(place) else {
        last = nil
        continue
      }
      let center = curve.point(at: anchor + place * growth)
      if let before = last, PixelPath.distance(before, center) < radius * 2.0.squareRoot(),
        index + 1 < places.count, isUsed(places[index + 1])
      {
        last = nil
        continue
      }
      last = center
      circles.append(RotatedBox(around: center, radius: radius))
    }
    return circles
  }

  /// The distances of circles from the anchor, beyond the text at twice the distances.
  private var places: [Double] {
    let count = Int(max((min(length / radius, 1000)).rounded(.down), 1))
    let more = Int((Double(count) * (1 + 0.4 * log2(max(overscaling, 1))) / 2).rounded(.down))
    return (-more..<count + more).map { number in
      let along = Double(number) * radius
      let beyond = min(along, 0) + max(along - length, 0)
      return radius - length / 2 + along + beyond
    }
  }

  private func isUsed(_ place: Double) -> Bool {
    let counted = abs(place) < radius ? 0 : place * Self.nearness
    return counted >= -reach.back && counted <= reach.ahead
  }
}
