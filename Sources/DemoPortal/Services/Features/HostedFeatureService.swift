internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// A hosted feature service: its rows and everything else about it that changes.
///
/// Reads work on a copy of the content, so that they do not wait for each other.
actor HostedFeatureService {
  nonisolated let options: FeatureServiceOptions
  nonisolated let itemID: String
  nonisolated let clock: DemoClock
  nonisolated let identifiers: IdentifierSource

  /// The rows as they are now.
  private(set) var content: HostedContent
  /// The files that were uploaded to it.
  var shelf = UploadShelf()
  var replicas: [String: Replica] = [:]
  /// Files that replicas and changes are fetched from.
  nonisolated let files = ServiceOutputs()

  init(
    _ options: FeatureServiceOptions, tables: [HostedTable], itemID: String, clock: DemoClock,
    seed: UInt64
  ) {
    self.options = options
    self.itemID = itemID
    self.clock = clock
    identifiers = IdentifierSource(seed: seed, name: options.name)
    content = HostedContent(tables: tables, lastEdit: clock.now())
  }

  /// Carries out edits to one or more layers.
  ///
  /// - Parameters:
  ///   - edits: The edits, by layer.
  ///   - rules: How rows are named.
  ///   - rollsBack: Whether nothing is changed if any of them fails.
  ///   - user: Who edits.
  ///   - source: The replica whose upload it is, if it is one.
  /// - Returns: The outcome of each, by layer.
  /// - Throws: ``DemoFailure`` for a layer that the service does not have.
  func apply(
    _ edits: [LayerEdits], rules: EditTransaction.Rules, rollsBack: Bool, user: String?,
    source: String? = nil
  ) throws(DemoFailure) -> [LayerEditResults] {
    let identifiers = identifiers
    let rows = HostedRows(
      content.tables, generation: content.generation + 1, source: source
    ) { identifiers.nextUUID() }
    var transaction = EditTransaction(
      rows, rules: rules, user: user, now: clock.now(), uploads: shelf.uploads)
    var results: [LayerEditResults] = []
    for layer in edits { results.append(try transaction.apply(layer)) }
    if rollsBack, results.contains(where: \.hasFailure) {
      return results.map { $0.rolledBack() }
    }
    commit(transaction.rows)
    return results
  }

  /// Carries out an edit of a single attachment.
  func apply(
    _ edit: FeatureEdit, keywords: String?, user: String?
  ) throws(DemoFailure) -> EditOutcome {
    let identifiers = identifiers
    let rows = HostedRows(
      content.tables, generation: content.generation + 1, source: nil
    ) { identifiers.nextUUID() }
    var transaction = EditTransaction(rows, rules: .init(), user: user, now: clock.now())
    do throws(EditFailure) {
      let outcome = try transaction.run(edit, keywords: keywords)
      commit(transaction.rows)
      return outcome
    } catch {
      return EditOutcome(failure: error)
    }
  }

  private func commit(_ rows: HostedRows) {
    content.tables = rows.tables
    content.generation = rows.generation
    content.lastEdit = clock.now()
  }
}
