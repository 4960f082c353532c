internal import Foundation
internal import PortolanGeometry
internal import PortolanMap

extension GlyphText {
  /// The distance to both sides of their edge over which glyphs fade, in pixels of the picture.
  private static let softness = 0.84
  /// The softness that a blur of a pixel adds.
  private static let softnessOfBlur = 1.19

  /// The change of the stored distance per pixel of the picture, whatever the size of a glyph in
  /// its text.
  private var unit: Double { DistanceField.slope / scale }

  /// The paint that turns the distances of a glyph into ink.
  func paint(of letter: Letter) -> DistancePaint {
    DistancePaint(
      color: letter.color ?? style.color, edge: DistanceField.edge,
      softness: Self.softness * unit)
  }

  /// The paint that turns them into a halo; `nil` if there is none.
  ///
  /// As in MapLibre a halo ends with the distances of its glyph, and is clear under it, so that
  /// glyphs can be seen through.
  var haloPaint: DistancePaint? {
    guard let color = style.haloColor, style.haloWidth > 0 else { return nil }
    return DistancePaint(
      color: color, edge: DistanceField.edge - style.haloWidth * unit,
      softness: (Self.softness + style.haloBlur * Self.softnessOfBlur) * unit,
      hollow: DistanceField.edge)
  }

  /// The steps that draw the outlines of glyphs, which stay sharp at any size.
  func outlined(_ placed: [Placed]) -> [DrawCommand] {
    var commands: [DrawCommand] = []
    if let halo = style.haloColor, style.haloWidth > 0 {
      for place in placed { commands += self.halo(place, halo) }
    }
    for place in placed {
      let letter = letters[place.letter]
      if let marker = letter.marker {
        commands.append(
          .marker(marker, at: marker.sharpPlace(of: place.station), angle: place.station.angle))
      }
      guard let field = letter.field else { continue }
      let path = path(DistanceContour.outline(of: field), place)
      if !path.isEmpty { commands.append(.fill(path, .solid(letter.color ?? style.color))) }
    }
    return commands
  }

  /// Halos are drawn from the distances in the glyphs up to here, in pixels of an em of 24.
  private static let widestHalo = 2.75

  /// Halos whose edges fade are drawn in layers, which cover more the farther inside.
  private func halo(_ place: Placed, _ color: RGBAColor) -> [DrawCommand] {
    let letter = letters[place.letter]
    guard let field = letter.field else { return [] }
    var commands: [DrawCommand] = []
    if style.haloWidth / scale > Self.widestHalo {
      let path = path(DistanceContour.outline(of: field), place)
      let width = 2 * min(style.haloWidth, style.size)
      commands.append(.stroke(path, StrokeStyle(color: color, width: width)))
    }
    let growths = growths
    for (index, growth) in growths.enumerated() {
      let outline = DistanceContour.outline(of: field, grownBy: growth / letter.scale)
      guard !outline.isEmpty else { continue }
      let share = 1 / Double(growths.count - index)
      commands.append(.fill(path(outline, place), .solid(color.faded(share))))
    }
    return commands
  }

  /// The distances by which halos are grown, the widest first; more than one for edges that fade.
  private var growths: [Double] {
    let toEm = Self.em / style.size
    guard style.haloBlur > 0 else { return [min(style.haloWidth * toEm, Self.widestHalo)] }
    // The edge fades smoothly, and as far as edges do that have no blur.
    let reach = style.haloBlur * Self.softnessOfBlur + 0.5
    let count = reach * toEm > 2 ? 8 : 4
    return (0..<count).map { number in
      let share = (Double(number) + 0.5) / Double(count)
      let place = 0.5 - sin(asin(1 - 2 * share) / 3)
      // A halo that reaches beyond the field of the letter ends with it.
      return min(
        (style.haloWidth + reach * (1 - 2 * place)) * toEm,
        DistanceField.edge / DistanceField.slope)
    }
  }

  private func path(_ outline: PixelPath, _ place: Placed) -> PixelPath {
    let turn = PixelRotation(place.station.angle)
    let half = letters[place.letter].advance / 2
    let scale = scale * letters[place.letter].scale
    let runs = outline.runs.map { run in
      run.map { point in
        let turned = turn(
          Coordinate(x: (point.x - half) * scale, y: (point.y - Self.middle) * scale))
        return Coordinate(
          x: place.station.point.x + turned.x, y: place.station.point.y + turned.y)
      }
    }
    return PixelPath(runs, isClosed: true)
  }
}
