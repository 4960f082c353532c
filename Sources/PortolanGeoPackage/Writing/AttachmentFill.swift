internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// The attachments of a table of a GeoPackage while they are added: the media, and which feature
/// each belongs to.
final class AttachmentFill {
  private let owner: TableFill
  private let media: TableFill
  private let fields: FieldList
  private let pairs: Query
  /// What belongs to features that are known by their global ids, which are looked up at the end.
  private var pending: [(globalID: String, attachment: Int64)] = []
  /// How many attachments belong to features that are not there.
  private(set) var orphanCount = 0

  init(
    of owner: TableFill, in media: TableFill, on connection: borrowing Connection
  ) throws(DatabaseError) {
    self.owner = owner
    self.media = media
    fields = FieldList(media.layout.schema.fields)
    let name = SQLIdentifier.quoted(MappingTable.attachmentsName(of: owner.layout.name))
    pairs = try connection.query("INSERT INTO \(name) (base_id, related_id) VALUES (?1, ?2)")
  }

  /// Adds a file that belongs to the feature of an object id.
  func append(_ attachment: NewAttachment, toObjectID objectID: Int64) throws {
    let row = try media.append(attachment: MediaTable.row(of: attachment, in: fields))
    try pair(objectID, row.objectID)
  }

  /// Adds a file that belongs to the feature of a global id, which may come later.
  func append(_ attachment: NewAttachment, toGlobalID globalID: String) throws {
    let row = try media.append(MediaTable.row(of: attachment, in: fields))
    pending.append((globalID, row.objectID))
  }

  /// Finds the features that are known by their global ids.
  func finish(on connection: borrowing Connection) throws(DatabaseError) {
    guard !pending.isEmpty, let key = owner.layout.schema.globalIDField else {
      orphanCount = pending.count
      return
    }
    let (table, column) = (SQLIdentifier.quoted(owner.layout.name), SQLIdentifier.quoted(key))
    let index = SQLIdentifier.quoted("idx_\(owner.layout.name)_\(key)")
    try connection.execute("CREATE INDEX IF NOT EXISTS \(index) ON \(table) (\(column))")
    let objectID = SQLIdentifier.quoted(owner.layout.schema.objectIDField)
    let search = try connection.query("SELECT \(objectID) FROM \(table) WHERE \(column) = ?1")
    for (globalID, attachment) in pending {
      search.reset()
      try search.bind(globalID, at: 1)
      if try search.step() {
        try pair(search.integer(at: 0), attachment)
      } else {
        orphanCount += 1
      }
    }
  }

  private func pair(_ objectID: Int64, _ attachment: Int64) throws(DatabaseError) {
    try pairs.run(objectID, attachment)
  }
}
