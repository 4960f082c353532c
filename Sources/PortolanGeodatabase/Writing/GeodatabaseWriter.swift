public import Foundation
public import PortolanFeatures
package import PortolanFiles
internal import PortolanGeometry
internal import PortolanSQLite

/// Makes a new mobile geodatabase and fills it, as fast as the disk takes it.
///
/// ```swift
/// var writer = try GeodatabaseWriter(at: url, definition, now: .now) { UUID() }
/// for town in towns { try writer.append(town, to: "Towns") }
/// try writer.finish()
/// ```
///
/// The file appears under its name, complete and on the disk, when ``finish()`` returns; what
/// was there before stays until then, and stays if the writer is dropped. Memory does not grow
/// with the rows: the boxes of the spatial index, which is built last, are sorted on the disk if they
/// are many. The same definition, rows, moment and ids give the same bytes with the same release of
/// SQLite.
///
/// Every call blocks: use it off the cooperative pool.
///
/// - SeeAlso: Docs/FORMATS.md, 2
public struct GeodatabaseWriter: ~Copyable {
  private let file: PendingFile
  private let connection: Connection
  private let plan: GeodatabasePlan
  private let tables: TableFills
  private let now: Date
  private let makeID: () -> UUID

  /// Begins a geodatabase.
  ///
  /// - Parameters:
  ///   - url: The file; the folder must exist.
  ///   - definition: What the file is to hold.
  ///   - now: The moment that the file says it was made.
  ///   - makeID: Makes the ids of items, and of rows that have none although their table asks
  ///     for one.
  /// - Throws: ``GeodatabaseWriterError/invalidSchema(table:reason:)`` if no tables can be made
  ///   from the definition, ``GeodatabaseWriterError/notWritable(file:reason:)`` if the file
  ///   cannot.
  public init(
    at url: URL, _ definition: GeodatabaseDefinition, now: Date,
    makeID: @escaping () -> UUID
  ) throws(GeodatabaseWriterError) {
    let plan = try GeodatabasePlan(definition)
    let file = try PendingFile(at: url)
    let connection = try Self.begin(plan, at: file)
    let fills = try Self.fills(of: plan, on: connection, writing: url, makeID: makeID)
    self.init(file, connection, plan, TableFills(fills, writing: url), now, makeID)
  }

  private init(
    _ file: PendingFile, _ connection: consuming Connection, _ plan: GeodatabasePlan,
    _ tables: TableFills, _ now: Date, _ makeID: @escaping () -> UUID
  ) {
    self.file = file
    self.connection = connection
    self.plan = plan
    self.tables = tables
    self.now = now
    self.makeID = makeID
  }

  private static func begin(
    _ plan: GeodatabasePlan, at file: PendingFile
  ) throws(GeodatabaseWriterError) -> Connection {
    do {
      let connection = try Connection(at: file.temporaryURL, access: .create)
      try connection.beginGeodatabase(plan)
      return connection
    } catch {
      throw GeodatabaseWriterError(error, writing: file.url)
    }
  }

  private static func fills(
    of plan: GeodatabasePlan, on connection: borrowing Connection, writing url: URL,
    makeID: @escaping () -> UUID
  ) throws(GeodatabaseWriterError) -> [TableFill] {
    do {
      var fills: [TableFill] = []
      for table in plan.tables {
        fills.append(
          try TableFill(
            table, on: connection, sortingIn: url.deletingLastPathComponent(), makeID: makeID))
      }
      return fills
    } catch {
      throw GeodatabaseWriterError(error, writing: url)
    }
  }

  /// Adds a feature, or a row of a table without shapes, with what is attached to it.
  ///
  /// - Parameters:
  ///   - feature: An object id above 0 is kept; else the row gets the one after the greatest.
  ///     A global id is kept or made. Fields that the table does not have are left out, those
  ///     that the feature lacks are `null`.
  ///   - table: The name, without case. Also the table between two others can be filled.
  ///   - attachments: Only where the schema has attachments. An id that an attachment has already is
  ///     kept by that one, and the other gets the next.
  /// - Returns: The object id.
  /// - Throws: ``GeodatabaseWriterError/invalidValue(table:objectID:field:reason:)`` if the row
  ///   does not fit; it is left out, and the next one can be added.
  @discardableResult
  public func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment] = []
  ) throws(GeodatabaseWriterError) -> Int64 {
    let fill = try tables.fill(table)
    return try tables.writing {
      let row = try fill.append(feature)
      for attachment in attachments { try attach(attachment, to: row, of: fill.layout) }
      return row.objectID
    }
  }

  /// Adds features; see ``append(_:to:attachments:)``.
  public func append(
    contentsOf features: some Sequence<Feature>, to table: String
  ) throws(GeodatabaseWriterError) {
    try tables.append(contentsOf: features, to: table)
  }

  /// Attaches a file to a feature of `table` that was, or will be, added.
  ///
  /// `parent` is the global id of the feature, or its object id where the table has no global
  /// ids.
  public func append(
    _ attachment: NewAttachment, toFeature parent: AttributeValue, of table: String
  ) throws(GeodatabaseWriterError) {
    let layout = try tables.fill(table).layout
    let fill = try tables.fill(layout.name + "__ATTACH")
    _ = try tables.writing { try fill.append(attachment.row(of: fill.layout, parent: parent)) }
  }

  /// Builds the indexes, writes the catalogue, syncs the file and gives it its name.
  public consuming func finish() throws(GeodatabaseWriterError) {
    try finish(.durable)
  }

  /// Finishes the file as ``finish()`` does, but syncs it only if it has to be durable, and takes the
  /// place of what is there by then only if it may.
  package consuming func finish(
    _ durability: FileDurability, replacing replaces: Bool = true
  ) throws(GeodatabaseWriterError) {
    let file = file
    do {
      try connection.endGeodatabase(plan, tables.all, now: now, makeID: makeID)
    } catch {
      throw GeodatabaseWriterError(error, writing: file.url)
    }
    // Closes the file.
    _ = consume self
    try file.complete(durability, replacing: replaces)
  }

  private func attach(
    _ attachment: NewAttachment, to row: TableFill.RowIdentity, of table: TableLayout
  ) throws {
    let parent = row.globalID.map { AttributeValue.text($0) } ?? .integer(row.objectID)
    let fill = try tables.fill(table.name + "__ATTACH")
    _ = try fill.append(attachment: attachment.row(of: fill.layout, parent: parent))
  }
}
