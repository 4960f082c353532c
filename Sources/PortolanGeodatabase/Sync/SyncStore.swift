internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// A file's records of its synchronization, in tables of Portolan's own: edits that could not be
/// exchanged, attachments of features that it cannot hold, attachments that the service lacks, and
/// an upload or a request for a replica whose result is still unknown.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
struct SyncStore {
  private static let issues = "portolan_sync_issues"
  private static let pending = "portolan_sync_pending"
  private static let files = "portolan_sync_files"
  private static let requests = "portolan_sync_request"
  private static let homes = "portolan_sync_home"
  private static let moments = "portolan_sync_moment"
  private static let lacking = "portolan_sync_lacking"
  private static let place = "what is known of the synchronization"

  let file: EditedFile

  // MARK: - Issues

  /// The edits that could not be exchanged, oldest first.
  func all() throws(FeatureEditError) -> [SyncIssue] {
    try records(in: Self.issues).compactMap { id, data in
      // What another version wrote and this one cannot read: see `hasUnreadableIssues`.
      guard var issue = try? Self.decoder.decode(SyncIssue.self, from: data) else { return nil }
      issue.id = id
      return issue
    }
  }

  /// Whether there are issues that another version wrote and this one cannot read: it is unknown
  /// which edits the user must decide on first.
  func hasUnreadableIssues() throws(FeatureEditError) -> Bool {
    try all().count < records(in: Self.issues).count
  }

  /// Adds an issue.
  ///
  /// - Returns: Its number.
  func add(_ issue: SyncIssue) throws(FeatureEditError) -> Int64 {
    try create(Self.issues)
    try insert(issue, into: Self.issues)
    return file.held.reader.connection.lastInsertedRowID
  }

  func remove(_ id: Int64) throws(FeatureEditError) {
    try file.run("DELETE FROM \(Self.issues) WHERE id = ?1", [.integer(id)], in: Self.place)
  }

  // MARK: - The upload

  func pendingUpload() throws(FeatureEditError) -> PendingUpload? {
    try records(in: Self.pending).first.flatMap { _, data in
      // One that cannot be read: the edits are sent again, which the service recognizes.
      try? Self.decoder.decode(PendingUpload.self, from: data)
    }
  }

  func setPending(_ upload: PendingUpload?) throws(FeatureEditError) {
    try create(Self.pending)
    try file.run("DELETE FROM \(Self.pending)", in: Self.place)
    if let upload { try insert(upload, into: Self.pending) }
  }

  /// Notes where the service says what became of the upload that is kept, without writing its edits again:
  /// there may be thousands.
  func setPendingStatus(
    _ url: String?, submitted: Date, of uploadID: String?
  ) throws(FeatureEditError) {
    try file.run(
      """
      UPDATE \(Self.pending)
      SET record = json_set(record, '$.statusURL', ?1, '$.submitted', ?2, '$.uploadID', ?3)
      """,
      [SQLValue(url), .real(submitted.timeIntervalSinceReferenceDate), SQLValue(uploadID)],
      in: Self.place)
  }

  // MARK: - The request for a replica

  func requestedCopy() throws(FeatureEditError) -> RequestedCopy? {
    try records(in: Self.requests).first.flatMap { _, data in
      // One that cannot be read: services forget unused replicas in time.
      try? Self.decoder.decode(RequestedCopy.self, from: data)
    }
  }

  func setRequested(_ copy: RequestedCopy?) throws(FeatureEditError) {
    if copy != nil { try create(Self.requests) }
    guard try hasRecords(in: Self.requests) else { return }
    try file.run("DELETE FROM \(Self.requests)", in: Self.place)
    if let copy { try insert(copy, into: Self.requests) }
  }

  // MARK: - The home

  /// What distinguishes the map and home for which the replica was registered from copies of them.
  func home() throws(FeatureEditError) -> String? {
    try records(in: Self.homes).first.map { _, data in String(decoding: data, as: UTF8.self) }
  }

  func setHome(_ home: String) throws(FeatureEditError) {
    try create(Self.homes)
    try file.run("DELETE FROM \(Self.homes)", in: Self.place)
    try insert(text: home, into: Self.homes)
  }

  // MARK: - The moment

  /// How far the histories went when everything was synchronized.
  func syncedMoment() throws(FeatureEditError) -> SyncedMoment? {
    try records(in: Self.moments).first.flatMap { _, data in
      // One that cannot be read: the date of the registration counts.
      try? Self.decoder.decode(SyncedMoment.self, from: data)
    }
  }

  func setSynced(_ moment: SyncedMoment) throws(FeatureEditError) {
    try create(Self.moments)
    try file.run("DELETE FROM \(Self.moments)", in: Self.place)
    try insert(moment, into: Self.moments)
  }

  // MARK: - Attachments

  /// The global ids, as keys, of attachments that the service lacks although it has their features, which were
  /// added here: they go where nothing but new features is sent.
  func lackingFiles() throws(FeatureEditError) -> Set<String> {
    Set(try records(in: Self.lacking).map { _, data in String(decoding: data, as: UTF8.self) })
  }

  func setLacking(_ ids: Set<String>) throws(FeatureEditError) {
    guard try lackingFiles() != ids else { return }
    try create(Self.lacking)
    try file.run("DELETE FROM \(Self.lacking)", in: Self.place)
    for id in ids.sorted() { try insert(text: id, into: Self.lacking) }
  }

  /// The attachments of features that the file cannot hold, without their contents.
  func withheldFiles() throws(FeatureEditError) -> [WithheldFiles.Entry] {
    guard try hasRecords(in: Self.files) else { return [] }
    return try file.rows(
      "SELECT id, layer, parent, attachment FROM \(Self.files) ORDER BY id", in: Self.place
    ).compactMap { row in
      guard case .integer(let id) = row[0], case .integer(let layer) = row[1],
        case .text(let parent) = row[2], case .text(let attachment) = row[3]
      else { return nil }
      return WithheldFiles.Entry(
        id: id, layerID: Int(layer), parent: parent, attachment: attachment)
    }
  }

  /// The name of such an attachment.
  func name(of entry: WithheldFiles.Entry) throws(FeatureEditError) -> String? {
    try file.rows(
      "SELECT name FROM \(Self.files) WHERE id = ?1", [.integer(entry.id)], in: Self.place
    ).first?.first?.text
  }

  /// Such an attachment, with its contents.
  func withheldFile(_ entry: WithheldFiles.Entry) throws(FeatureEditError) -> GeodatabaseDelta.File?
  {
    let rows = try file.rows(
      "SELECT name, type, data FROM \(Self.files) WHERE id = ?1", [.integer(entry.id)],
      in: Self.place)
    guard let row = rows.first, case .text(let name) = row[0], case .text(let type) = row[1] else {
      return nil
    }
    let data = if case .blob(let data) = row[2] { data } else { Data() }
    return GeodatabaseDelta.File(
      NewAttachment(name: name, contentType: type, data: data, globalID: entry.attachment),
      parentGlobalID: entry.parent)
  }

  /// Keeps an attachment.
  ///
  /// - Returns: Its number.
  func add(
    _ received: GeodatabaseDelta.File, _ globalID: String, ofLayer layerID: Int
  ) throws(FeatureEditError) -> Int64 {
    try file.run(
      """
      CREATE TABLE IF NOT EXISTS \(Self.files)
        (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, layer INTEGER NOT NULL,
         parent TEXT NOT NULL, attachment TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
         data BLOB NOT NULL)
      """, in: Self.place)
    let attachment = received.attachment
    try file.run(
      """
      INSERT INTO \(Self.files) (layer, parent, attachment, name, type, data)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """,
      [
        .integer(Int64(layerID)), .text(received.parentGlobalID), .text(globalID),
        .text(attachment.name), .text(attachment.contentType), .blob(attachment.data),
      ], in: Self.place)
    return file.held.reader.connection.lastInsertedRowID
  }

  func remove(_ entry: WithheldFiles.Entry) throws(FeatureEditError) {
    try file.run("DELETE FROM \(Self.files) WHERE id = ?1", [.integer(entry.id)], in: Self.place)
  }

  // MARK: - Records

  /// Numbers that JSON has no words for are features' values as well.
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }

  /// Makes a table whose numbers are never used twice: who decides on an issue names it by its number,
  /// and another synchronization may have come in between.
  private func create(_ table: String) throws(FeatureEditError) {
    try file.run(
      """
      CREATE TABLE IF NOT EXISTS \(table)
        (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, record TEXT NOT NULL)
      """, in: Self.place)
  }

  private func insert(_ record: some Encodable, into table: String) throws(FeatureEditError) {
    let data: Data
    do { data = try Self.encoder.encode(record) } catch {
      throw .writeFailed(file: file.path, reason: error.localizedDescription)
    }
    try insert(text: String(decoding: data, as: UTF8.self), into: table)
  }

  private func insert(text: String, into table: String) throws(FeatureEditError) {
    try file.run("INSERT INTO \(table) (record) VALUES (?1)", [.text(text)], in: Self.place)
  }

  private func hasRecords(in table: String) throws(FeatureEditError) -> Bool {
    try !file.rows(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", [.text(table)],
      in: Self.place
    ).isEmpty
  }

  private func records(in table: String) throws(FeatureEditError) -> [(Int64, Data)] {
    guard try hasRecords(in: table) else { return [] }
    return try file.rows("SELECT id, record FROM \(table) ORDER BY id", in: Self.place)
      .compactMap { row in
        guard case .integer(let id) = row[0], case .text(let text) = row[1] else { return nil }
        return (id, Data(text.utf8))
      }
  }
}

/// Up to where everything in the histories was synchronized.
struct SyncedMoment: Hashable, Sendable, Codable {
  /// The date of that synchronization, as the registration has it.
  let lastSync: Date
  /// The last moment in the histories then, as a Julian day: what is later is an edit, whatever the clock
  /// said.
  let day: Double
}

extension String {
  /// Whether both are the same global id, however they are written.
  func isSameID(as other: String) -> Bool { plainID == other.plainID }

  /// A global id as a key: capital letters without braces.
  var plainID: String {
    let digits = hasPrefix("{") && hasSuffix("}") ? dropFirst().dropLast() : self[...]
    // Nearly all are spelled so but for the braces.
    if digits.utf8.allSatisfy(\.isDigitOfPlainID) { return String(digits) }
    return uppercased().filter { $0 != "{" && $0 != "}" }
  }
}

extension UInt8 {
  fileprivate var isDigitOfPlainID: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
