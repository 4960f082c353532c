/// The side indexes that a reader has mapped.
///
/// Looked for once a table, and again after one has been made. A reader lives no longer than the
/// state of its file, so what was mapped stays right.
final class HeldSideIndexes {
  private let source: GeodatabaseSource
  private var state: SideIndexSource?
  private var generation = -1
  private var indexes: [String: SideIndex?] = [:]
  /// The table that was asked for last, as it was called, and its index.
  private var last: (table: String, index: SideIndex?)?

  init(_ source: GeodatabaseSource) { self.source = source }

  /// The index of a table; `nil` if there is none of the file as it is.
  func index(of table: String) -> SideIndex? {
    guard let folder = source.sideIndexes else { return nil }
    let generation = source.sideIndexGeneration
    if generation == self.generation, let last, last.table == table { return last.index }
    if generation != self.generation {
      indexes = [:]
      self.generation = generation
      state = SideIndexSource(source.location)
    }
    let key = source.format.key(table)
    let known = indexes[key]
    let index = if let known { known } else { state.flatMap { folder.index(of: key, in: $0) } }
    indexes[key] = .some(index)
    last = (table, index)
    return index
  }
}
