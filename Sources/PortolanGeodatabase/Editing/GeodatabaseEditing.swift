internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// Edits an open geodatabase, a group at a time; for one thread at a time.
final class GeodatabaseEditing {
  let file: EditedFile
  private let functions: EsriFunctions
  private let journal: EditJournal
  let settings: EditingSettings
  private var clock = TransactionClock()
  private var log: UndoLog
  /// The counter that SQLite increments when another connection changes the file.
  private var fileVersion: SQLValue = .null
  /// The edits that an upload which is under way has still to send; `nil` for none, or once something else was
  /// seen to have changed the file.
  var uploadPlan: UploadPlan?

  var held: HeldReader { file.held }
  var path: String { file.path }

  init(_ url: URL, _ settings: EditingSettings) throws(FeatureEditError) {
    functions = EsriFunctions()
    file = try EditedFile(url, settings.format, functions)
    journal = EditJournal(file)
    self.settings = settings
    log = UndoLog(limit: settings.undoLimit)
    fileVersion = try readFileVersion()
  }

  /// How many groups can be undone.
  var undoCount: Int { log.groups.count }

  /// Carries out a group of edits, all or none.
  func apply(_ edits: [FeatureEdit]) throws(FeatureEditError) -> [FeatureEditResult] {
    try checkAttachments(in: edits)
    let now = settings.now()
    let (results, group) = try transaction(at: now) { writer throws(FeatureEditError) in
      try carryOut(edits, with: writer, at: now)
    }
    if !group.changes.isEmpty { log.append(group) }
    return results
  }

  /// Carries out a group of edits together with what is no edit, all or none; neither it nor what was before
  /// it can be undone.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - check: Throws what is in the way, in the same transaction before them.
  ///   - rewriting: Writes what is no edit.
  /// - Throws: Why nothing of it was done.
  func apply(
    _ edits: [FeatureEdit], after check: () throws(FeatureEditError) -> Void,
    with rewriting: () throws(FeatureEditError) -> Void
  ) throws(FeatureEditError) {
    try checkAttachments(in: edits)
    let now = settings.now()
    try transaction(at: now) { writer throws(FeatureEditError) in
      try check()
      _ = try carryOut(edits, with: writer, at: now)
      try rewriting()
    }
    clock.forget()
    log.settleAll()
  }

  private func carryOut(
    _ edits: [FeatureEdit], with writer: RowWriter, at now: Date
  ) throws(FeatureEditError) -> (results: [FeatureEditResult], group: UndoLog.Group) {
    let rows = GeodatabaseRows(file: file, writer: writer, makeID: settings.makeID)
    var editor = FeatureEditor(rows, user: settings.user, now: now)
    let results = try editor.apply(edits)
    let group = UndoLog.Group(
      images: writer.images, changes: editor.changes, journalEnd: try journal.lastEntry())
    try record(editor.changes, before: writer.images, at: now)
    return (results, group)
  }

  /// Refuses attachments that no synchronization would send, since the copy was made without exchanging
  /// them.
  private func checkAttachments(in edits: [FeatureEdit]) throws(FeatureEditError) {
    for (number, edit) in edits.enumerated() {
      let table: String
      switch edit {
      case .add, .update, .delete: continue
      case .addAttachment(_, _, let name), .updateAttachment(_, _, let name),
        .deleteAttachment(_, let name):
        table = name
      }
      guard try file.hasTable("GDB_Items"),
        try !GeodatabaseSync(editing: self).exchangesAttachments()
      else { return }
      throw .noAttachments(EditPlace(edit: number, table: table))
    }
  }

  /// Takes back the last group.
  func undo() throws(FeatureEditError) -> [LocalChange] {
    let order = try orderOfTables()
    // The count may shrink if another connection has changed the file.
    let changes = try transaction(at: settings.now()) { writer throws(FeatureEditError) in
      guard let group = log.groups.last else { throw .nothingToUndo }
      var tables: [String: EditedTable] = [:]
      for key in Set(group.images.map(\.key.table)) { tables[key] = try file.writtenTable(key) }
      try writer.restore(group.images, tables)
      try journal.removeEntries(after: group.journalEnd)
      return group.changes
    }
    log.removeLast()
    return LocalChange.merged(changes, orderOfTables: order)
  }

  /// The differences from the last synchronized state.
  func localChanges() throws(FeatureEditError) -> LocalChanges {
    try LocalHistory(file).changes(orderOfTables: orderOfTables())
  }

  // MARK: - Journal

  /// Enters the edits of tables without history, of which nothing else would tell.
  private func record(
    _ changes: [RowChange], before images: [RowImage], at now: Date
  ) throws(FeatureEditError) {
    var unknown: [RowChange] = []
    for change in changes where try !keepsHistory(of: change) { unknown.append(change) }
    guard !unknown.isEmpty else { return }
    let names = Set(unknown.map { $0.table.lowercased() })
    var rows: [String: [Int64: RowImage]] = [:]
    for image in images where names.contains(image.key.table) {
      guard let id = try file.writtenTable(image.key.table).objectID(of: image) else { continue }
      rows[image.key.table, default: [:]][id] = image
    }
    try journal.append(unknown, at: now) { change throws(FeatureEditError) in
      guard let image = rows[change.table.lowercased()]?[change.objectID] else { return nil }
      return try file.writtenTable(change.table).state(of: image)
    }
  }

  private func keepsHistory(of change: RowChange) throws(FeatureEditError) -> Bool {
    guard change.attachment != nil else { return try file.table(change.table).storage.isTracked }
    let attachments = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachmentTable(of: change.table)
    }
    return attachments?.storage.isTracked ?? false
  }

  // MARK: - Tables

  /// The validator of an editable table.
  func validator(of table: String) throws(FeatureEditError) -> FeatureValidator {
    try file.table(table).validator
  }

  /// Whether a table can be edited, and the file.
  func editability(of table: String) throws(FeatureEditError) -> TableEditability {
    do throws(FeatureEditError) {
      _ = try file.table(table)
      try FilePermission.check(file.url)
      return .editable
    } catch {
      switch error {
      case .tableNotEditable, .fileReadOnly, .folderReadOnly: return .readOnly(error)
      default: throw error
      }
    }
  }

  // MARK: - Transactions

  private func transaction<T>(
    at now: Date, _ body: (RowWriter) throws(FeatureEditError) -> T
  ) throws(FeatureEditError) -> T {
    uploadPlan = nil
    // SQLite counts it as a change by others, after which nothing can be undone.
    if log.groups.isEmpty { file.beginJournal() }
    return try file.transaction { () throws(FeatureEditError) in
      try noticeOthers()
      let moment = try clock.begin(file, at: now)
      functions.begin(at: moment)
      let writer = RowWriter(file, moment: moment)
      let result = try body(writer)
      try settings.format.editing.finish(writer.written, in: file, at: now)
      return result
    }
  }

  /// Writes what is no edit, such as what a service has sent; nothing before it can be undone.
  ///
  /// Walks that are open continue beside it, as beside edits.
  ///
  /// - Parameters:
  ///   - keepsPlan: Whether the plan of an upload still holds afterwards.
  ///   - body: Writes it.
  /// - Returns: What `body` returns.
  /// - Throws: Why nothing of it was done.
  func rewriting<T>(
    keepingPlan keepsPlan: Bool = false, _ body: () throws(FeatureEditError) -> T
  ) throws(FeatureEditError) -> T {
    if !keepsPlan { uploadPlan = nil }
    file.beginJournal()
    let result = try file.transaction { () throws(FeatureEditError) in
      try noticeOthers()
      return try body()
    }
    clock.forget()
    log.settleAll()
    return result
  }

  /// Forgets what no longer holds if another connection has changed the file: the rows that undoing
  /// would restore may be theirs by now.
  ///
  /// For the beginning of a transaction, so that what is found out in it is as it is in the file.
  func noticeOthers() throws(FeatureEditError) {
    let version = try readFileVersion()
    guard version != fileVersion else { return }
    fileVersion = version
    uploadPlan = nil
    clock.forget()
    file.forgetTables()
    log.settleAll()
  }

  /// The plan of the upload that is under way, which is kept no longer; `nil` if there is none.
  ///
  /// For transactions that have noticed what others have changed.
  func takeUploadPlan() -> UploadPlan? {
    defer { uploadPlan = nil }
    return uploadPlan
  }

  private func readFileVersion() throws(FeatureEditError) -> SQLValue {
    try file.rows("PRAGMA data_version", in: "its header").first?.first ?? .null
  }

  func orderOfTables() throws(FeatureEditError) -> [String] {
    try file.reading { reader throws(FeatureStoreError) in try reader.schemas() }.map(\.name)
  }
}
