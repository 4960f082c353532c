internal import Foundation
public import PortolanGeometry
public import PortolanTiles

/// Which tiles a region touches: for each level its rows, for each row its columns.
///
/// Nothing is listed: a row is found from the shape when it is asked for.
public struct RegionShape: Hashable, Sendable {
  private struct Box: Hashable, Sendable {
    var west, south, east, north: Double
  }

  private var boxes: [Box] = []
  private var areas: [WorldArea] = []

  /// Prepares a region.
  public init(_ region: TileRegion) { add(region) }

  private mutating func add(_ region: TileRegion) {
    switch region {
    case .box(let west, let south, let east, let north):
      addBox(west: west, south: south, east: east, north: north)
    case .polygon(let polygon):
      areas.append(WorldArea(rings: polygon.rings.map(\.coordinates)))
    case .circle(let center, let radius):
      areas.append(WorldArea(rings: [GroundCircle.ring(around: center, radius: radius)]))
    case .corridor(let line, let padding):
      areas += GroundCircle.rings(along: line, padding: padding).map { WorldArea(rings: [$0]) }
    case .several(let regions):
      for region in regions { add(region) }
    }
  }

  private mutating func addBox(west: Double, south: Double, east: Double, north: Double) {
    let limit = TileCoords.latitudeLimit
    guard south <= north, north >= -limit, south <= limit,
      [west, south, east, north].allSatisfy(\.isFinite)
    else { return }
    boxes.append(
      Box(
        west: west, south: max(south, -limit), east: east < west ? east + 360 : east,
        north: min(north, limit)))
  }

  /// Whether each level is one or two rectangles, so that it is counted in constant time.
  var isBox: Bool { boxes.count == 1 && areas.isEmpty }

  /// The rows of a level from the first that is touched to the last; `nil` if none is.
  public func rows(level: Int) -> Range<Int>? {
    let side = Double(1 << level)
    let tops =
      boxes.map { TileCoords.worldY($0.north) } + areas.map(\.yMin)
    let bottoms =
      boxes.map { TileCoords.worldY($0.south) } + areas.map(\.yMax)
    guard let top = tops.min(), let bottom = bottoms.max(), top <= bottom else { return nil }
    let first = Self.index(top * side, 1 << level)
    return first..<Self.index(bottom * side, 1 << level) + 1
  }

  /// The columns of a row, in order, none twice.
  public func columns(level: Int, row: Int) -> [Range<Int>] {
    let side = 1 << level
    let (top, bottom) = (Double(row) / Double(side), Double(row + 1) / Double(side))
    var found: [Range<Int>] = []
    for box in boxes {
      let rows =
        Self.index(
          TileCoords.worldY(box.north) * Double(side), side)...Self.index(
          TileCoords.worldY(box.south) * Double(side), side)
      guard rows.contains(row) else { continue }
      let part = TileCoords.worldX(box.west)...TileCoords.worldX(box.east)
      Self.add(part, side: side, to: &found)
    }
    for area in areas {
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
    boxes.contains { $0.east > 180 } || areas.contains { $0.xMin < 0 || $0.xMax > 1 }
  }

  /// The ground around all of it on the Web Mercator; the whole width across the antimeridian.
  public var extent: Envelope? {
    let lefts = boxes.map { TileCoords.worldX($0.west) } + areas.map(\.xMin)
    let rights = boxes.map { TileCoords.worldX($0.east) } + areas.map(\.xMax)
    let tops = boxes.map { TileCoords.worldY($0.north) } + areas.map(\.yMin)
    let bottoms = boxes.map { TileCoords.worldY($0.south) } + areas.map(\.yMax)
    guard var left = lefts.min(), var right = rights.max(), let top = tops.min(),
      let bottom = bottoms.max(), left <= right
    else { return nil }
    if left < 0 || right > 1 { (left, right) = (0, 1) }
    let half = 20_037_508.342787
    return Envelope(
      xMin: (2 * left - 1) * half, yMin: (1 - 2 * bottom) * half, xMax: (2 * right - 1) * half,
      yMax: (1 - 2 * top) * half)
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
    let first = Int(((part.lowerBound - world) * scale).rounded(.down))
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
