public import Foundation
public import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseReader {
  /// The rows of the other table that belong to a feature.
  public borrowing func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) throws(FeatureStoreError) -> [Feature] {
    let storage = try storage(of: table)
    let related = try self.storage(of: relationship.relatedTable)
    let keyColumn = try column(relationship.relatedKeyField, of: related)
    guard let key = try value(of: relationship.keyField, objectID, storage) else { return [] }
    var conditions = try conditions(of: QueryParameters(), related)
    if let join = relationship.joinTable {
      let (condition, values) = try throughJoin(join, to: keyColumn, key)
      conditions.add(condition, values)
    } else {
      conditions.add(keyColumn, refersTo: key)
    }
    let cursor = try cursor(in: related, matching: QueryParameters(), conditions)
    var features: [Feature] = []
    while let feature = try cursor.next() { features.append(feature) }
    return features
  }

  private borrowing func throughJoin(
    _ join: RelationshipInfo.JoinTable, to keyColumn: String, _ key: SQLValue
  ) throws(FeatureStoreError) -> (String, [SQLValue]) {
    let storage = try storage(of: join.name)
    let mine = SQLIdentifier.quoted(try column(join.keyField, of: storage))
    let theirs = "j.\(SQLIdentifier.quoted(try column(join.relatedKeyField, of: storage)))"
    let current = storage.isCurrent("j").map { " AND \($0)" } ?? ""
    let keys = key.spellings
    let found = "FROM \(storage.source) AS j WHERE j.\(mine) IN (\(keys.parameters))\(current)"
    // Either side may spell GUIDs in its own way.
    let columns = keys.count > 1 ? [theirs, "upper(\(theirs))", "lower(\(theirs))"] : [theirs]
    let selections = columns.map { "SELECT \($0) \(found)" }.joined(separator: " UNION ")
    let condition = "t.\(SQLIdentifier.quoted(keyColumn)) IN (\(selections))"
    return (condition, columns.flatMap { _ in keys })
  }

  /// The attachments of a feature, without their contents.
  public borrowing func attachments(
    of objectID: Int64, in table: String
  ) throws(FeatureStoreError) -> [Attachment] {
    let owner = try storage(of: table)
    guard let attachments = try attachmentTable(of: table),
      let key = try value(of: attachments.featureKey, objectID, owner)
    else { return [] }
    var conditions = RowConditions()
    conditions.add(attachments.condition(key), key.spellings)
    if let current = attachments.storage.isCurrent("t") { conditions.add(current) }
    let query = try statement(
      attachments.listSQL(conditions.sql), conditions.values, attachments.storage)
    var list: [Attachment] = []
    while try step(query, "the rows of \(attachments.storage.name)") {
      list.append(
        Attachment(
          id: query.integer(at: 0), name: query.text(at: 1), contentType: query.text(at: 2),
          size: max(0, Int(query.integer(at: 3)))))
    }
    return list
  }

  /// The contents of an attachment.
  ///
  /// - Throws: `FeatureStoreError.damaged(file:place:reason:)` also if there is no attachment
  ///   of that id.
  public borrowing func data(
    of attachment: Attachment.ID, in table: String
  ) throws(FeatureStoreError) -> Data {
    guard let attachments = try attachmentTable(of: table) else {
      throw source.location.damaged("the table \(table)", "it has no attachments")
    }
    let storage = attachments.storage
    var conditions = RowConditions()
    conditions.add(storage.objectIDColumn, equals: .integer(attachment))
    if let current = storage.isCurrent("t") { conditions.add(current) }
    let query = try statement(
      "SELECT t.\(attachments.dataColumn) FROM \(storage.source) AS t \(conditions.sql)",
      conditions.values, storage)
    guard try step(query, "attachment \(attachment) of \(table)") else {
      throw source.location.damaged(
        "the attachments of \(table)", "there is no attachment \(attachment)")
    }
    return query.blob(at: 0)
  }

  // MARK: - Keys

  /// The value of a field of a feature; `nil` if the feature is absent or has none.
  private borrowing func value(
    of field: String, _ objectID: Int64, _ storage: TableStorage
  ) throws(FeatureStoreError) -> SQLValue? {
    let column = SQLIdentifier.quoted(try column(field, of: storage))
    var conditions = RowConditions()
    conditions.add(storage.objectIDColumn, equals: .integer(objectID))
    if let current = storage.isCurrent("t") { conditions.add(current) }
    let query = try statement(
      "SELECT t.\(column) FROM \(storage.source) AS t \(conditions.sql)", conditions.values,
      storage)
    guard try step(query, "the rows of \(storage.name)"), query[0] != .null else {
      return nil
    }
    return query[0]
  }

  private borrowing func column(
    _ name: String, of storage: TableStorage
  ) throws(FeatureStoreError) -> String {
    guard let column = storage.column(named: name) else {
      throw .noSuchField(name: name, table: storage.name)
    }
    return column.name
  }
}

extension AttachmentTable {
  /// What holds for the attachments of a feature, with a parameter for each spelling of its key.
  fileprivate func condition(_ value: SQLValue) -> String {
    let key = SQLIdentifier.quoted(keyColumn)
    let parameters = value.spellings.parameters
    guard let pairs else { return "t.\(key) IN (\(parameters))" }
    return """
      t.\(storage.rowKey) IN (SELECT p.\(SQLIdentifier.quoted(pairs.attachmentColumn))
        FROM \(pairs.storage.source) AS p WHERE p.\(key) IN (\(parameters)))
      """
  }

  /// The column with the contents, for SQL.
  fileprivate var dataColumn: String { SQLIdentifier.quoted(columns.data) }

  /// Asks for the id, the name, the media type and the size; what has no column is empty.
  fileprivate func listSQL(_ conditions: String) -> String {
    func column(_ name: String, else fallback: String) -> String {
      storage.column(named: name).map { "t.\(SQLIdentifier.quoted($0.name))" } ?? fallback
    }
    let id = "t.\(SQLIdentifier.quoted(storage.objectIDColumn))"
    let columns = [
      id, column(columns.name, else: "''"), column(columns.contentType, else: "''"),
      "coalesce(\(column(columns.size, else: "NULL")), length(t.\(dataColumn)), 0)",
    ]
    return """
      SELECT \(columns.joined(separator: ", ")) FROM \(storage.source) AS t \(conditions)
      ORDER BY \(id)
      """
  }
}
