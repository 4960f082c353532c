internal import PortolanTiles

/// The address of a bundle of a compact cache: a square of 128 by 128 tiles of one level.
///
/// - SeeAlso: Docs/FORMATS.md, 3.1
struct BundleID: Hashable, Sendable {
  /// Tiles along a side, the only size that ArcGIS writes.
  static let side = 128

  let level: Int
  /// The row of bundles, from the top.
  let row: Int
  /// The column of bundles, from the left.
  let column: Int

  init(level: Int, row: Int, column: Int) {
    self.level = level
    self.row = row
    self.column = column
  }

  /// The bundle that a tile would be in.
  init(holding tile: TileID) {
    self.init(level: tile.level, row: tile.row >> 7, column: tile.column >> 7)
  }

  /// Reads the names of a level's folder and of a file in it: `L05`, `R0080C0100.bundle`.
  ///
  /// Digits are decimal in the folder's name and hexadecimal, at least four, in the file's.
  init?(folder: Substring, file: Substring) {
    guard let level = Self.level(ofFolder: folder), file.first == "R" || file.first == "r",
      let place = Self.place(file.dropFirst().prefix { $0 != "." })
    else { return nil }
    self.init(level: level, row: place.row / Self.side, column: place.column / Self.side)
  }

  /// The numbers in `0080C0100`.
  ///
  /// A small `c` may be a digit, so it parts them only if no capital does.
  private static func place(_ name: Substring) -> (row: Int, column: Int)? {
    for letter in ["C", "c"] as [Character] {
      for index in name.indices where name[index] == letter {
        guard let row = hexadecimal(name[..<index]),
          let column = hexadecimal(name[name.index(after: index)...]),
          row % side == 0, column % side == 0
        else { continue }
        return (row, column)
      }
    }
    return nil
  }

  /// The level of a folder called `L` and decimal digits.
  static func level(ofFolder name: Substring) -> Int? {
    guard name.first == "L" || name.first == "l", (2...4).contains(name.utf8.count),
      name.dropFirst().allSatisfy(\.isASCII)
    else { return nil }
    return Int(name.dropFirst()).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The tile at the bundle's north-west corner.
  var firstTile: TileID {
    TileID(level: level, row: row * Self.side, column: column * Self.side)
  }

  /// The path below the folder of levels, without extension: `L05/R0080C0100`.
  var path: String {
    let digits = { (number: Int, radix: Int, count: Int) in
      let text = String(number, radix: radix)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "L\(digits(level, 10, 2))/R\(digits(row * Self.side, 16, 4))"
      + "C\(digits(column * Self.side, 16, 4))"
  }

  /// The number that 4 to 8 hexadecimal digits write.
  static func hexadecimal(_ digits: Substring) -> Int? {
    guard (4...8).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    return Int(digits, radix: 16)
  }
}

extension BundleID: Comparable {
  /// Level by level, each row by row.
  static func < (left: BundleID, right: BundleID) -> Bool {
    (left.level, left.row, left.column) < (right.level, right.row, right.column)
  }
}
