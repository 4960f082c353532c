internal import PortolanFeatures
internal import PortolanSQLite

/// The table with the attachments of another.
///
/// - SeeAlso: Docs/FORMATS.md, 2.5
package struct AttachmentTable: Sendable {
  package let storage: TableStorage
  /// The column that names the feature; in ``pairs``, where there is such a table.
  package let keyColumn: String
  /// The field of the feature that `keyColumn` holds the value of.
  package let featureKey: String
  /// The table that relates attachments to features, if it is a separate one.
  package var pairs: Pairs?
  /// The names of the columns.
  package var columns = Columns()

  /// A table of pairs between features and attachments.
  package struct Pairs: Sendable {
    package var storage: TableStorage
    /// The column with the id of the attachment.
    package var attachmentColumn: String

    package init(storage: TableStorage, attachmentColumn: String) {
      self.storage = storage
      self.attachmentColumn = attachmentColumn
    }
  }

  /// The names of the columns of attachments; any but that of the contents may be missing.
  package struct Columns: Hashable, Sendable {
    package var name: String
    package var contentType: String
    package var size: String
    package var data: String

    /// Creates names, those of geodatabases unless given.
    package init(
      name: String = "ATT_NAME", contentType: String = "CONTENT_TYPE", size: String = "DATA_SIZE",
      data: String = "DATA"
    ) {
      self.name = name
      self.contentType = contentType
      self.size = size
      self.data = data
    }
  }

  /// Creates a table whose pairs lie in another one.
  package init(_ storage: TableStorage, pairs: Pairs, keyColumn: String, featureKey: String) {
    self.storage = storage
    self.pairs = pairs
    self.keyColumn = keyColumn
    self.featureKey = featureKey
  }

  /// Finds the attachments of a table, through their relation or else by their standard name.
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
