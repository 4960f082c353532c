internal import PortolanGeometry

internal import struct Foundation.Date

/// A table of an ``InMemoryFeatureStore``: its features by object id, all of the same fields.
struct InMemoryTable: ListedTable, Sendable {
  let schema: FeatureTableSchema
  let fields: FieldList
  /// The features by object id.
  var features: [Feature]
  /// The files that belong to features, by id.
  var files: [File]
  /// The ids that the next feature and the next file get.
  var nextObjectID: Int64
  var nextFileID: Attachment.ID

  /// A file that belongs to a feature, under its id.
  struct File: Sendable {
    let id: Attachment.ID
    let globalID: String?
    var contents: FeatureTableContents.AttachedFile
  }

  init(_ contents: FeatureTableContents) {
    let fields = FieldList(contents.schema.fields)
    let objectIDField = contents.schema.objectIDField
    schema = contents.schema
    self.fields = fields
    files = contents.attachedFiles.enumerated().map {
      File(id: Attachment.ID($0 + 1), globalID: nil, contents: $1)
    }
    nextFileID = Attachment.ID(files.count + 1)
    features = contents.features.sorted { $0.objectID < $1.objectID }.map { feature in
      var feature = feature
      feature.attributes = feature.attributes.arranged(as: fields)
      feature.attributes[objectIDField] = .integer(feature.objectID)
      return feature
    }
    nextObjectID = max(contents.nextObjectID ?? 1, (features.last?.objectID ?? 0) + 1)
  }

  // MARK: Queries

  /// The features that match, by object id; order, offset and limit do not count.
  func selected(by query: QueryParameters, now: Date) throws(FeatureStoreError) -> [Feature] {
    let clause = try WhereClause(query.whereClause ?? "").bound(
      to: fields, of: schema.name, now: now)
    let ids = query.objectIDs.map(Set.init)
    return features.filter { feature in
      guard ids?.contains(feature.objectID) ?? true else { return false }
      if let extent = query.extent {
        guard let box = feature.geometry?.extent, box.intersects(extent) else { return false }
      }
      return clause.matches(feature.attributes)
    }
  }

  /// The features that match, as the query wants them.
  func rows(matching query: QueryParameters, now: Date) throws(FeatureStoreError) -> [Feature] {
    let outFields = try outFields(query.outFields)
    var rows = try selected(by: query, now: now)
    let order = try positions(of: query.orderBy)
    if !order.isEmpty { rows.sort { Self.precedes($0, $1, order) } }
    let start = min(max(0, query.offset), rows.count)
    let end = query.limit.map { start + min(max(0, $0), rows.count - start) } ?? rows.count
    return rows[start..<end].map { feature in
      var feature = feature
      if outFields != fields { feature.attributes = feature.attributes.arranged(as: outFields) }
      if !query.returnsGeometry { feature.geometry = nil }
      return feature
    }
  }

  private func outFields(_ names: [String]?) throws(FeatureStoreError) -> FieldList {
    guard let names, !names.contains("*") else { return fields }
    var list: [Field] = []
    for name in names { list.append(fields.fields[try position(of: name)]) }
    return FieldList(list)
  }

  // MARK: Order

  private func positions(
    of order: [QueryParameters.OrderBy]
  ) throws(FeatureStoreError) -> [(position: Int, isDescending: Bool)] {
    var positions: [(position: Int, isDescending: Bool)] = []
    for term in order { positions.append((try position(of: term.field), term.isDescending)) }
    return positions
  }

  private static func precedes(
    _ left: Feature, _ right: Feature, _ order: [(position: Int, isDescending: Bool)]
  ) -> Bool {
    for term in order {
      let result = left.attributes.values[term.position]
        .sortOrder(right.attributes.values[term.position])
      if result != 0 { return term.isDescending ? result > 0 : result < 0 }
    }
    return left.objectID < right.objectID
  }

  // MARK: Keys

  /// The values of a field in some features, without `null`.
  func values(
    of field: String, where isIncluded: (Feature) -> Bool
  ) throws(FeatureStoreError) -> [AttributeValue] {
    let position = try position(of: field)
    return features.filter(isIncluded).map { $0.attributes.values[position] }
      .filter { !$0.isNull }
  }

  /// The features that have one of the values in a field.
  func features(
    where field: String, isAmong values: [AttributeValue]
  ) throws(FeatureStoreError) -> [Feature] {
    let position = try position(of: field)
    return features.filter { feature in
      values.contains { $0.isEqual(to: feature.attributes.values[position]) }
    }
  }

  private func position(of field: String) throws(FeatureStoreError) -> Int {
    guard let position = fields.position(of: field) else {
      throw .noSuchField(name: field, table: schema.name)
    }
    return position
  }
}

extension Attributes {
  /// The values of other fields, found by name.
  fileprivate func arranged(as list: FieldList) -> Attributes {
    if fieldList == list { return Attributes(list, values) }
    return Attributes(list, list.fields.map { self[$0.name] ?? .null })
  }
}
