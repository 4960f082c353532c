internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTiles
internal import PortolanVectorTiles

/// Draws tiles of another reference than the map's, some rows of the picture at a time.
///
/// The way from the picture to the tiles is worked out at the nodes of a grid, and is straight
/// between them, which is off by much less than a pixel.
struct WarpedTiles {
  private static let rowsAtATime = 64
  private static let nodeDistance = 16
  /// Tiles that a few rows may take; more are not kept in memory at a time.
  private static let maximumTiles = 600

  private let pictures: TilePictures
  private let plan: TilePlan
  private let projection: Projection
  private let session: DrawingSession
  /// The paint of the tiles by a style; `nil` for tiles that are drawn as they are.
  private let paint: (any TilePaint)?

  init(
    _ pictures: TilePictures, _ plan: TilePlan, projection: Projection, in session: DrawingSession,
    paint: (any TilePaint)? = nil
  ) {
    self.paint = paint
    self.pictures = pictures
    self.plan = plan
    self.projection = projection
    self.session = session
  }

  func draw() async {
    for top in stride(from: 0, to: session.height, by: Self.rowsAtATime) {
      guard !Task.isCancelled else { return }
      let rows = top..<min(top + Self.rowsAtATime, session.height)
      let grid = self.grid(over: rows)
      let tiles = await tiles(under: grid)
      guard !tiles.isEmpty, let image = await image(rows, grid, tiles) else { continue }
      var transform = PixelTransform.identity
      transform.y0 = Double(top)
      let area = Envelope(
        xMin: 0, yMin: Double(top), xMax: Double(session.width), yMax: Double(rows.upperBound))
      await session.draw([
        .image(
          image,
          ImagePlacement(
            transform: transform, area: .rectangle(area), isSmooth: false,
            opacity: paint?.opacity ?? 1))
      ])
    }
  }

  /// The map coordinates of the grid's nodes, in the reference of the tiles.
  private func grid(over rows: Range<Int>) -> WarpGrid {
    let distance = Self.nodeDistance
    let columns = (session.width + distance - 1) / distance + 1
    let lines = (rows.count + distance - 1) / distance + 1
    let frame = session.frame
    var places: [Coordinate] = []
    for line in 0..<lines {
      for column in 0..<columns {
        places.append(
          frame.location(
            ofScreenX: Double(column * distance) / session.pixelRatio,
            y: Double(rows.lowerBound + line * distance) / session.pixelRatio))
      }
    }
    return WarpGrid(
      places: projection.project(places), columns: columns, distance: distance,
      top: rows.lowerBound)
  }

  private func tiles(under grid: WarpGrid) async -> [TileID: TilePicture] {
    let extent = grid.ground
    guard !extent.isEmpty,
      let range = plan.scheme.range(covering: extent, level: plan.range.level)?
        .intersection(plan.range), range.count <= Self.maximumTiles
    else { return [:] }
    let pictures = pictures
    return await withTaskGroup(of: (TileID, TilePicture?).self) { group in
      for id in range { group.addTask { (id, await pictures.picture(for: id)) } }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func image(
    _ rows: Range<Int>, _ grid: WarpGrid, _ tiles: [TileID: TilePicture]
  ) async -> PixelImage? {
    let level = plan.range.level
    var pixels: [UInt32] = []
    pixels.reserveCapacity(session.width * rows.count)
    var sampler = TileSampler(
      tiles: tiles, scheme: plan.scheme, level: level, isSmooth: paint?.isSmooth ?? true)
    for row in rows {
      for column in 0..<session.width {
        let place = grid.place(x: Double(column) + 0.5, y: Double(row) + 0.5)
        pixels.append(place.map { sampler.color(at: $0) } ?? 0)
      }
    }
    let image = PixelImage(width: session.width, height: rows.count, pixels: pixels)
    return image.map { paint?.painted($0, over: grid.ground) ?? $0 }
  }
}

/// The mapping of pixels to another plane, known at the nodes of a grid.
struct WarpGrid: Sendable {
  let places: [Coordinate]
  let columns: Int
  let distance: Int
  let top: Int

  /// The box around all places that there are.
  var ground: Envelope {
    places.reduce(into: .empty) { box, place in if place.x.isFinite { box.include(place) } }
  }

  /// The place under a pixel; `nil` where there is none.
  @inline(__always)
  func place(x: Double, y: Double) -> Coordinate? {
    let across = x / Double(distance)
    let down = (y - Double(top)) / Double(distance)
    let (column, line) = (Int(across), Int(down))
    let index = line * columns + column
    guard index + columns + 1 < places.count else { return nil }
    let (right, below) = (across - Double(column), down - Double(line))
    let (a, b) = (places[index], places[index + 1])
    let (c, d) = (places[index + columns], places[index + columns + 1])
    let upperX = a.x + (b.x - a.x) * right
    let lowerX = c.x + (d.x - c.x) * right
    let upperY = a.y + (b.y - a.y) * right
    let lowerY = c.y + (d.y - c.y) * right
    let place = Coordinate(
      x: upperX + (lowerX - upperX) * below, y: upperY + (lowerY - upperY) * below)
    return place.x.isFinite && place.y.isFinite ? place : nil
  }
}
