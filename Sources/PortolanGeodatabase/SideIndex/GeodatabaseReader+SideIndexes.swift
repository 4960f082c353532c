internal import Foundation
internal import PortolanArchives
public import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

extension GeodatabaseReader {
  /// Makes the side index of a table, unless there is one of the file as it is.
  ///
  /// Reads the boxes of all rows, puts them in order, then reads the shapes in that order; about
  /// 50 bytes of memory a row. The index takes about the room of the shapes that it holds, and 50
  /// bytes a row.
  ///
  /// - Returns: Whether there is an index now; there is none without a folder for it, for a table
  ///   without shapes, where changes wait beside the file, or if somebody wrote to it meanwhile.
  /// - Throws: ``FeatureStoreError``: also `unreadable` if the index cannot be written.
  public borrowing func buildSideIndex(of table: String) throws(FeatureStoreError) -> Bool {
    guard let folder = source.sideIndexes, source.format == .geodatabase else { return false }
    let storage = try storage(of: table)
    guard let geometry = storage.geometry, let precision = geometry.precision, precision.isValid,
      !storage.isView, let state = SideIndexSource(source.location)
    else { return false }
    let key = source.format.key(table)
    guard folder.index(of: key, in: state) == nil else { return true }
    let rows = try sideIndexRows(storage, geometry)
    let path = source.location.name
    guard
      let layout = SideIndexLayout(
        headerLength: SideIndexHeader.length(table: key, path: path), rowCount: rows.count)
    else { return false }
    do {
      try folder.create()
      var writer = try SideIndexWriter(replacing: folder.file(of: key, in: state), layout)
      try append(rows, of: storage, geometry, to: &writer)
      guard SideIndexSource(source.location) == state else { return false }
      try writer.commit { length in
        SideIndexHeader(
          source: state, table: key, path: path, precision: precision, rowCount: rows.count,
          fileLength: length)
      }
    } catch let error as FeatureStoreError {
      throw error
    } catch {
      let reason = (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
      throw .unreadable(file: path, reason: "its side index cannot be written: \(reason)")
    }
    source.sideIndexesChanged()
    return true
  }

  /// Makes the side indexes of all tables that have so many rows.
  borrowing func buildSideIndexes(leastRows: Int) throws(FeatureStoreError) -> [String] {
    var tables: [String] = []
    for schema in try schemas() where schema.geometryType != nil {
      guard try count(in: schema.name, matching: QueryParameters()) >= leastRows,
        try buildSideIndex(of: schema.name)
      else { continue }
      tables.append(schema.name)
    }
    return tables
  }

  /// The boxes of the rows as the file's own spatial index has them, so that both find the same.
  private borrowing func sideIndexRows(
    _ storage: TableStorage, _ geometry: GeometryColumn
  ) throws(FeatureStoreError) -> SideIndexRows {
    guard let index = geometry.index else { return try rowsWithoutIndex(storage, geometry) }
    let quoted = SQLIdentifier.quoted(index)
    let hasOwnIDs = storage.isTracked || !storage.hasObjectIDAsRowID
    let sql =
      if hasOwnIDs {
        """
        SELECT r.pkid, r.minx, r.maxx, r.miny, r.maxy,
        t.\(SQLIdentifier.quoted(storage.objectIDColumn)) FROM \(quoted) AS r
        CROSS JOIN \(storage.quotedName) AS t ON t.rowid = r.pkid
        \(storage.isCurrent("t").map { "WHERE \($0)" } ?? "")
        """
      } else {
        "SELECT pkid, minx, maxx, miny, maxy FROM \(quoted)"
      }
    var rows = SideIndexRows(hasOwnObjectIDs: hasOwnIDs)
    let query = try statement(sql, [], storage)
    while try step(query, "the spatial index of \(storage.name)") {
      let box = Envelope(
        xMin: query.real(at: 1), yMin: query.real(at: 3), xMax: query.real(at: 2),
        yMax: query.real(at: 4))
      rows.append(
        key: query.integer(at: 0), objectID: hasOwnIDs ? query.integer(at: 5) : 0, box: box)
    }
    return rows
  }

  /// The boxes of the shapes themselves, widened by what rounding can do.
  private borrowing func rowsWithoutIndex(
    _ storage: TableStorage, _ geometry: GeometryColumn
  ) throws(FeatureStoreError) -> SideIndexRows {
    var rows = SideIndexRows(hasOwnObjectIDs: true)
    let sql = """
      SELECT t.rowid, t.\(SQLIdentifier.quoted(storage.objectIDColumn)),
      t.\(SQLIdentifier.quoted(geometry.name)) FROM \(storage.quotedName) AS t
      \(storage.isCurrent("t").map { "WHERE \($0)" } ?? "")
      """
    let query = try statement(sql, [], storage)
    while try step(query, "the rows of \(storage.name)") {
      let box: Envelope?
      do {
        box = try unsafe query.withBlob(at: 2) { bytes throws(StoredShapeError) in
          try unsafe geometry.extent(of: bytes)
        }
      } catch {
        throw source.location.failure(error, inRow: query.integer(at: 1), of: storage.name)
      }
      guard let box else { continue }
      rows.append(
        key: query.integer(at: 0), objectID: query.integer(at: 1), box: box.widenedByRounding)
    }
    return rows
  }

  /// Reads the shapes in the order of the leaves.
  private borrowing func append(
    _ rows: SideIndexRows, of storage: TableStorage, _ geometry: GeometryColumn,
    to writer: inout SideIndexWriter
  ) throws {
    let query = try statement(
      """
      SELECT \(SQLIdentifier.quoted(geometry.name)) FROM \(storage.quotedName) WHERE rowid = ?
      """, [.integer(0)], storage)
    var entries: [SideIndexWriter.Entry] = []
    for number in rows.order {
      let row = Int(number)
      query.reset()
      try query.bind(rows.key(row), at: 1)
      // A place of the spatial index may be left over, which is met by nothing.
      var shape: [UInt8]? = []
      if try query.step() {
        shape = unsafe query.withBlob(at: 0) { bytes in
          unsafe bytes.count <= SideIndexShape.longest ? Array(bytes) : nil
        }
      }
      entries.append(
        SideIndexWriter.Entry(
          key: rows.key(row), objectID: rows.objectID(row), box: rows.box(row), shape: shape))
      guard entries.count == SideIndexLayout.fanOut else { continue }
      guard !Task.isCancelled else { throw FeatureStoreError.cancelled }
      try writer.append(entries)
      entries.removeAll(keepingCapacity: true)
    }
    if !entries.isEmpty { try writer.append(entries) }
  }
}

extension Envelope {
  /// The box with a margin for what is lost between whole numbers and coordinates.
  fileprivate var widenedByRounding: Envelope {
    Envelope(
      xMin: Double(Float(xMin).nextDown.nextDown), yMin: Double(Float(yMin).nextDown.nextDown),
      xMax: Double(Float(xMax).nextUp.nextUp), yMax: Double(Float(yMax).nextUp.nextUp))
  }
}
