internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry

/// Collects the symbols that areas have at a point, for tiles have pieces of areas: those that continue
/// in each other are one area, which has one symbol.
struct AreaSymbols {
  /// A line of the grid of tiles, upright or level.
  struct Side: Hashable {
    var world: Int
    var isUpright: Bool
    var number: Int
  }

  /// A piece of an area.
  struct Piece {
    var symbol: StyleSymbol
    /// Where its symbol would be on the picture.
    var point: Coordinate
    /// From there to the nearest side of the piece, in pixels.
    var room: Double
    /// The number of its feature.
    var number: Int
    /// What it has in common with other pieces of its area.
    var identity: String
    /// Where it continues in other tiles: from where to where along their sides, counted in tiles.
    var sides: [Side: ClosedRange<Double>]
    /// The box around its tile, on the picture.
    var tile: Envelope
  }

  private(set) var pieces: [Piece] = []

  mutating func add(_ piece: Piece) { pieces.append(piece) }

  /// One piece of each area: the one with the most room, where the picture shows it if it can be.
  func chosen(_ drawing: DrawingContext) -> [Piece] {
    guard let grid = drawing.labelGrid else {
      return Self.areas(pieces).compactMap { area in
        let seen = area.filter { drawing.isInside($0.point) }
        return Self.roomiest(seen.isEmpty ? area : seen)
      }
    }
    // Labels are placed in each cell of the grid for itself, by what is known of it in all pictures.
    return grid.cells(touching: grid.area).flatMap { cell in
      let box = grid.box(of: cell)
      return Self.areas(pieces.filter { $0.tile.intersects(box) }).compactMap { area in
        Self.roomiest(area.filter { grid.cell(of: $0.point) == cell })
      }
    }
  }

  private static func roomiest(_ pieces: [Piece]) -> Piece? {
    // In sixteenths of a pixel, for the last digits are others in each picture.
    pieces.min {
      ((-$0.room * 16).rounded(), $0.point.y, $0.point.x)
        < ((-$1.room * 16).rounded(), $1.point.y, $1.point.x)
    }
  }

  /// Pieces that meet at a side of their tiles, together.
  private static func areas(_ pieces: [Piece]) -> [[Piece]] {
    var owners = Array(pieces.indices)
    func owner(_ index: Int) -> Int {
      var index = index
      while owners[index] != index {
        owners[index] = owners[owners[index]]
        index = owners[index]
      }
      return index
    }
    var met: [Meeting: [(index: Int, range: ClosedRange<Double>)]] = [:]
    for (index, piece) in pieces.enumerated() {
      for (side, range) in piece.sides {
        met[Meeting(identity: piece.identity, side: side), default: []].append((index, range))
      }
    }
    // From one end of a side to the other, for a tile may have any number of pieces there.
    for var meeting in met.values {
      meeting.sort { $0.range.lowerBound < $1.range.lowerBound }
      var farthest = meeting[0]
      for piece in meeting.dropFirst() {
        if piece.range.lowerBound <= farthest.range.upperBound {
          let (first, second) = (owner(piece.index), owner(farthest.index))
          owners[max(first, second)] = min(first, second)
        }
        if piece.range.upperBound > farthest.range.upperBound { farthest = piece }
      }
    }
    let members = Dictionary(grouping: pieces.indices, by: owner)
    return members.sorted { $0.key < $1.key }.map { $0.value.map { pieces[$0] } }
  }

  private struct Meeting: Hashable {
    var identity: String
    var side: Side
  }
}

extension StylePainter {
  /// Areas with more vertices have their symbol somewhere inside, and not where it is best.
  private static let maximumPoleVertices = 20_000

  /// Takes down the symbols of the pieces of areas that a feature has in a tile; those that may cover
  /// others are in each of its tiles.
  func addAreas(_ symbol: StyleSymbol, _ feature: PlacedFeature, _ number: Int, _ tile: TileFrame) {
    for part in feature.areas {
      guard let place = Self.anchor(part) else { continue }
      let unit = 1 / FeatureGeometry.unitsPerTile
      let point = drawing.transform(tile.onMap(Coordinate(x: place.x * unit, y: place.y * unit)))
      guard tile.drawn.holds(point) else { continue }
      if symbol.isUnconditional {
        addSymbol(symbol, number, at: [point])
        continue
      }
      let sides = sides(part, tile.placed)
      areas.add(
        AreaSymbols.Piece(
          symbol: symbol, point: point, room: part.distance(from: place) * unit * tile.side,
          number: featureNumber,
          identity: sides.isEmpty ? "" : Self.identity(feature.feature, symbol), sides: sides,
          tile: tile.corners.bounds))
    }
  }

  /// The anchor of the symbol of an area in coordinates of its tile, as near as a pixel where that is not
  /// enlarged.
  ///
  /// As in MapLibre it is the same at all zooms of the tile, however the map is turned.
  static func anchor(_ area: PixelPath) -> Coordinate? {
    area.points.count > maximumPoleVertices
      ? area.interiorPoint : area.pole(precision: FeatureGeometry.unitsPerTile / 512)
  }

  /// Takes down one symbol for each area, when its pieces in all tiles are known.
  func addAreas(_ areas: AreaSymbols, _ number: Int) {
    let last = featureNumber
    for piece in areas.chosen(drawing) where !isFull {
      featureNumber = piece.number
      addSymbol(piece.symbol, number, at: [piece.point])
    }
    featureNumber = last
  }

  private static func identity(_ feature: VectorTileFeature, _ symbol: StyleSymbol) -> String {
    let identity =
      feature.id.map { "\($0)" }
      ?? feature.properties.sorted.map { "\($0.name)=\($0.value)" }
      .joined(separator: "\n")
    return "\(symbol.key)\n\(identity)"
  }

  /// Where a piece of an area reaches the sides of its tile.
  private func sides(
    _ part: PixelPath, _ placed: PlacedVectorTile
  ) -> [AreaSymbols.Side: ClosedRange<Double>] {
    let extent = placed.extent
    guard extent.width > 0, extent.height > 0 else { return [:] }
    let (column, row) = (
      (extent.xMin / extent.width).rounded(), (extent.yMin / extent.height).rounded()
    )
    guard let first = Int(exactly: column), let second = Int(exactly: row) else { return [:] }
    var sides: [AreaSymbols.Side: ClosedRange<Double>] = [:]
    func meet(_ isUpright: Bool, _ number: Int, _ place: Double) {
      let side = AreaSymbols.Side(
        world: drawing.worldCopy, isUpright: isUpright, number: number)
      let range = sides[side] ?? place...place
      sides[side] = min(range.lowerBound, place)...max(range.upperBound, place)
    }
    let tolerance = 1e-3
    for vertex in part.points {
      // Rows of tiles are counted upwards here.
      let x = vertex.x / FeatureGeometry.unitsPerTile
      let y = 1 - vertex.y / FeatureGeometry.unitsPerTile
      guard x.isFinite, y.isFinite else { continue }
      if x < tolerance { meet(true, first, row + y) }
      if x > 1 - tolerance { meet(true, first + 1, row + y) }
      if y < tolerance { meet(false, second, column + x) }
      if y > 1 - tolerance { meet(false, second + 1, column + x) }
    }
    return sides
  }
}
