internal import PortolanSQLite

/// A column as it is declared in a table and registered in `GDB_ColumnRegistry`.
package struct ColumnLayout: Hashable, Sendable {
  /// What the column is there for, as far as its declaration or registration differ.
  package enum Role: Hashable, Sendable {
    /// The key that SQLite itself numbers rows by, which is also the object id.
    case rowID
    /// The object id of a table that keeps its history, where it is not unique.
    case objectID
    /// The key that numbers the rows of a table that keeps its history.
    case archiveID
    /// A moment from or to which a row is valid; what new rows start with, in SQL.
    case archiveDate(initially: String)
    /// A GUID that identifies the row everywhere.
    case globalID
    case attribute
  }

  package var name: String
  package var type: ColumnType
  package var isNullable = true
  package var role = Role.attribute

  /// The declaration in `CREATE TABLE`.
  package var declaration: String {
    let name = SQLIdentifier.quoted(name)
    switch role {
    case .rowID, .archiveID: return "\(name) integer primary key not null"
    case .archiveDate(let initially):
      return "\(name) \(typeAndCheck) not null default (\(initially))"
    default: return "\(name) \(typeAndCheck)\(isNullable ? "" : " not null")"
    }
  }

  /// The number in `GDB_ColumnRegistry.object_flags`, as seen in real files.
  package var registryFlags: Int64 {
    switch (role, type) {
    case (.rowID, _), (.objectID, _): 3
    case (.archiveID, _), (.archiveDate, _): 536_870_912
    case (.globalID, _): 256
    case (_, .geometry): 32_768 + (isNullable ? 4 : 0)
    case (_, .xml): 128 + (isNullable ? 4 : 0)
    default: isNullable ? 4 : 0
    }
  }

  /// The text in `GDB_ColumnRegistry.description`.
  package var registryDescription: String? {
    switch role {
    case .archiveID: "Archiving record unique id."
    case .archiveDate(let initially):
      initially.contains("julianday") ? "Archiving to date." : "Archiving from date."
    default: nil
    }
  }

  /// The declared type, with the check that holds values to its storage class.
  private var typeAndCheck: String {
    let name = SQLIdentifier.quoted(name)
    let kind = "typeof(\(name)) = '\(type.storageClass)'"
    let bound = type.bound(on: name).map { " and \($0)" } ?? ""
    let check = isNullable ? "(\(kind)\(bound)) or typeof(\(name)) = 'null'" : kind + bound
    return "\(type.declaredName) check(\(check))"
  }
}

extension ColumnType {
  /// The storage class that SQLite's `typeof` names.
  fileprivate var storageClass: String {
    switch self {
    case .int16, .int32, .int64: "integer"
    case .float32, .float64, .realDate: "real"
    case .text, .longText, .guid, .xml: "text"
    case .blob, .geometry: "blob"
    }
  }

  /// The condition that values of the storage class must meet as well.
  fileprivate func bound(on name: String) -> String? {
    switch self {
    case .int16, .int32:
      integerRange.map { "\(name) >= \($0.lowerBound) and \(name) <= \($0.upperBound)" }
    case .text(let length): "not length(\(name)) > \(length)"
    case .longText: "not length(\(name)) > \(Self.greatestTextLength)"
    case .realDate: "\(name) >= 0.0"
    case .guid: "length(\(name)) = 38"
    case .blob(let length): length.map { "not length(\(name)) > \($0)" }
    case .geometry:
      "length(\(name)) >= 18 and cast(hex(substr(\(name),1,1)) as integer) = 64"
    case .int64, .float32, .float64, .xml: nil
    }
  }
}
