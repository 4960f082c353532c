/// A cache's knowledge of a tile, and where that is stored.
struct FoundTile: Sendable {
  /// The number of its record.
  let id: Int64
  /// Its number in the order of use.
  let used: Int64
  let tile: StoredTile
}
