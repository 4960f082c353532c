public import Foundation
public import PortolanFeatures
public import PortolanGeodatabase
internal import PortolanSQLite

/// Makes a new GeoPackage and fills it, as fast as the disk takes it.
///
/// ```swift
/// let writer = try GeoPackageWriter(at: url, definition, now: .now) { UUID() }
/// for town in towns { try writer.append(town, to: "Towns") }
/// let omissions = try writer.finish()
/// ```
///
/// The file is one of version 1.3 with spatial indexes. Object ids are kept as its row ids.
/// Attachments become media, relationships tables of pairs, aliases and domains those of the
/// schema extension. What the standard has no place for, such as subtypes and the keys of
/// relationships, is in the metadata, where ``GeoPackage`` finds it again.
///
/// The file appears under its name, complete and on the disk, when ``finish()`` returns; what
/// was there before stays until then, and stays if the writer is dropped. Memory does not grow
/// with the rows, but for about 24 bytes a shape for the spatial index, which is built last. The
/// same definition, rows, moment and ids give the same bytes with the same releases of SQLite and
/// PROJ.
///
/// Every call blocks: use it off the cooperative pool.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
public struct GeoPackageWriter: ~Copyable {
  private let file: PendingFile
  private let connection: Connection
  private let plan: GeoPackagePlan
  private let tables: TableFills
  private let attachments: [String: AttachmentFill]
  private let now: Date

  /// Begins a GeoPackage.
  ///
  /// - Parameters:
  ///   - url: The file; the folder must exist.
  ///   - definition: What the file is to hold. Histories are left out.
  ///   - now: The moment that the file says it was made.
  ///   - makeID: Makes the global ids of rows that have none although their table asks for one.
  /// - Throws: `GeodatabaseWriterError.invalidSchema(table:reason:)` if no tables can be made
  ///   from the definition, `GeodatabaseWriterError.notWritable(file:reason:)` if the file
  ///   cannot.
  public init(
    at url: URL, _ definition: GeodatabaseDefinition, now: Date,
    makeID: @escaping () -> UUID
  ) throws(GeodatabaseWriterError) {
    let plan = try GeoPackagePlan(definition)
    let file = try PendingFile(at: url)
    do {
      let connection = try Connection(at: file.temporaryURL, access: .create)
      try connection.beginGeoPackage(plan)
      var fills: [TableFill] = []
      for table in plan.tables {
        fills.append(
          try TableFill(
            table, format: GeoPackageFormat(), on: connection,
            sortingIn: url.deletingLastPathComponent(), makeID: makeID))
      }
      let tables = TableFills(fills, writing: url)
      attachments = try Self.attachments(of: plan, tables, on: connection)
      self.tables = tables
      self.connection = connection
    } catch {
      throw GeodatabaseWriterError(error, writing: url)
    }
    self.file = file
    self.plan = plan
    self.now = now
  }

  private static func attachments(
    of plan: GeoPackagePlan, _ tables: TableFills, on connection: borrowing Connection
  ) throws -> [String: AttachmentFill] {
    var fills: [String: AttachmentFill] = [:]
    for table in plan.tables {
      guard case .attachments(let owner) = table.purpose else { continue }
      fills[owner.lowercased()] = try AttachmentFill(
        of: tables.fill(owner), in: tables.fill(table.name), on: connection)
    }
    return fills
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
  /// - Throws: `GeodatabaseWriterError.invalidValue(table:objectID:field:reason:)` if the row
  ///   does not fit; it is left out, and the next one can be added.
  @discardableResult
  public func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment] = []
  ) throws(GeodatabaseWriterError) -> Int64 {
    let fill = try tables.fill(table)
    let objectID = try tables.writing { try fill.append(feature).objectID }
    guard !attachments.isEmpty else { return objectID }
    let files = try attachmentFill(table)
    try tables.writing {
      for attachment in attachments { try files.append(attachment, toObjectID: objectID) }
    }
    return objectID
  }

  /// Adds features; see ``append(_:to:attachments:)``.
  public func append(
    contentsOf features: some Sequence<Feature>, to table: String
  ) throws(GeodatabaseWriterError) {
    try tables.append(contentsOf: features, to: table)
  }

  /// Attaches a file to a feature of `table` that was, or will be, added.
  ///
  /// `parent` is the global id of the feature, or its object id.
  public func append(
    _ attachment: NewAttachment, toFeature parent: AttributeValue, of table: String
  ) throws(GeodatabaseWriterError) {
    let files = try attachmentFill(table)
    try tables.writing {
      switch parent {
      case .text(let globalID): try files.append(attachment, toGlobalID: globalID)
      case .integer(let objectID): try files.append(attachment, toObjectID: objectID)
      default:
        throw GeodatabaseWriterError.invalidValue(
          table: table, objectID: 0, field: attachment.name, reason: "it belongs to no feature")
      }
    }
  }

  /// Builds the indexes, writes the catalogue, syncs the file and gives it its name.
  ///
  /// - Returns: What the format has no place for.
  @discardableResult
  public consuming func finish() throws(GeodatabaseWriterError) -> [Omission] {
    try finish(replacing: true)
  }

  /// Finishes the file as ``finish()`` does, in the place of what is there by then only if it may.
  package consuming func finish(
    replacing replaces: Bool
  ) throws(GeodatabaseWriterError) -> [Omission] {
    let (file, tables, attachments) = (file, tables, attachments)
    var omissions: [Omission]
    do {
      omissions = try connection.endGeoPackage(
        plan, tables.all, Array(attachments.values), now: now)
    } catch {
      throw GeodatabaseWriterError(error, writing: file.url)
    }
    omissions += tables.all.filter { $0.cutShapeCount > 0 }.map {
      Omission(table: $0.layout.name, .heightsOrMeasures)
    }
    omissions += plan.tables.compactMap { table in
      let count = attachments[table.name.lowercased()]?.orphanCount ?? 0
      return count > 0 ? Omission(table: table.name, .attachments(count: count)) : nil
    }
    // Closes the file.
    _ = consume self
    try file.complete(replacing: replaces)
    return omissions
  }

  private func attachmentFill(_ table: String) throws(GeodatabaseWriterError) -> AttachmentFill {
    if let fill = attachments[table.lowercased()] { return fill }
    let name = try tables.fill(table).layout.name
    throw .noSuchTable(name: MediaTable.name(of: name), available: plan.tables.map(\.name))
  }
}
