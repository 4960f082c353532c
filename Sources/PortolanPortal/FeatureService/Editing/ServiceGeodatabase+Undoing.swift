internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// An edit that a service has carried out.
struct AppliedEdit: Sendable {
  let plan: PlannedEdit
  let result: FeatureEditResult
}

/// A group of edits that a service has carried out.
enum AppliedEdits: Sendable {
  case features([AppliedEdit])
  /// A file was attached to a feature.
  case attached(ServiceFeatureStore.Table, Int64, Attachment.ID)
  /// A file was replaced or removed, and is nowhere any more.
  case irrevocable(EditPlace)
}

extension AppliedEdits {
  /// Whether it can never be undone after it was refused with `error`.
  func isSettled(by error: FeatureEditError) -> Bool {
    switch (self, error) {
    case (.irrevocable, _), (_, .changedByOthers): true
    default: false
    }
  }
}

/// The result of undoing a group of edits.
struct UndoneEdits {
  var changes: [LocalChange] = []
  /// The edits that are still to be undone, where the service has carried out only a part.
  var rest: AppliedEdits?
  /// Why.
  var failure: FeatureEditError?
}

extension ServiceGeodatabase {
  /// Sends the opposite of a group of edits.
  ///
  /// A feature that was removed comes back under another object id and without its attachments.
  ///
  /// - Returns: What was undone.
  /// - Throws: `FeatureEditError.changedByOthers` if another user has changed a feature since; nothing is undone
  ///   then.
  func takeBack(_ group: AppliedEdits) async throws(FeatureEditError) -> UndoneEdits {
    switch group {
    case .irrevocable(let place):
      throw .refused(
        file: place.table, reason: "a file that was replaced or removed at a service is gone",
        place)
    case .attached(let table, let objectID, let id):
      let place = EditPlace(table: table.name, objectID: objectID)
      _ = try await AttachmentRequest(
        table: table.table, objectID: objectID, place: place, action: .delete(id)
      ).send()
      return UndoneEdits(changes: [
        LocalChange(
          table: table.name, objectID: objectID, kind: nil,
          attachments: [LocalChange.AttachmentChange(id: id, kind: .add)])
      ])
    case .features(let edits): return try await takeBack(edits.filter { !$0.plan.isEmpty })
    }
  }

  private func takeBack(_ edits: [AppliedEdit]) async throws(FeatureEditError) -> UndoneEdits {
    var plan: [PlannedEdit] = []
    for edit in edits.reversed() {
      if let opposite = try await opposite(of: edit) { plan.append(opposite) }
    }
    let outcome = try await ServiceEdits(plan, needsIDs: false).send()
    if let failure = outcome.failure {
      // Edits that are undone already would count as changed by others the next time.
      let done = Set(outcome.done.map(\.plan.place))
      let rest = edits.filter { edit in
        !done.contains(Self.place(of: edit)) && plan.contains { $0.place == Self.place(of: edit) }
      }
      return UndoneEdits(rest: rest.isEmpty ? nil : .features(rest), failure: failure)
    }
    return UndoneEdits(
      changes: edits.map { edit in
        LocalChange(
          table: edit.result.table, objectID: edit.result.objectID,
          globalID: edit.result.globalID, kind: edit.plan.action.kind)
      })
  }

  /// The place where the opposite of an edit is carried out.
  private static func place(of edit: AppliedEdit) -> EditPlace {
    EditPlace(
      edit: edit.plan.place.edit, table: edit.plan.schema.name, objectID: edit.result.objectID)
  }

  private func opposite(of edit: AppliedEdit) async throws(FeatureEditError) -> PlannedEdit? {
    let (plan, id) = (edit.plan, edit.result.objectID)
    let place = Self.place(of: edit)
    let action: PlannedEdit.Action
    // The edited feature may no longer be one that the map shows.
    let now = try await featureAtService(id, in: plan.table)
    switch plan.action {
    case .add(let values, let shape):
      guard let now else { return nil }
      try check(now, has: values, shape.map { .set($0) } ?? .keep, plan, at: place)
      action = .delete(id)
    case .update(_, let values, let geometry):
      guard let now, let before = plan.before else { throw .changedByOthers(place) }
      try check(now, has: values, geometry, plan, at: place)
      var old: [String: AttributeValue] = [:]
      for name in values.keys { old[name] = before.attributes[name] ?? .null }
      var shape = GeometryChange.keep
      if geometry != .keep { shape = before.geometry.map { .set($0) } ?? .remove }
      action = .update(id, old, shape)
    case .delete:
      guard now == nil, let before = plan.before else { throw .changedByOthers(place) }
      let validator = FeatureValidator(plan.schema)
      var values: [String: AttributeValue] = [:]
      for field in plan.schema.fields where validator.whyReadOnly(field) == nil {
        values[field.name] = before.attributes[field.name]
      }
      action = .add(values, before.geometry)
    }
    return PlannedEdit(
      table: plan.table, schema: plan.schema, action: action, place: place, before: now)
  }

  /// Refuses to undo what another user has changed since.
  private func check(
    _ feature: Feature, has values: [String: AttributeValue], _ geometry: GeometryChange,
    _ plan: PlannedEdit, at place: EditPlace
  ) throws(FeatureEditError) {
    for (name, value) in values {
      let type = plan.schema.fields.first { $0.name == name }?.type
      guard Self.isSame(feature.attributes[name] ?? .null, value, type) else {
        throw .changedByOthers(place)
      }
    }
    let found = feature.geometry.flatMap { $0.isEmpty ? nil : $0 }
    let isKept =
      switch geometry {
      case .keep: true
      case .remove: found == nil
      case .set(let sent): found.map { sent.isStored(as: $0) } ?? sent.isEmpty
      }
    guard isKept else { throw .changedByOthers(place) }
  }

  /// Whether a service has kept a value: some write GUIDs in their own letters, or drop fractions of a second.
  private static func isSame(
    _ found: AttributeValue, _ sent: AttributeValue, _ type: FieldType?
  ) -> Bool {
    switch (found, sent) {
    case (.text(let found), .text(let sent)) where type == .guid: plainID(found) == plainID(sent)
    case (.date(let found), .date(let sent)): abs(found.timeIntervalSince(sent)) < 1
    default: found == sent
    }
  }

  private static func plainID(_ id: String) -> String {
    id.uppercased().filter { $0 != "{" && $0 != "}" }
  }
}

extension PlannedEdit.Action {
  fileprivate var kind: LocalChange.Kind {
    switch self {
    case .add: .add
    case .update: .update
    case .delete: .delete
    }
  }
}
