internal import PortolanFeatures
internal import PortolanSQLite

/// The table with the attachments of another.
///
/// - SeeAlso: Docs/FORMATS.md, 2.5
struct AttachmentTable: Hashable, Sendable {
  let storage: TableStorage
  /// The column that names the feature; in ``pairs``, where there is such a table.
  let keyColumn: String
  /// The field of the feature that `keyColumn` holds the value of.
  let featureKey: String
  /// The table that says which attachment belongs to which feature, where another one does.
  var pairs: Pairs?
  /// What the columns are called.
  var columns = Columns()

  /// A table of pairs between features and attachments.
  struct Pairs: Hashable, Sendable {
    var storage: TableStorage
    /// The column with the id of the attachment.
    var attachmentColumn: String
  }

  /// The names of the columns of attachments; any but that of the contents may be missing.
  struct Columns: Hashable, Sendable {
    var name = "ATT_NAME"
    var contentType = "CONTENT_TYPE"
    var size = "DATA_SIZE"
    var data = "DATA"
  }

  /// Creates a table whose pairs lie in another one.
  init(_ storage: TableStorage, pairs: Pairs, keyColumn: String, featureKey: String) {
    self.storage = storage
    self.pairs = pairs
    self.keyColumn = keyColumn
    self.featureKey = featureKey
  }

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
