/// The directories that were read last, by their offsets in the leaf section.
struct PMTilesLeafCache {
  /// How many entries are kept, of 32 bytes each.
  private static let maximumEntries = 1 << 20

  private var leaves: [Int: PMTilesDirectory] = [:]
  private var entryCount = 0

  /// The directory at `offset`, if it is kept.
  subscript(offset: Int) -> PMTilesDirectory? { leaves[offset] }

  /// Keeps a directory, and forgets the others where they would be too many.
  mutating func keep(_ leaf: PMTilesDirectory, at offset: Int) {
    if entryCount + leaf.entries.count > Self.maximumEntries {
      leaves.removeAll(keepingCapacity: true)
      entryCount = 0
    }
    guard leaves.updateValue(leaf, forKey: offset) == nil else { return }
    entryCount += leaf.entries.count
  }
}
