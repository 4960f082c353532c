internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// A file for each tile: `L05/R0000001a/C0000002b.png`.
///
/// - SeeAlso: Docs/FORMATS.md, 3.3
struct ExplodedCache: TileStorage {
  let levels: ClosedRange<Int>?
  private let contents: any TileContainer
  private let folder: String
  /// The extensions to try, the likeliest first.
  private let suffixes: [String]

  /// Lists the folders of levels.
  init(
    _ contents: any TileContainer, folder: String, declaredFormat: String
  ) throws(TileError) {
    let numbers = try contents.names(in: folder).compactMap { BundleID.level(ofFolder: $0[...]) }
    self.levels = numbers.min().flatMap { first in numbers.max().map { first...$0 } }
    self.contents = contents
    self.folder = folder
    let isPNG = declaredFormat.uppercased().hasPrefix("PNG")
    self.suffixes = isPNG ? ["png", "jpg", "jpeg", "lerc"] : ["jpg", "png", "jpeg", "lerc"]
  }

  func data(of tile: TileID) throws(TileError) -> Data? {
    for suffix in suffixes {
      guard let source = try contents.source(at: path(tile, suffix)) else { continue }
      guard source.count <= CompactCacheFormat.maximumTileSize else {
        throw .damagedTile(tile, file: source.name, reason: "it is \(source.count) bytes long")
      }
      return source.count == 0 ? nil : try source.bytes(0..<source.count)
    }
    return nil
  }

  func tileCounts() throws(TileError) -> [Int: Int] {
    try list().reduce(into: [:]) { counts, id in counts[id.level, default: 0] += 1 }
  }

  /// Level by level, each row by row.
  var tileIDs: TileIDs { TileIDs(in: [self]) { cache throws(TileError) in try cache.list() } }

  private func list() throws(TileError) -> [TileID] {
    let ids = try contents.paths(under: folder, depth: 3).compactMap { path -> TileID? in
      let names = path.split(separator: "/")
      guard names.count == 3, let level = BundleID.level(ofFolder: names[0]),
        let row = Self.number(names[1], after: "R"),
        let column = Self.number(names[2], after: "C"),
        suffixes.contains(where: { names[2].hasSuffix("." + $0) })
      else { return nil }
      return TileID(level: level, row: row, column: column)
    }
    // One address may have files of two formats, of which the likelier is read.
    return Set(ids).sorted()
  }

  func place(of tile: TileID) -> String { "\(contents.name)/\(path(tile, suffixes[0]))" }

  private func path(_ tile: TileID, _ suffix: String) -> String {
    let level = (tile.level < 10 ? "0" : "") + String(tile.level)
    let name = "L\(level)/R\(Self.digits(tile.row))/C\(Self.digits(tile.column)).\(suffix)"
    return PackagePath.join(folder, name)
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 8 - text.count)) + text
  }

  private static func number(_ name: Substring, after letter: Character) -> Int? {
    guard name.first == letter else { return nil }
    return BundleID.hexadecimal(name.dropFirst().prefix { $0 != "." })
  }
}
