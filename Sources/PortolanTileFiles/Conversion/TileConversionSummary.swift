public import PortolanTiles

/// The outcome of a tile conversion: what was written, and what could not be.
public struct TileConversionSummary: Hashable, Sendable {
  /// How many damages are kept one by one.
  static let maximumDamages = 100

  /// How many tiles were written, by their level in the new file.
  public internal(set) var tileCounts: [Int: Int] = [:]
  /// How many tiles could not be read and were left out.
  public internal(set) var damagedCount = 0
  /// Why, for the first hundred tiles or parts of the source.
  public internal(set) var damages: [TileError] = []
  /// The differences of the new file from the source.
  public internal(set) var limitations: [TileLimitation] = []

  /// How many tiles were written.
  public var tileCount: Int { tileCounts.values.reduce(0, +) }

  /// Notes a tile or a part of the source that cannot be read.
  mutating func add(_ damage: TileError) {
    damagedCount += 1
    if damages.count < Self.maximumDamages { damages.append(damage) }
  }
}

/// A loss of a converted file compared with its source.
public enum TileLimitation: Hashable, Sendable {
  /// Levels have other numbers in the new file, by their numbers in the source.
  case levelsRenumbered([Int: Int])
  /// The new file's scheme has no place for the tiles of these levels.
  case levelsLeftOut(Set<Int>, tileCount: Int)
  /// Tiles of no bytes, which show nothing.
  case emptyTilesLeftOut(tileCount: Int)
  /// Tiles under addresses that no tile can have.
  case unaddressedTilesLeftOut(tileCount: Int)
  /// Pictures are of several formats, where the new file declares one for all.
  case mixedFormats(Set<TileFormat>)
  /// Vector tiles were compressed with gzip, or taken out of it, to be like the others.
  case recompressed(tileCount: Int)
  /// Tiles that stand for all finer ones below, which nothing in the new file says: readers of it
  /// show nothing there at finer levels.
  case leavesCoverFinerTiles(tileCount: Int)
  /// The style, sprites and fonts stay behind.
  case styleLeftOut
  /// The list of layers with their legend stays behind.
  case legendLeftOut
}

extension TileLimitation: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .levelsRenumbered(let levels):
      let pairs = levels.sorted { $0.key < $1.key }.map { "\($0.key) is now \($0.value)" }
      return "Levels are counted otherwise: \(pairs.joined(separator: ", "))."
    case .levelsLeftOut(let levels, let count):
      let list = levels.sorted().map(String.init).joined(separator: ", ")
      return count == 1
        ? "1 tile was left out, since the new file does not have its level: \(list)."
        : "\(count) tiles were left out, since the new file does not have their levels: \(list)."
    case .emptyTilesLeftOut(let count):
      return count == 1
        ? "1 tile has no bytes and was left out."
        : "\(count) tiles have no bytes and were left out."
    case .unaddressedTilesLeftOut(let count):
      return count == 1
        ? "1 tile has an address that no tile can have, and was left out."
        : "\(count) tiles have addresses that no tile can have, and were left out."
    case .mixedFormats(let formats):
      let list = formats.map(\.rawValue).sorted().joined(separator: " and ")
      return "The tiles are \(list), and the new file can name only one format for all."
    case .recompressed(let count):
      return count == 1
        ? "1 vector tile was compressed or decompressed with gzip, its content unchanged."
        : "\(count) vector tiles were compressed or decompressed with gzip, their content unchanged."
    case .leavesCoverFinerTiles(let count):
      let tiles = count == 1 ? "1 tile stands" : "\(count) tiles stand"
      return "\(tiles) for all finer ones below, which the new file cannot say; "
        + "closer in, maps made from it are empty there."
    case .styleLeftOut: return "The style, its sprites and its fonts are not in the new file."
    case .legendLeftOut: return "The layers and their legend are not in the new file."
    }
  }
}
