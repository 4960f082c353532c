package import PortolanGeometry
package import PortolanMap

/// A text in the glyphs of a package of vector tiles, which has no place yet; lengths in pixels.
package struct GlyphText: Sendable {
  /// A glyph of the text.
  package struct Letter: Sendable {
    /// The distances of its pixels from its edge; `nil` for blanks and for markers.
    package var field: DistanceField?
    /// The distance from pen to pen, in pixels of an em of 24.
    package var advance: Double
    /// The middle of the glyph on the middle of its line, from the corner of the text.
    package var center: Coordinate
    /// The size as a share of that of the text.
    package var scale: Double
    /// The colour, if it is not that of the text.
    package var color: RGBAColor?
    /// The marker in place of a glyph.
    package var marker: MarkerStyle?
    /// Whether the glyph is upright where the text is written downwards.
    package var standsUpright = false

    /// A marker set like a glyph; `center` is its middle.
    package init(_ marker: MarkerStyle, advance: Double, center: Coordinate, scale: Double) {
      self.init(field: nil, advance: advance, center: center, scale: scale)
      self.marker = marker
    }

    package init(
      field: DistanceField?, advance: Double, center: Coordinate, scale: Double = 1,
      color: RGBAColor? = nil, standsUpright: Bool = false
    ) {
      self.field = field
      self.advance = advance
      self.center = center
      self.scale = scale
      self.color = color
      self.standsUpright = standsUpright
    }
  }

  /// A glyph at its place.
  package struct Placed: Sendable {
    package var letter: Int
    package var station: PixelPath.Station

    package init(letter: Int, station: PixelPath.Station) {
      self.letter = letter
      self.station = station
    }
  }

  /// The pixels of an em, as packages hold glyphs.
  package static let em = 24.0
  /// The distance from the top of a line, as glyphs count it, to its middle; in pixels of an em of
  /// 24.
  package static let middle = 17.0

  package var letters: [Letter]
  package var width: Double
  package var height: Double
  package var style: TextStyle

  /// Pixels of the picture in one of an em of 24.
  var scale: Double { style.size / Self.em }

  package init(letters: [Letter], width: Double, height: Double, style: TextStyle) {
    self.letters = letters
    self.width = width
    self.height = height
    self.style = style
  }

  /// The glyphs of a straight text.
  package func placed(at position: Coordinate, anchor: Coordinate, angle: Double) -> [Placed] {
    let turn = PixelRotation(angle)
    return letters.indices.map { index in
      let center = letters[index].center
      let place = turn(
        Coordinate(x: center.x - width * anchor.x, y: center.y - height * anchor.y))
      return Placed(
        letter: index,
        station: PixelPath.Station(
          point: Coordinate(x: position.x + place.x, y: position.y + place.y), angle: angle))
    }
  }

  /// The maximum distance of any part of a glyph from its middle.
  var reach: Double {
    letters.reduce(0) { reach, letter in
      guard let field = letter.field else { return max(reach, letter.marker?.reach ?? 0) }
      let across = abs(field.corner.x - letter.advance / 2) + Double(field.width + 1)
      let down = abs(field.corner.y - Self.middle) + Double(field.height + 1)
      return max(reach, (across + down) * letter.scale * scale)
    }
  }

  /// The transform from the pixels of a glyph's distances to those of the picture.
  func transform(of place: Placed, _ field: DistanceField) -> PixelTransform {
    let letter = letters[place.letter]
    let scale = scale * letter.scale
    let turn = PixelRotation(place.station.angle)
    func turned(_ x: Double, _ y: Double) -> Coordinate {
      turn(Coordinate(x: x * scale, y: y * scale))
    }
    let corner = turned(field.corner.x - letter.advance / 2, field.corner.y - Self.middle)
    let point = place.station.point
    return PixelTransform(
      from: Coordinate(x: point.x + corner.x, y: point.y + corner.y), across: turned(1, 0),
      down: turned(0, 1))
  }
}
