internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanTransport

/// An edit of a feature that was checked, and what was there before.
struct PlannedEdit: Sendable {
  /// The kind of an edit.
  enum Action: Sendable {
    case add([String: AttributeValue], Geometry?)
    case update(Int64, [String: AttributeValue], GeometryChange)
    case delete(Int64)
  }

  let table: ServiceFeatureStore.Table
  let schema: FeatureTableSchema
  let action: Action
  let place: EditPlace
  /// The feature as it was; `nil` of one that is added.
  let before: Feature?

  /// Whether there is nothing to send.
  var isEmpty: Bool {
    if case .update(_, let values, .keep) = action { values.isEmpty } else { false }
  }
}

extension ServiceGeodatabase {
  /// Checks an edit of a feature, and looks up what is there.
  func planned(_ edit: FeatureEdit, _ number: Int) async throws(FeatureEditError) -> PlannedEdit {
    let table = try table(edit.table)
    let schema = try schema(of: table)
    let rights = EditingRights(table.table.info)
    var place = EditPlace(edit: number, table: schema.name)
    switch edit {
    case .add(let feature, _):
      guard rights.canAdd else { throw Self.notAllowed("new features", schema) }
      let (values, shape) = try await checked(feature, schema, at: place)
      return PlannedEdit(
        table: table, schema: schema, action: .add(values, shape), place: place, before: nil)
    case .update(let reference, _, let attributes, let geometry):
      guard rights.canUpdate else { throw Self.notAllowed("changes", schema) }
      let before = try await feature(reference, in: table, at: &place)
      let validator = FeatureValidator(schema)
      let values = try validator.changedValues(attributes, of: before.attributes, at: place)
      var geometry = geometry
      if case .set(let shape) = geometry { geometry = .set(try validator.shape(shape, at: place)) }
      if case .remove = geometry, schema.geometryType == nil { throw .geometryNotAllowed(place) }
      return PlannedEdit(
        table: table, schema: schema, action: .update(before.objectID, values, geometry),
        place: place, before: before)
    case .delete(let reference, _):
      guard rights.canDelete else { throw Self.notAllowed("removals", schema) }
      let before = try await feature(reference, in: table, at: &place)
      return PlannedEdit(
        table: table, schema: schema, action: .delete(before.objectID), place: place,
        before: before)
    case .addAttachment, .updateAttachment, .deleteAttachment:
      throw .tableNotEditable(
        table: schema.name, reason: "files are attached and removed one at a time at a service")
    }
  }

  private static func notAllowed(
    _ what: String, _ schema: FeatureTableSchema
  ) -> FeatureEditError {
    .tableNotEditable(table: schema.name, reason: "its service allows no \(what)")
  }

  private func checked(
    _ feature: NewFeature, _ schema: FeatureTableSchema, at place: EditPlace
  ) async throws(FeatureEditError) -> ([String: AttributeValue], Geometry?) {
    let validator = FeatureValidator(schema)
    var attributes = feature.attributes
    if let parent = feature.parent {
      let key = try await key(of: parent, for: schema, at: place)
      attributes = attributes.filter { $0.key.lowercased() != key.field.lowercased() }
      attributes[key.field] = key.value
    }
    let values = try validator.valuesOfNewFeature(attributes, at: place)
    guard let shape = feature.geometry else { return (values, nil) }
    return (values, try validator.shape(shape, at: place))
  }

  /// The field that leads to the parent of a new feature, and what it must hold.
  private func key(
    of parent: NewFeature.Parent, for schema: FeatureTableSchema, at place: EditPlace
  ) async throws(FeatureEditError) -> (field: String, value: AttributeValue) {
    let relations = schema.relationships.filter { relation in
      relation.relatedTable.lowercased() == parent.table.lowercased()
        && parent.relationshipID.map { $0 == relation.id } ?? (relation.role == .destination)
    }
    guard let relation = relations.first, relations.count == 1, relation.joinTable == nil,
      relation.role == .destination
    else {
      throw .cannotRelate(
        to: parent.table, reason: "not just one relation leads there from its key", place)
    }
    var other = place
    let feature = try await feature(parent.feature, in: try table(parent.table), at: &other)
    guard let value = feature.attributes[relation.relatedKeyField], !value.isNull else {
      throw .cannotRelate(
        to: parent.table, reason: "that feature has no \"\(relation.relatedKeyField)\"", place)
    }
    return (relation.keyField, value)
  }

  // MARK: - Features

  /// The feature as the service has it now.
  func feature(
    _ reference: FeatureReference, in table: ServiceFeatureStore.Table, at place: inout EditPlace
  ) async throws(FeatureEditError) -> Feature {
    guard case .objectID(let id) = reference else {
      // A service gives ids only when it has the feature.
      if case .added(let edit) = reference { throw .noSuchEdit(number: edit, place) }
      throw .cancelled
    }
    place.objectID = id
    guard let feature = try await feature(id, in: table) else {
      throw .noSuchRow(objectID: id, place)
    }
    return feature
  }

  /// The feature as the service has it now; `nil` if it has none.
  func feature(
    _ objectID: Int64, in table: ServiceFeatureStore.Table
  ) async throws(FeatureEditError) -> Feature? {
    try await Self.feature(objectID, in: table, of: store)
  }

  /// The feature as the service has it now, also one that the map does not show; `nil` if it has none.
  func featureAtService(
    _ objectID: Int64, in table: ServiceFeatureStore.Table
  ) async throws(FeatureEditError) -> Feature? {
    let whole = ServiceFeatureStore.Table(table.table, name: table.name)
    return try await Self.feature(objectID, in: whole, of: ServiceFeatureStore([whole]))
  }

  private static func feature(
    _ objectID: Int64, in table: ServiceFeatureStore.Table, of store: ServiceFeatureStore
  ) async throws(FeatureEditError) -> Feature? {
    do throws(FeatureStoreError) {
      return try await store.features(
        in: table.name, matching: QueryParameters(objectIDs: [objectID])
      ).collect().first
    } catch {
      if case .cancelled = error { throw .cancelled }
      if case .unanswered(let query) = error { throw .notMade(query) }
      throw .unreadable(
        file: table.table.url.withoutSecrets, reason: error.localizedDescription.withoutFullStop)
    }
  }
}
