public import Foundation

/// Why a feature store did not answer.
public enum FeatureStoreError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// There is no table of that name.
  case noSuchTable(name: String, available: [String])
  /// There is no field of that name.
  case noSuchField(name: String, table: String)
  /// The where clause cannot be understood; `offset` counts characters.
  case badWhereClause(reason: String, offset: Int)
  /// One row cannot be read, while others may be.
  case unreadableRow(UnreadableRow)
  /// The file, or a part of it, is not what it should be.
  case damaged(file: String, place: String, reason: String)
  /// The file cannot be opened or read.
  case unreadable(file: String, reason: String)
  /// Another process holds the file; `holder` says which, as in `process 4711 (python3)`.
  case busy(file: String, holder: String?)
  /// The file uses something that is not understood.
  case unsupported(file: String, feature: String)
  /// The source of the features did not answer.
  case unanswered(UnansweredQuery)
}

extension FeatureStoreError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "The query was cancelled."
    case .noSuchTable(let name, _): "There is no table \"\(name)\"."
    case .noSuchField(let name, let table): "The table \"\(table)\" has no field \"\(name)\"."
    case .badWhereClause(let reason, let offset):
      "The where clause is wrong at character \(offset + 1): \(reason)."
    case .unreadableRow(let row):
      row.isDamaged
        ? "\(row.file) is damaged, in \(row.place): \(row.reason)."
        : "In \(row.file), \(row.place) cannot be read: \(row.reason)."
    case .busy(let file, let holder):
      "\(file) is in use by \(holder ?? "another program"), which holds it locked."
    case .damaged(let file, let place, let reason): "\(file) is damaged, in \(place): \(reason)."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .unsupported(let file, let feature): "\(file) uses \(feature), which is not supported."
    case .unanswered(let query): query.reason
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled: nil
    case .noSuchTable(_, let available): "It has: \(available.joined(separator: ", "))."
    case .noSuchField: "Look at the fields of the table."
    case .badWhereClause: "Write a condition such as NAME = 'Portland' AND POPULATION > 1000."
    case .damaged: "Copy or download the file again."
    case .unreadableRow(let row):
      row.isDamaged
        ? "The other rows can be read; copy or download the file again for this one."
        : "The other rows can be read."
    case .busy: "Wait until it is done, or end that program, and try again."
    case .unreadable: "Check that the file exists and that you may read it."
    case .unsupported: nil
    case .unanswered(let query): query.suggestion
    }
  }
}
