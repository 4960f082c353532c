/// What a cache knows of a tile, and where that is.
struct FoundTile: Sendable {
  /// The number of its record.
  let id: Int64
  /// Its number in the order of use.
  let used: Int64
  let tile: StoredTile
}
