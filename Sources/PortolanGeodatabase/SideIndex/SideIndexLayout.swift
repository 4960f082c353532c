/// Where things stand in a side index: a header, the inner nodes level by level, the leaves.
///
/// The tree is packed: every node but the last of a level has 16 entries, so that the number of
/// rows says how many nodes there are and which is whose child. All numbers are little-endian,
/// nodes begin at multiples of 64 bytes.
///
/// - SeeAlso: Docs/SIDE-INDEX.md
struct SideIndexLayout: Hashable, Sendable {
  /// The most entries of a node.
  static let fanOut = 16
  /// What nodes are aligned to; leaves are found by their place in this unit.
  static let unit = 64
  /// The bytes of an inner node: its head, boxes, and the places of leaves below it.
  static let innerSize = 384
  /// The longest header.
  static let longestHeader = 8_192
  /// The most rows, so that the number of a leaf fits 32 bits.
  static let mostRows = 1 << 32

  /// The bytes of the header.
  let headerLength: Int
  /// How many rows there are.
  let rowCount: Int
  /// How many nodes each level has, leaves first, then up to the root, which is no leaf.
  let nodeCounts: [Int]
  /// The number of the first node of each level among all inner nodes; of leaves 0.
  let firstNodes: [Int]
  /// How many nodes are above the leaves.
  let innerCount: Int
  /// Where the leaves begin.
  let leavesStart: Int

  /// Lays out an index; `nil` if it has more rows than any can have.
  init?(headerLength: Int, rowCount: Int) {
    guard (0...Self.mostRows).contains(rowCount), headerLength > 0,
      headerLength <= Self.longestHeader, headerLength.isMultiple(of: Self.unit)
    else { return nil }
    var counts: [Int] = rowCount == 0 ? [] : [Self.nodes(for: rowCount)]
    while let last = counts.last, last > 1 || counts.count == 1 {
      counts.append(Self.nodes(for: last))
    }
    var firsts: [Int] = counts.isEmpty ? [] : [0]
    var next = 0
    for count in counts.dropFirst() {
      firsts.append(next)
      next += count
    }
    self.headerLength = headerLength
    self.rowCount = rowCount
    nodeCounts = counts
    firstNodes = firsts
    innerCount = next
    leavesStart = headerLength + next * Self.innerSize
  }

  private static func nodes(for count: Int) -> Int { (count + fanOut - 1) / fanOut }

  /// The level of the root; 0 if there are no rows, and so no tree.
  var rootLevel: Int { max(0, nodeCounts.count - 1) }

  /// How many leaves there are.
  var leafCount: Int { nodeCounts.first ?? 0 }

  /// The number of a node among all: inner nodes first, then leaves.
  func number(ofNode node: Int, level: Int) -> Int {
    level == 0 ? innerCount + node : firstNodes[level] + node
  }

  /// Where an inner node stands.
  func start(ofInnerNode node: Int, level: Int) -> Int {
    headerLength + (firstNodes[level] + node) * Self.innerSize
  }

  /// How many entries a node has.
  func entryCount(ofNode node: Int, level: Int) -> Int {
    let below = level == 0 ? rowCount : nodeCounts[level - 1]
    return min(Self.fanOut, below - node * Self.fanOut)
  }
}
