internal import Foundation
public import PortolanGeometry
public import PortolanTiles

/// The tiles that a region touches: for each level its rows, for each row its columns.
///
/// Nothing is listed: a row is found from the shape when it is requested.
public struct RegionShape: Hashable, Sendable {
  /// A rectangle in parts of the world's sides.
  private struct Box: Hashable, Sendable {
    var xMin, yMin, xMax, yMax: Double
  }

  private var boxes: [Box] = []
  /// The areas, those that begin further north first.
  private var areas: [WorldArea] = []
  /// The height of the highest area: no other reaches further down from where it begins.
  private var tallestArea = 0.0
  /// What all of it covers, in parts of the world's sides; `nil` where there is nothing.
  private var cover: Box?

  /// Prepares a region.
  public init(_ region: TileRegion) {
    add(region)
    areas.sort { $0.yMin < $1.yMin }
    let parts =
      boxes + areas.map { Box(xMin: $0.xMin, yMin: $0.yMin, xMax: $0.xMax, yMax: $0.yMax) }
    cover = parts.first
    for part in parts {
      cover = cover.map {
        Box(
          xMin: min($0.xMin, part.xMin), yMin: min($0.yMin, part.yMin),
          xMax: max($0.xMax, part.xMax), yMax: max($0.yMax, part.yMax))
      }
    }
  }

  private mutating func add(_ region: TileRegion) {
    switch region {
    case .box(let west, let south, let east, let north):
      addBox(west: west, south: south, east: east, north: north)
    case .polygon(let polygon):
      add(WorldArea(rings: polygon.rings.map(\.coordinates)))
    case .circle(let center, let radius):
      add(WorldArea(rings: [GeodesicBuffer.ring(around: center, radius: radius)]))
    case .corridor(let line, let padding):
      for ring in GeodesicBuffer.rings(along: line, padding: padding) {
        add(WorldArea(rings: [ring]))
      }
    case .several(let regions):
      for region in regions { add(region) }
    }
  }

  private mutating func add(_ area: WorldArea) {
    guard !area.isEmpty else { return }
    areas.append(area)
    tallestArea = max(tallestArea, area.yMax - area.yMin)
  }

  private mutating func addBox(west: Double, south: Double, east: Double, north: Double) {
    let limit = TileCoords.latitudeLimit
    guard south <= north, north >= -limit, south <= limit,
      [west, south, east, north].allSatisfy(\.isFinite)
    else { return }
    // An east that lies west of the west lies beyond the antimeridian, however often around the world.
    let turns = max(0, ((west - east) / 360).rounded(.up))
    boxes.append(
      Box(
        xMin: TileCoords.worldX(west), yMin: TileCoords.worldYInside(north),
        xMax: max(TileCoords.worldX(west), TileCoords.worldX(east + turns * 360)),
        yMax: TileCoords.worldYInside(south)))
  }

  /// Whether each level is one or two rectangles, so that it is counted in constant time.
  var isBox: Bool { boxes.count == 1 && areas.isEmpty }

  /// The rows of a level from the first that is touched to the last; `nil` if none is.
  public func rows(level: Int) -> Range<Int>? {
    guard let cover else { return nil }
    return Self.rows(from: cover.yMin, to: cover.yMax, 1 << level)
  }

  /// The columns of a row, in order, none twice.
  public func columns(level: Int, row: Int) -> [Range<Int>] {
    let side = 1 << level
    let (top, bottom) = (Double(row) / Double(side), Double(row + 1) / Double(side))
    var found: [Range<Int>] = []
    for box in boxes where Self.rows(from: box.yMin, to: box.yMax, side).contains(row) {
      Self.add(box.xMin...box.xMax, side: side, to: &found)
    }
    let first = areas.firstIndex(
      reaching: top - tallestArea - WorldArea.rounding, by: \.yMin)
    for area in areas[first...] {
      if area.yMin > bottom { break }
      // A stripe ends where the next begins: what only touches its lower edge lies in the next.
      for part in area.intervals(from: top, to: bottom.nextDown) {
        Self.add(part, side: side, to: &found)
      }
    }
    return Self.joined(found)
  }

  /// How many tiles a level has.
  public func count(level: Int) -> Int {
    guard let rows = rows(level: level) else { return 0 }
    if isBox {
      let columns = columns(level: level, row: rows.lowerBound)
      return rows.count * columns.reduce(0) { $0 + $1.count }
    }
    return rows.reduce(0) { sum, row in
      sum + columns(level: level, row: row).reduce(0) { $0 + $1.count }
    }
  }

  /// Whether a tile is touched.
  public func contains(_ tile: TileID) -> Bool {
    guard rows(level: tile.level)?.contains(tile.row) == true else { return false }
    return columns(level: tile.level, row: tile.row).contains { $0.contains(tile.column) }
  }

  /// Whether it lies on both sides of the antimeridian.
  public var crossesAntimeridian: Bool {
    cover.map { $0.xMin < 0 || $0.xMax > 1 } ?? false
  }

  /// The box around all of it in Web Mercator, in metres; the whole width across the antimeridian.
  public var extent: Envelope? {
    guard let cover else { return nil }
    var (left, right) = (cover.xMin, cover.xMax)
    if left < 0 || right > 1 { (left, right) = (0, 1) }
    let half = 20_037_508.342787
    return Envelope(
      xMin: (2 * left - 1) * half, yMin: (1 - 2 * cover.yMax) * half,
      xMax: (2 * right - 1) * half, yMax: (1 - 2 * cover.yMin) * half)
  }

  /// The middle of all of it, in degrees, with a longitude from -180 to less than 180; `nil` where it is
  /// that of ``extent``.
  var center: Coordinate? {
    guard let cover, crossesAntimeridian, cover.xMax - cover.xMin < 1 else { return nil }
    let x = (cover.xMin + cover.xMax) / 2
    return Coordinate(
      x: (x - x.rounded(.down)) * 360 - 180,
      y: TileCoords.latitude(worldY: (cover.yMin + cover.yMax) / 2))
  }

  private static func rows(from top: Double, to bottom: Double, _ side: Int) -> Range<Int> {
    index(top * Double(side), side)..<index(bottom * Double(side), side) + 1
  }

  private static func index(_ position: Double, _ side: Int) -> Int {
    min(max(Int(position.rounded(.down)), 0), side - 1)
  }

  /// Adds the columns of a part of the world's width, what lies beyond the antimeridian on the other
  /// side of it.
  private static func add(
    _ part: ClosedRange<Double>, side: Int, to columns: inout [Range<Int>]
  ) {
    let scale = Double(side)
    guard part.upperBound - part.lowerBound < 1 else { return columns.append(0..<side) }
    let world = part.lowerBound.rounded(.down)
    // What begins less before the edge of the world than numbers can tell begins in its last column.
    let first = min(Int(((part.lowerBound - world) * scale).rounded(.down)), side - 1)
    let last = Int(((part.upperBound - world) * scale).rounded(.down))
    if last < side {
      columns.append(first..<last + 1)
    } else if part.upperBound - world == 1 {
      // The antimeridian itself belongs to the world's last tile.
      columns.append(first..<side)
    } else {
      columns += [first..<side, 0..<min(last - side + 1, side)]
    }
  }

  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    guard ranges.count > 1 else { return ranges }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }
}

/// Tests which tiles a region touches, the faster the more of one row follow each other.
struct RegionRow {
  private let shape: RegionShape
  private var level = -1
  private var row = 0
  private var columns: [Range<Int>] = []

  init(_ shape: RegionShape) { self.shape = shape }

  /// Whether a tile is touched.
  mutating func contains(_ tile: TileID) -> Bool {
    if (tile.level, tile.row) != (level, row) {
      (level, row) = (tile.level, tile.row)
      let isInside = shape.rows(level: level)?.contains(row) == true
      columns = isInside ? shape.columns(level: level, row: row) : []
    }
    return columns.contains { $0.contains(tile.column) }
  }
}
