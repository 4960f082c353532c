internal import PortolanJSON
public import PortolanTiles

/// The tiles of a part of a level that a service has.
public struct TileMap: Hashable, Sendable {
  /// The level.
  public let level: Int
  /// The rows that are spoken of.
  public let rows: Range<Int>
  /// The columns that are spoken of.
  public let columns: Range<Int>
  private let isPresent: [Bool]

  /// Whether the service has a tile; `nil` for one that is not spoken of.
  public func contains(_ tile: TileID) -> Bool? {
    guard tile.level == level, rows.contains(tile.row), columns.contains(tile.column) else {
      return nil
    }
    return isPresent[
      (tile.row - rows.lowerBound) * columns.count + tile.column - columns.lowerBound]
  }

  /// The tiles that the service has.
  public var tiles: [TileID] {
    rows.flatMap { row in columns.map { TileID(level: level, row: row, column: $0) } }
      .filter { contains($0) == true }
  }
}

extension TileMap {
  /// The longest side that is asked for or read.
  static let longestSide = 1024

  /// Reads the answer about a level; `nil` if it is none, or its parts do not fit together.
  init?(json: JSONValue, level: Int) {
    guard let object = json.object, object.flag("valid") != false,
      let location = object.object("location"), let data = json["data"]?.array,
      let left = location.int("left"), let top = location.int("top"),
      let width = location.int("width"), let height = location.int("height"),
      left >= 0, top >= 0, (1...Self.longestSide).contains(width),
      (1...Self.longestSide).contains(height), data.count == width * height,
      let right = Int(exactly: Double(left) + Double(width)),
      let bottom = Int(exactly: Double(top) + Double(height))
    else { return nil }
    self.level = level
    rows = top..<bottom
    columns = left..<right
    isPresent = data.map { $0.int == 1 || $0.bool == true }
  }
}
