internal import PortolanJSON
public import PortolanTiles

/// The vector tiles that a service has, as a tree: each tile has none, or four smaller ones.
///
/// If the tree ends, tiles below are drawn from the last one that there is.
public struct VectorTileIndex: Hashable, Sendable {
  /// The availability of a tile.
  public enum Availability: Hashable, Sendable {
    /// The tile itself.
    case present
    /// Only this larger one, which is drawn larger.
    case within(TileID)
    /// Nothing.
    case absent
  }

  private indirect enum Node: Hashable, Sendable {
    case none
    case leaf
    case branch([Node])
  }

  /// The deepest level that is followed.
  private static let deepestLevel = 32

  private let root: Node

  /// The availability of a tile.
  public func availability(of tile: TileID) -> Availability {
    guard (0...Self.deepestLevel).contains(tile.level) else { return .absent }
    var node = root
    for level in 0...tile.level {
      switch node {
      case .none: return .absent
      case .leaf:
        let above = tile.level - level
        return above == 0
          ? .present
          : .within(TileID(level: level, row: tile.row >> above, column: tile.column >> above))
      case .branch(let children):
        guard level < tile.level else { return .present }
        // North-west, north-east, south-west, south-east.
        let shift = tile.level - level - 1
        let quarter = (tile.row >> shift & 1) * 2 + (tile.column >> shift & 1)
        node = children[quarter]
      }
    }
    return .present
  }
}

extension VectorTileIndex {
  /// Reads the answer of a service; `nil` if it is none.
  init?(json: JSONValue) {
    guard let index = json["index"] else { return nil }
    root = Self.node(index, level: 0)
  }

  /// Quarters that are missing count as absent, what is deeper than any tile as not there.
  private static func node(_ json: JSONValue, level: Int) -> Node {
    guard let children = json.array else { return json.int == 1 ? .leaf : .none }
    guard level < deepestLevel else { return .leaf }
    let quarters = children.prefix(4).map { node($0, level: level + 1) }
    return .branch(quarters + Array(repeating: .none, count: 4 - quarters.count))
  }
}
