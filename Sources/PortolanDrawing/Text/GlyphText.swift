package import PortolanGeometry
package import PortolanMap

/// A text in the letters of a package of vector tiles, which has no place yet; lengths in pixels.
package struct GlyphText: Sendable {
  /// A letter of the text.
  package struct Letter: Sendable {
    /// In pixels of an em of 24, from the pen at the top of the line.
    package var outline: PixelPath
    /// The same, grown; the widest first.
    package var halos: [PixelPath]
    /// From pen to pen, in pixels of an em of 24.
    package var advance: Double
    /// The middle of the letter on the middle of its line, from the corner of the text.
    package var center: Coordinate
    /// The size as a share of that of the text.
    package var scale: Double
    /// The colour, if it is not that of the text.
    package var color: RGBAColor?
    /// What stands there instead of a letter.
    package var marker: MarkerStyle?
    /// Whether the letter stands upright where the text is written downwards.
    package var standsUpright = false

    /// A marker that stands like a letter; `center` is its middle.
    package init(_ marker: MarkerStyle, advance: Double, center: Coordinate, scale: Double) {
      self.init(
        outline: PixelPath(isClosed: true), halos: [], advance: advance, center: center,
        scale: scale)
      self.marker = marker
    }

    package init(
      outline: PixelPath, halos: [PixelPath], advance: Double, center: Coordinate,
      scale: Double = 1, color: RGBAColor? = nil, standsUpright: Bool = false
    ) {
      self.outline = outline
      self.halos = halos
      self.advance = advance
      self.center = center
      self.scale = scale
      self.color = color
      self.standsUpright = standsUpright
    }
  }

  /// A letter at its place.
  package struct Placed: Sendable {
    package var letter: Int
    package var station: PixelPath.Station

    package init(letter: Int, station: PixelPath.Station) {
      self.letter = letter
      self.station = station
    }
  }

  /// The pixels of an em, as packages hold letters.
  package static let em = 24.0
  /// From the top of a line, as letters count it, to its middle; in pixels of an em of 24.
  package static let middle = 17.0

  package var letters: [Letter]
  package var width: Double
  package var height: Double
  package var style: TextStyle
  /// How far the halo reaches beyond the outlines that the letters bring, which end at their border.
  package var strokedHalo = 0.0

  /// Pixels of the picture in one of an em of 24.
  private var scale: Double { style.size / Self.em }

  package init(letters: [Letter], width: Double, height: Double, style: TextStyle) {
    self.letters = letters
    self.width = width
    self.height = height
    self.style = style
  }

  /// The letters of a text that stands straight.
  package func placed(at position: Coordinate, anchor: Coordinate, angle: Double) -> [Placed] {
    let turn = PixelTurn(angle)
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

  /// The steps that draw letters: first all halos, so that none covers a letter beside it.
  func commands(_ placed: [Placed]) -> [DrawCommand] {
    var commands: [DrawCommand] = []
    if let halo = style.haloColor {
      for place in placed { commands += self.halo(place, halo) }
    }
    for place in placed {
      let letter = letters[place.letter]
      if let marker = letter.marker {
        commands.append(.marker(marker, at: place.station.point, angle: place.station.angle))
      }
      let path = path(letter.outline, place)
      if !path.isEmpty { commands.append(.fill(path, .solid(letter.color ?? style.color))) }
    }
    return commands
  }

  /// Halos whose edges fade are drawn in layers, which cover more the farther inside.
  private func halo(_ place: Placed, _ color: RGBAColor) -> [DrawCommand] {
    let letter = letters[place.letter]
    var commands: [DrawCommand] = []
    if strokedHalo > 0 {
      let path = path(letter.outline, place)
      commands.append(.stroke(path, StrokeStyle(color: color, width: 2 * strokedHalo)))
    }
    for (index, outline) in letter.halos.enumerated() where !outline.isEmpty {
      let share = 1 / Double(letter.halos.count - index)
      commands.append(.fill(path(outline, place), .solid(color.faded(share))))
    }
    return commands
  }

  private func path(_ outline: PixelPath, _ place: Placed) -> PixelPath {
    let turn = PixelTurn(place.station.angle)
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
