internal import PortolanTiles

/// Goes through the tiles of a folder a column at a time, so that memory stays flat.
struct TileFolderWalk {
  private let listing: TileFolderListing
  private var levels: ArraySlice<Int>
  private var level = 0
  private var columns: ArraySlice<Int> = []
  /// How many columns are looked at.
  private var limit: Int
  /// The names that are those of no tile, so far.
  private(set) var ignored = IgnoredNames()
  /// How many files there are by the endings of their names, so far.
  private(set) var endings: [String: Int] = [:]

  init(_ listing: TileFolderListing, limit: Int = .max) throws(TileError) {
    self.listing = listing
    self.limit = limit
    levels = try listing.levels()[...]
  }

  /// The tiles of the next column that has any; `nil` after the last.
  mutating func next() throws(TileError) -> [TileID]? {
    while limit > 0 {
      guard !Task.isCancelled else { throw .cancelled }
      if let column = columns.popFirst() {
        limit -= 1
        let found = try listing.tiles(ofColumn: column, level: level, &ignored)
        endings.merge(found.endings, uniquingKeysWith: +)
        if !found.ids.isEmpty { return found.ids }
      } else {
        guard let next = levels.popFirst() else { return nil }
        level = next
        columns = try listing.columns(ofLevel: next, &ignored)[...]
      }
    }
    return nil
  }
}
