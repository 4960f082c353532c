internal import PortolanJSON
public import PortolanTiles

/// The tiles of an indexed vector tile package: a quadtree that ends where finer tiles would show
/// nothing that their ancestor does not.
///
/// A million tiles take some 6 MB.
///
/// - SeeAlso: Docs/FORMATS.md, 3.4
public struct VectorTileMap: Sendable {
  /// The finest level that a tree may reach.
  static let maximumLevel = 30

  /// The node at an address of the tree.
  private enum Node: Equatable {
    case absent
    case leaf
    /// A tile with four children, the number of the branch.
    case branch(Int)
  }

  /// Four children of each branch, north-west, north-east, south-west, south-east: 0 for none,
  /// -1 for a leaf, else the number of a branch.
  private var children: [Int32] = []
  /// The node of the tile 0/0/0.
  private var root = Node.absent

  /// Reads `{"index": [nw, ne, sw, se]}`.
  ///
  /// - Throws: ``TileError/damaged(file:place:reason:)`` if a node is no 0, no 1 and no list of
  ///   four, or lies too deep.
  init(_ json: JSONValue, file: String, place: String) throws(TileError) {
    do {
      root = try node(json["index"] ?? .null, level: 0)
    } catch {
      throw .damaged(file: file, place: place, reason: error.reason)
    }
  }

  /// Whether the package has that very tile.
  public func contains(_ tile: TileID) -> Bool { tileToOverzoom(for: tile) == tile }

  /// The tile to draw at an address: the tile itself, else the leaf above it.
  ///
  /// - Returns: `nil` if nothing is to be drawn there.
  public func tileToOverzoom(for tile: TileID) -> TileID? {
    guard (0...62).contains(tile.level), (0..<1 << tile.level).contains(tile.row),
      (0..<1 << tile.level).contains(tile.column)
    else { return nil }
    var node = root
    for level in 0...tile.level {
      switch node {
      case .absent: return nil
      case .leaf: return tile.ancestor(atLevel: level)
      case .branch(let number):
        guard level < tile.level else { return tile }
        let shift = tile.level - level - 1
        let quadrant = (tile.row >> shift & 1) << 1 | tile.column >> shift & 1
        node = Self.node(children[4 * number + quadrant])
      }
    }
    return nil
  }

  /// How many tiles there are, by level.
  public var tileCounts: [Int: Int] {
    guard root != .absent else { return [:] }
    guard case .branch(let first) = root else { return [0: 1] }
    var counts = [0: 1]
    var branches = [(number: first, level: 0)]
    while let (number, level) = branches.popLast() {
      for child in children[4 * number..<4 * number + 4] where child != 0 {
        counts[level + 1, default: 0] += 1
        if child > 0 { branches.append((Int(child), level + 1)) }
      }
    }
    return counts
  }

  /// How many tiles of levels coarser than `level` stand for all that is below them.
  func leafCount(aboveLevel level: Int) -> Int {
    guard case .branch(let first) = root else { return root == .leaf && level > 0 ? 1 : 0 }
    var count = 0
    var branches = [(number: first, level: 0)]
    while let branch = branches.popLast() {
      guard branch.level + 1 < level else { continue }
      for child in children[4 * branch.number..<4 * branch.number + 4] where child != 0 {
        if child > 0 { branches.append((Int(child), branch.level + 1)) } else { count += 1 }
      }
    }
    return count
  }

  private static func node(_ code: Int32) -> Node {
    switch code {
    case 0: .absent
    case -1: .leaf
    default: .branch(Int(code))
    }
  }

  /// The defect of an invalid node.
  private struct Defect: Error {
    let reason: String
  }

  private mutating func node(_ json: JSONValue, level: Int) throws(Defect) -> Node {
    guard level <= Self.maximumLevel else {
      throw Defect(reason: "it is deeper than \(Self.maximumLevel) levels")
    }
    if let number = json.int, number == 0 || number == 1 { return number == 0 ? .absent : .leaf }
    guard let list = json.array, list.count == 4 else {
      throw Defect(reason: "a node of level \(level) is neither 0, 1 nor a list of four")
    }
    let number = children.count / 4
    children.append(contentsOf: [0, 0, 0, 0])
    for (quadrant, child) in list.enumerated() {
      children[4 * number + quadrant] =
        switch try node(child, level: level + 1) {
        case .absent: 0
        case .leaf: -1
        case .branch(let number): Int32(number)
        }
    }
    return .branch(number)
  }
}
