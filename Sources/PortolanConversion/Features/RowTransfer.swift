internal import PortolanFeatures

/// Transfers the rows of one table.
struct RowTransfer {
  let source: FeatureSource
  let table: TableTransfer
  let session: WritingSession
  let holdsAttachments: Bool
  /// Whether the target is one in which no two rows can have one object id, and none has one below 1.
  let numbersRows: Bool
  let throttle: ProgressThrottle

  /// The result for a table.
  struct Outcome {
    var table: ConversionResult.Table
    /// The first failures: there may be as many as rows.
    private(set) var failures: [ConversionResult.Failure] = []
    private(set) var failureCount = 0
    var omittedAttachmentCount = 0

    init(table: ConversionResult.Table) { self.table = table }

    mutating func add(_ more: [ConversionResult.Failure]) {
      failureCount += more.count
      failures += more.prefix(ConversionResult.mostFailures - failures.count)
    }

    fileprivate mutating func add(_ outcome: WritingSession.Outcome) {
      table.writtenCount += outcome.writtenCount
      table.attachmentCount += outcome.attachmentCount
      add(outcome.failures)
    }
  }

  /// How many rows wait for ids that no others have, at most.
  private static let mostLateRows = 10_000

  /// Reads and writes all rows.
  ///
  /// Rows get ids after the last if they have none that the target takes; in order, they would take those of others.
  func run() async throws -> Outcome {
    let total = try await rowCount()
    var outcome = Outcome(
      table: ConversionResult.Table(source: table.source.name, name: table.target.name))
    report(0, of: total)
    var reader = TolerantReader(
      source.store, table.source,
      table.isJoin ? QueryParameters() : try source.filter(for: table.source))
    var late: [Feature] = []
    var page = try await reader.next()
    while !page.isEmpty {
      try Task.checkCancellation()
      let all =
        table.selection?.rows(of: page.features, as: table.target.geometryType) ?? page.features
      let features = numbersRows ? Self.setAside(&late, of: all) : all
      async let written = write(features)
      let next = try await reader.next()
      let (rows, omitted) = try await written
      outcome.table.readCount += all.count
      if table.selection?.isFirst != false {
        outcome.add(page.failures(of: table.source.name))
      }
      outcome.add(rows)
      outcome.omittedAttachmentCount += omitted
      report(outcome.table.readCount, of: total)
      page = next
    }
    if !late.isEmpty {
      let (rows, omitted) = try await write(late[...])
      outcome.add(rows)
      outcome.omittedAttachmentCount += omitted
    }
    return outcome
  }

  /// The rows of a page with ids that the target takes; the others are added to `late` as long as there is room.
  private static func setAside(
    _ late: inout [Feature], of rows: ArraySlice<Feature>
  ) -> ArraySlice<Feature> {
    guard rows.contains(where: { $0.objectID <= 0 }) else { return rows }
    let without = rows.filter { $0.objectID <= 0 }
    guard late.count + without.count <= mostLateRows else { return rows }
    late += without
    return rows.filter { $0.objectID > 0 }[...]
  }

  /// Writes a page; returns how many attachments were left out as well.
  private func write(
    _ features: ArraySlice<Feature>
  ) async throws -> (WritingSession.Outcome, omittedAttachmentCount: Int) {
    guard table.source.hasAttachments else {
      return (try await session.write(features, to: table), 0)
    }
    let attachments = AttachmentReader(store: source.store, table: table.source.name)
    guard holdsAttachments else {
      let count = try await attachments.count(features)
      return (try await session.write(features, to: table), count)
    }
    var outcome = WritingSession.Outcome()
    try await attachments.read(features) { rows, failures in
      let part = try await session.write(rows, to: table)
      outcome.writtenCount += part.writtenCount
      outcome.attachmentCount += part.attachmentCount
      outcome.failures += part.failures + failures
    }
    return (outcome, 0)
  }

  /// The number of rows; `nil` where a damaged table, or a view that cannot be computed, is not counted.
  private func rowCount() async throws -> Int? {
    if let selection = table.selection { return selection.count }
    let filter = table.isJoin ? QueryParameters() : try source.filter(for: table.source)
    do {
      return try await source.store.count(in: table.source.name, matching: filter)
    } catch FeatureStoreError.damaged, FeatureStoreError.unsupported { return nil }
  }

  private func report(_ count: Int, of total: Int?) {
    throttle.report(
      ConversionProgress(part: table.source.name, unit: .rows, completed: count, total: total))
  }
}
