public import Foundation

/// Why a new geodatabase cannot be written.
public enum GeodatabaseWriterError: Error, Hashable, Sendable {
  /// The definition of a table cannot be turned into one.
  case invalidSchema(table: String, reason: String)
  /// There is no table of that name.
  case noSuchTable(name: String, available: [String])
  /// A row holds what its column cannot.
  case invalidValue(table: String, objectID: Int64, field: String, reason: String)
  /// The file, or the folder it belongs in, cannot be written.
  case notWritable(file: String, reason: String)
  /// There is no space left for the file.
  case diskFull(file: String)
}

extension GeodatabaseWriterError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .invalidSchema(let table, let reason):
      "The table \"\(table)\" cannot be made: \(reason)."
    case .noSuchTable(let name, _): "There is no table \"\(name)\" in the new geodatabase."
    case .invalidValue(let table, let objectID, let field, let reason):
      "Row \(objectID) of \"\(table)\" cannot be written, in \"\(field)\": \(reason)."
    case .notWritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .diskFull(let file): "The disk is full: \(file) cannot be written."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .invalidSchema: "Change the definition of the table."
    case .noSuchTable(_, let available): "It has: \(available.joined(separator: ", "))."
    case .invalidValue: "Change the value, or the type of the field."
    case .diskFull: "Free some space, and try again."
    case .notWritable: "Check that the folder exists, that you may write to it, and its space."
    }
  }
}
