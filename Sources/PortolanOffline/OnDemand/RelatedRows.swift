internal import PortolanFeatures
internal import PortolanPortal

/// The rows of tables that relate to rows of other layers, where no replica contains them.
struct RelatedRows {
  /// How many rows are asked at once for those that relate to them.
  private static let batch = 200

  private let rows: GeodatabaseRows
  private let client: RESTClient
  /// The object ids of the rows that were taken, by layer.
  private var taken: [Int: [Int64]] = [:]
  /// The tables whose rows are still to be requested.
  private var waiting: [GeodatabaseRows.Layer]

  init(rows: GeodatabaseRows, client: RESTClient) {
    self.rows = rows
    self.client = client
    waiting = rows.layers.filter(rows.isRelatedOnly)
  }

  /// Notes rows to which others may relate.
  mutating func add(_ features: [Feature], of layer: GeodatabaseRows.Layer) {
    guard !layer.destinations.isEmpty else { return }
    taken[layer.option.layerID, default: []] += features.map(\.objectID)
  }

  /// The next table to ask for: one that relates to none that is still waiting, if there is such a one.
  mutating func next() -> GeodatabaseRows.Layer? {
    let numbers = Set(waiting.map(\.option.layerID))
    let index = waiting.firstIndex { table in
      rows.origins(of: table).allSatisfy { !numbers.contains($0.layer.option.layerID) }
    }
    guard !waiting.isEmpty else { return nil }
    return waiting.remove(at: index ?? 0)
  }

  /// Hands over the rows of a table that relate to those that were taken, each once.
  ///
  /// A service that cannot be asked for related rows gives the whole table.
  ///
  /// - Throws: ``PortolanPortal/PortalError``; what `body` throws.
  mutating func forEachPage(
    of table: GeodatabaseRows.Layer, _ body: ([Feature]) async throws -> Void
  ) async throws {
    var known: Set<Int64> = []
    for (origin, relationship) in rows.origins(of: table) {
      let ids = taken[origin.option.layerID] ?? []
      for start in stride(from: 0, to: ids.count, by: Self.batch) {
        let some = Array(ids[start..<min(start + Self.batch, ids.count)])
        guard let found = try await related(to: some, of: origin, relationship) else {
          return try await forEachOther(of: table, than: known, body)
        }
        let new = found.filter { known.insert($0.objectID).inserted }
        guard !new.isEmpty else { continue }
        try await body(new)
        add(new, of: table)
      }
    }
  }

  /// The rows that relate to some; `nil` if the service cannot be asked that.
  private func related(
    to ids: [Int64], of origin: GeodatabaseRows.Layer, _ relationship: Int
  ) async throws(PortalError) -> [Feature]? {
    do {
      let sets = try await rows.table(origin, client).relatedFeatures(
        to: ids, through: relationship, returnsGeometry: false)
      return ids.flatMap { sets[$0]?.features ?? [] }
    } catch {
      guard error.leavesQuestionOpen else { throw error }
      return nil
    }
  }

  private mutating func forEachOther(
    of table: GeodatabaseRows.Layer, than known: Set<Int64>,
    _ body: ([Feature]) async throws -> Void
  ) async throws {
    for try await page in rows.table(table, client).pages(matching: ServiceQueryParameters()) {
      let others = page.features.filter { !known.contains($0.objectID) }
      try await body(others)
      add(others, of: table)
    }
  }
}
