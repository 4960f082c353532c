internal import PortolanFeatures
internal import PortolanSQLite

/// The table with the attachments of another.
///
/// - SeeAlso: Docs/FORMATS.md, 2.5
struct AttachmentTable: Hashable, Sendable {
  let storage: TableStorage
  /// The column that names the feature.
  let keyColumn: String
  /// The field of the feature that `keyColumn` holds the value of.
  let featureKey: String

  /// Finds the attachments of a table, through their relation or else by their usual name.
  static func find(
    for storage: TableStorage, globalIDField: String?,
    relationships: [RelationshipDocument],
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> AttachmentTable? {
    if let table = try TableStorage.read("\(storage.name)__ATTACH", connection),
      let found = AttachmentTable(table, for: storage, globalIDField: globalIDField)
    {
      return found
    }
    let relationship = relationships.first { relationship in
      relationship.isAttachment && relationship.origin.isSameName(as: storage.name)
    }
    guard let relationship, let table = try TableStorage.read(relationship.destination, connection)
    else { return nil }
    let keys = relationship.attachmentKeys
    guard let keyColumn = table.column(named: keys.attachment),
      let featureKey = storage.column(named: keys.feature), table.column(named: "DATA") != nil
    else { return nil }
    return AttachmentTable(
      storage: table, keyColumn: keyColumn.name, featureKey: featureKey.name)
  }

  private init(storage: TableStorage, keyColumn: String, featureKey: String) {
    self.storage = storage
    self.keyColumn = keyColumn
    self.featureKey = featureKey
  }

  private init?(_ table: TableStorage, for owner: TableStorage, globalIDField: String?) {
    guard table.column(named: "DATA") != nil else { return nil }
    if let key = table.column(named: "REL_GLOBALID"),
      let featureKey = owner.column(named: globalIDField ?? "GlobalID")
    {
      self.init(storage: table, keyColumn: key.name, featureKey: featureKey.name)
    } else if let key = table.column(named: "REL_OBJECTID") {
      // Data from before global ids.
      self.init(storage: table, keyColumn: key.name, featureKey: owner.objectIDColumn)
    } else {
      return nil
    }
  }
}
