package import PortolanGeometry
package import PortolanSQLite

/// The types of the first shapes of a column, where its declaration does not give one.
package struct FirstShapes {
  /// The type of the first shape that can be read; `nil` if there is none.
  package let type: GeometryType?
  /// Whether there are shapes, and all are of a kind that is not supported.
  package let areForeign: Bool

  private static let mostLookedAt = 64

  /// The known facts about the shapes, without reading them.
  package init(type: GeometryType?, areForeign: Bool) {
    self.type = type
    self.areForeign = areForeign
  }

  /// Looks at some shapes.
  ///
  /// - Parameters:
  ///   - table: The table or view.
  ///   - column: Its column of shapes.
  ///   - connection: The file.
  ///   - readType: The type of a shape; `nil` for one without vertices.
  /// - Returns: What they are.
  /// - Throws: `DatabaseError` if the rows cannot be read.
  package static func read(
    of table: String, _ column: String, _ connection: borrowing Connection,
    _ readType: (UnsafeRawBufferPointer) throws(StoredShapeError) -> GeometryType?
  ) throws(DatabaseError) -> FirstShapes {
    let name = SQLIdentifier.quoted(column)
    let sql = """
      SELECT \(name) FROM \(SQLIdentifier.quoted(table)) WHERE length(\(name)) > 8
      LIMIT \(mostLookedAt)
      """
    let none = FirstShapes(type: nil, areForeign: false)
    // A view of what is not there says so when its rows are read.
    guard let query = try connection.optionalQuery(sql) else { return none }
    var (foreignCount, otherCount) = (0, 0)
    while try query.stepUnlessBroken() {
      do throws(StoredShapeError) {
        if let type = try unsafe query.withBlob(at: 0, readType) {
          return FirstShapes(type: type, areForeign: false)
        }
        otherCount += 1
      } catch {
        // What is damaged is reported when its row is read.
        if case .unsupported = error { foreignCount += 1 } else { otherCount += 1 }
      }
    }
    return FirstShapes(type: nil, areForeign: foreignCount > 0 && otherCount == 0)
  }
}
