public import Foundation
public import PortolanFeatures
public import PortolanGeometry
internal import Synchronization

/// The layers and tables of a feature service, which are edited at the service itself.
///
/// Applied edits are visible to everyone at once, so that there are never local changes. ``undo()``
/// sends the former values, unless another user has changed them since.
///
/// Docs/REST.md, 3.
public final class ServiceGeodatabase: EditableFeatureStore {
  let store: ServiceFeatureStore
  let groups = Mutex<[AppliedEdits]>([])

  /// The maximum number of groups that can be undone.
  private static let mostGroups = 100

  /// Creates a store.
  public init(_ store: ServiceFeatureStore) { self.store = store }

  // MARK: - Reading

  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await store.schemas()
  }

  public func features(
    in table: String, matching query: QueryParameters
  ) -> FeatureSequence {
    store.features(in: table, matching: query)
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try await store.count(in: table, matching: query)
  }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try await store.extent(of: table, matching: query)
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    try await store.relatedFeatures(to: objectID, in: table, through: relationship)
  }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    try await store.attachments(of: objectID, in: table)
  }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    try await store.data(of: attachment, in: table)
  }

  // MARK: - Editing

  /// There are none: the service has every edit.
  public func localChanges() async throws(FeatureEditError) -> LocalChanges {
    LocalChanges(changes: [], tablesWithoutHistory: [])
  }

  public func editability(
    of table: String
  ) async throws(FeatureEditError) -> TableEditability {
    let rights = EditingRights(try self.table(table).table.info)
    guard !rights.isEmpty else {
      return .readOnly(
        .tableNotEditable(table: table, reason: "its service does not allow it to you"))
    }
    return .editable
  }

  public func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    FeatureValidator(try schema(of: try self.table(table)))
  }

  /// Carries out a group of edits at the service, all of them or none.
  ///
  /// Files are attached, replaced and removed one at a time, each in a group of its own. Not every service
  /// takes back what it has carried out of a group when it refuses the rest; ``undo()`` does.
  ///
  /// - Returns: What each edit was carried out on, in the same order.
  /// - Throws: `FeatureEditError.refused` with the service's words, `refusedForNow` if it has too much to
  ///   do, `notMade` if it refuses all or was not reached, `unanswered` if an edit may have arrived all the
  ///   same.
  public func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult] {
    if let edit = edits.first, edits.count == 1, edit.concernsAttachment {
      let (result, applied) = try await applyToAttachment(edit)
      note(applied)
      return [result]
    }
    var plan: [PlannedEdit] = []
    for (number, edit) in edits.enumerated() { plan.append(try await planned(edit, number)) }
    let outcome = try await ServiceEdits(plan).send()
    if let failure = outcome.failure {
      let done = outcome.done.filter { !$0.plan.isEmpty }
      if !done.isEmpty { note(.features(done)) }
      throw failure
    }
    note(.features(outcome.done))
    return outcome.done.map(\.result)
  }

  public func undoCount() async -> Int { groups.withLock(\.count) }

  /// Sends the opposite of the last group of edits.
  ///
  /// - Returns: What was undone.
  /// - Throws: Why it was not; what no later attempt could undo either is skipped, so that the groups before it
  ///   can be undone.
  public func undo() async throws(FeatureEditError) -> [LocalChange] {
    guard let group = groups.withLock(\.last) else { throw .nothingToUndo }
    let undone: UndoneEdits
    do throws(FeatureEditError) { undone = try await takeBack(group) } catch {
      if group.isSettled(by: error) { groups.withLock { _ = $0.popLast() } }
      throw error
    }
    groups.withLock { groups in
      _ = groups.popLast()
      if let rest = undone.rest { groups.append(rest) }
    }
    if let failure = undone.failure { throw failure }
    return undone.changes
  }

  private func note(_ group: AppliedEdits) {
    groups.withLock { groups in
      groups.append(group)
      if groups.count > Self.mostGroups { groups.removeFirst() }
    }
  }

  // MARK: - Tables

  func table(_ name: String) throws(FeatureEditError) -> ServiceFeatureStore.Table {
    guard let table = store.tables.first(where: { $0.name.lowercased() == name.lowercased() })
    else { throw .noSuchTable(name: name, available: store.tables.map(\.name)) }
    return table
  }

  func schema(
    of table: ServiceFeatureStore.Table
  ) throws(FeatureEditError) -> FeatureTableSchema {
    guard let schema = table.schema else {
      throw .tableNotEditable(table: table.name, reason: "its service does not describe it")
    }
    return schema
  }
}

/// The edits that a service allows on the features of a layer.
struct EditingRights: Hashable {
  let canAdd: Bool
  let canUpdate: Bool
  let canDelete: Bool

  var isEmpty: Bool { !canAdd && !canUpdate && !canDelete }

  init(_ info: FeatureLayerInfo) {
    let words = info.capabilities
    // Services of old name the right as a whole; a layer that says nothing leaves it to its service.
    let isWhole =
      words.words.isEmpty
      || words.contains("Editing")
        && !["Create", "Update", "Delete"].contains(where: words.contains)
    canAdd = isWhole || words.contains("Create")
    canUpdate = isWhole || words.contains("Update")
    canDelete = isWhole || words.contains("Delete")
  }
}

extension FeatureEdit {
  /// Whether a file is attached, replaced or removed.
  fileprivate var concernsAttachment: Bool {
    switch self {
    case .add, .update, .delete: false
    case .addAttachment, .updateAttachment, .deleteAttachment: true
    }
  }
}
