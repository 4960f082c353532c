/// The address of one tile in a scheme of levels, rows and columns.
///
/// Rows count **downwards from the scheme's top left corner**, as in ArcGIS services, XYZ tiles
/// and tile packages.
public struct TileID: Hashable, Sendable, Codable {
  /// The level: 0 is the coarsest of most schemes.
  public var level: Int
  /// The row, from the top.
  public var row: Int
  /// The column, from the left.
  public var column: Int

  /// Creates an address.
  public init(level: Int, row: Int, column: Int) {
    self.level = level
    self.row = row
    self.column = column
  }
}

extension TileID {
  /// Level, column and row, as in addresses of tiles on the web.
  public var address: String { "\(level)/\(column)/\(row)" }
}

extension TileID: CustomStringConvertible {
  /// Level, row and column, as in the path of a tile service.
  public var description: String { "\(level)/\(row)/\(column)" }
}

extension TileID: Comparable {
  /// Level by level, each row by row from the top.
  public static func < (left: TileID, right: TileID) -> Bool {
    (left.level, left.row, left.column) < (right.level, right.row, right.column)
  }
}
