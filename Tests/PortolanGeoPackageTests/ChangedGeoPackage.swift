import Foundation
import PortolanFeatureContracts
import PortolanSQLite
import PortolanTestSupport

@testable import PortolanGeoPackage

/// A suite on a file of the tables of the editing contract, as it is or changed by another program.
///
/// It needs the trait of temporary directories.
protocol ChangedGeoPackage {}

extension ChangedGeoPackage {
  /// The file.
  var url: URL { temporaryDirectory.appending(path: "file.gpkg") }

  /// The first number that a query answers with; none if it has no row.
  func number(_ sql: String) throws -> Double {
    let query = try Connection(at: url, access: .readOnly).query(sql)
    return try query.step() ? query.real(at: 0) : .nan
  }

  /// Makes the file, and opens it for edits.
  func store() throws -> EditableGeoPackage {
    try ContractGeoPackage.write(EditingTables.all, to: url)
    return try ContractGeoPackage.edited(url)
  }

  /// Makes the file, and changes it.
  func write(changedBy statements: String...) throws {
    try ContractGeoPackage.write(EditingTables.all, to: url)
    let connection = try Connection(at: url, access: .edit)
    for sql in statements { try connection.execute(sql) }
  }
}
