internal import PortolanGeometry

package import struct Foundation.Date

/// Carries out a group of edits on the rows of a store: what all stores do alike.
///
/// Checks each edit before its rows are written, gives new features their keys and defaults,
/// notes who edited when, and lets go with a deleted feature what belongs to it. The store must
/// undo everything where ``apply(_:)`` throws.
package struct FeatureEditor<Rows: EditableRows> {
  /// The rows.
  package private(set) var rows: Rows
  /// The changes of rows so far, in order.
  package private(set) var changes: [RowChange] = []

  private let user: String?
  private let now: Date
  /// The features added so far, by the number of the edit.
  private var added: [Int: (table: String, objectID: Int64)] = [:]

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - user: Who edits; `nil` if nobody is signed in.
  ///   - now: When, for editor tracking.
  package init(_ rows: Rows, user: String?, now: Date) {
    self.rows = rows
    self.user = user
    self.now = now
  }

  /// Carries out edits one after the other.
  package mutating func apply(
    _ edits: [FeatureEdit]
  ) throws(FeatureEditError) -> [FeatureEditResult] {
    var results: [FeatureEditResult] = []
    for (number, edit) in edits.enumerated() {
      guard !Task.isCancelled else { throw .cancelled }
      results.append(try apply(edit, number))
    }
    return results
  }

  private mutating func apply(
    _ edit: FeatureEdit, _ number: Int
  ) throws(FeatureEditError) -> FeatureEditResult {
    switch edit {
    case .add(let feature, let table): return try add(feature, to: table, number)
    case .update(let reference, let table, let attributes, let geometry):
      let target = try target(reference, in: table, number)
      return try update(target, attributes, geometry)
    case .delete(let reference, let table):
      let target = try target(reference, in: table, number)
      try delete(target)
      return target.result
    case .addAttachment(let attachment, let reference, let table):
      return try add(attachment, to: try target(reference, in: table, number))
    case .updateAttachment(let id, let attachment, let table):
      return try change(id, in: table, number, to: attachment)
    case .deleteAttachment(let id, let table):
      return try change(id, in: table, number, to: nil)
    }
  }

  // MARK: - Targets

  /// A feature that exists.
  private struct Target {
    let validator: FeatureValidator
    let attributes: Attributes
    let place: EditPlace
    let objectID: Int64

    var table: String { validator.schema.name }

    var globalID: String? { attributes.globalID(validator.schema) }

    var result: FeatureEditResult {
      FeatureEditResult(table: table, objectID: objectID, globalID: globalID)
    }

    func change(_ kind: LocalChange.Kind, _ attachment: AttachmentRow? = nil) -> RowChange {
      RowChange(
        table: table, objectID: objectID, globalID: globalID, attachment: attachment, kind: kind)
    }
  }

  private func target(
    _ reference: FeatureReference, in table: String, _ number: Int
  ) throws(FeatureEditError) -> Target {
    let validator = try rows.validator(of: table)
    var place = EditPlace(edit: number, table: validator.schema.name)
    let objectID: Int64
    switch reference {
    case .objectID(let id): objectID = id
    case .added(let edit):
      guard let feature = added[edit],
        feature.table.lowercased() == validator.schema.name.lowercased()
      else { throw .noSuchEdit(number: edit, place) }
      objectID = feature.objectID
    }
    place.objectID = objectID
    guard let attributes = try rows.attributes(of: objectID, in: table) else {
      throw .noSuchRow(objectID: objectID, place)
    }
    return Target(
      validator: validator, attributes: attributes, place: place, objectID: objectID)
  }

  // MARK: - Features

  private mutating func add(
    _ feature: NewFeature, to table: String, _ number: Int
  ) throws(FeatureEditError) -> FeatureEditResult {
    let validator = try rows.validator(of: table)
    let schema = validator.schema
    let place = EditPlace(edit: number, table: schema.name)
    var attributes = feature.attributes
    if let parent = feature.parent {
      let key = try key(of: parent, for: schema, at: place)
      attributes = attributes.filter { $0.key.lowercased() != key.field.lowercased() }
      attributes[key.field] = key.value
    }
    var values = try validator.valuesOfNewFeature(attributes, at: place)
    let shape = try shape(feature.geometry, validator, at: place)
    values.merge(stamp(schema, isNew: true)) { _, stamp in stamp }
    let row = try rows.insert(values, shape, into: table, at: place)
    added[number] = (schema.name, row.objectID)
    changes.append(
      RowChange(table: schema.name, objectID: row.objectID, globalID: row.globalID, kind: .add))
    return FeatureEditResult(
      table: schema.name, objectID: row.objectID, globalID: row.globalID)
  }

  private func shape(
    _ geometry: Geometry?, _ validator: FeatureValidator, at place: EditPlace
  ) throws(FeatureEditError) -> Geometry? {
    guard let geometry else { return nil }
    return try validator.shape(geometry, at: place)
  }

  private mutating func update(
    _ target: Target, _ attributes: [String: AttributeValue], _ geometry: GeometryChange
  ) throws(FeatureEditError) -> FeatureEditResult {
    var values = try target.validator.changedValues(
      attributes, of: target.attributes, at: target.place)
    var geometry = geometry
    switch geometry {
    case .keep: guard !values.isEmpty else { return target.result }
    case .remove:
      guard target.validator.schema.geometryType != nil else {
        throw .geometryNotAllowed(target.place)
      }
    case .set(let shape): geometry = .set(try target.validator.shape(shape, at: target.place))
    }
    values.merge(stamp(target.validator.schema, isNew: false)) { _, stamp in stamp }
    try rows.update(target.objectID, in: target.table, values, geometry, at: target.place)
    changes.append(target.change(.update))
    return target.result
  }

  private func stamp(
    _ schema: FeatureTableSchema, isNew: Bool
  ) -> [String: AttributeValue] {
    schema.editorTracking?.stamp(user: user, now: now, isNew: isNew, in: schema) ?? [:]
  }

  // MARK: - Relations

  /// The field that leads to the parent, and what it must hold.
  private func key(
    of parent: NewFeature.Parent, for schema: FeatureTableSchema, at place: EditPlace
  ) throws(FeatureEditError) -> (field: String, value: AttributeValue) {
    let relations = schema.relationships.filter { relation in
      relation.relatedTable.lowercased() == parent.table.lowercased()
        && parent.relationshipID.map { $0 == relation.id } ?? (relation.role == .destination)
    }
    func failure(_ reason: String) -> FeatureEditError {
      .cannotRelate(to: parent.table, reason: reason, place)
    }
    guard let relation = relations.first else { throw failure("no relation leads there") }
    guard relations.count == 1 else { throw failure("several relations lead there") }
    guard relation.joinTable == nil, relation.role == .destination else {
      throw failure("the key is not in its own table")
    }
    let target = try target(parent.feature, in: parent.table, place.edit)
    guard let value = target.attributes[relation.relatedKeyField], !value.isNull else {
      throw failure("that feature has no \"\(relation.relatedKeyField)\"")
    }
    return (relation.keyField, value)
  }

  /// Removes a feature and what belongs to it, however long the chain of relations is.
  private mutating func delete(_ target: Target) throws(FeatureEditError) {
    var pending = [target]
    var seen: Set<FeatureKey> = [FeatureKey(target.table, target.objectID)]
    while let next = pending.popLast() {
      for relation in next.validator.schema.relationships {
        guard let key = next.attributes[relation.keyField], !key.isNull else { continue }
        if let join = relation.joinTable {
          guard try rows.hasTable(join.name) else { continue }
          try rows.deletePairs(in: join.name, where: join.keyField, equals: key)
        } else if relation.role == .origin, try rows.hasTable(relation.relatedTable) {
          pending += try detached(from: next, relation, key, &seen)
        }
      }
      for attachment in try rows.attachments(of: next.objectID, in: next.table) {
        try rows.delete(attachment: attachment.id, in: next.table)
        changes.append(next.change(.delete, attachment))
      }
      try rows.delete(next.objectID, from: next.table)
      changes.append(next.change(.delete))
    }
  }

  /// The rows that go with their origin; those that stay lose their key.
  private mutating func detached(
    from origin: Target, _ relation: RelationshipInfo, _ key: AttributeValue,
    _ seen: inout Set<FeatureKey>
  ) throws(FeatureEditError) -> [Target] {
    let field = relation.relatedKeyField
    var parts: [Target] = []
    for id in try rows.objectIDs(in: relation.relatedTable, where: field, equals: key) {
      let row = try self.target(.objectID(id), in: relation.relatedTable, origin.place.edit)
      guard !seen.contains(FeatureKey(row.table, id)) else { continue }
      if relation.isComposite {
        seen.insert(FeatureKey(row.table, id))
        parts.append(row)
      } else if let column = row.validator.schema.field(named: field), column.isNullable {
        try rows.update(id, in: row.table, [column.name: .null], .keep, at: row.place)
        changes.append(row.change(.update))
      }
    }
    return parts
  }

  // MARK: - Attachments

  private mutating func add(
    _ attachment: NewAttachment, to target: Target
  ) throws(FeatureEditError) -> FeatureEditResult {
    guard target.validator.schema.hasAttachments else { throw .noAttachments(target.place) }
    try attachment.check(at: target.place)
    let row = try rows.insert(attachment, to: target.objectID, in: target.table, at: target.place)
    changes.append(target.change(.add, row))
    var result = target.result
    result.attachmentID = row.id
    return result
  }

  /// Replaces an attachment, or removes it.
  private mutating func change(
    _ id: Attachment.ID, in table: String, _ number: Int, to attachment: NewAttachment?
  ) throws(FeatureEditError) -> FeatureEditResult {
    let schema = try rows.validator(of: table).schema
    let place = EditPlace(edit: number, table: schema.name)
    guard schema.hasAttachments else { throw .noAttachments(place) }
    guard let row = try rows.attachment(id, in: table) else {
      throw .noSuchAttachment(id: id, place)
    }
    let target = try target(.objectID(row.objectID), in: table, number)
    if let attachment {
      try attachment.check(at: target.place)
      try rows.update(id, attachment, in: table, at: target.place)
    } else {
      try rows.delete(attachment: id, in: table)
    }
    changes.append(target.change(attachment == nil ? .delete : .update, row))
    var result = target.result
    result.attachmentID = id
    return result
  }
}

/// The identity of a feature, for sets.
private struct FeatureKey: Hashable {
  let table: String
  let objectID: Int64

  init(_ table: String, _ objectID: Int64) {
    self.table = table.lowercased()
    self.objectID = objectID
  }
}

extension Attributes {
  /// The global id of the feature, if its table has them.
  package func globalID(_ schema: FeatureTableSchema) -> String? {
    guard let field = schema.globalIDField, case .text(let id)? = self[field] else { return nil }
    return id
  }
}
