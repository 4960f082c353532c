internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

/// The facts about a table that a model needs and the interface of its store does not give.
struct ModelledTable: Sendable {
  /// The object id that the next new row gets; `nil` if it is the one after the greatest.
  let nextObjectID: Int64?
  /// A shape as it is read after it was written; `nil` if it cannot be stored.
  let roundTrip: @Sendable (Geometry) -> Geometry?
}

extension EditableFileStore {
  /// Looks at a table in the file.
  func details(of table: String) async throws -> ModelledTable {
    try await read { reader throws(FeatureStoreError) in
      let layout: EditedTable
      do { layout = try EditedFile(reading: reader.source).writtenTable(table) } catch {
        throw .unreadable(file: table, reason: "\(error)")
      }
      return ModelledTable(nextObjectID: reader.nextObjectID(of: table)) { layout.roundTrip($0) }
    }
  }
}

extension EditedTable {
  /// A shape as it is read after it was written; `nil` if it cannot be stored.
  fileprivate func roundTrip(_ shape: Geometry) -> Geometry? {
    guard let column = storage.geometry, let shapes else { return nil }
    do {
      var bytes: [UInt8] = []
      _ = try shapes.write(shape, into: &bytes)
      return try bytes.withUnsafeBytes { try column.geometry(of: $0) }
    } catch {
      return nil
    }
  }
}

extension GeodatabaseReader {
  /// The object id that a geodatabase keeps for the next row of a table; `nil` where it keeps none.
  fileprivate borrowing func nextObjectID(of table: String) -> Int64? {
    do {
      let query = try connection.query(
        """
        SELECT max(g.base_id) FROM GDB_RowidGenerators AS g JOIN GDB_TableRegistry AS r
        ON g.registration_id = r.registration_id WHERE r.table_name = ? COLLATE NOCASE
        """, .text(table))
      return try query.step() ? query.integer(at: 0) : nil
    } catch {
      // A file without such lists keeps none.
      return nil
    }
  }
}
