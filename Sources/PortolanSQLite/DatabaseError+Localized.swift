public import Foundation

extension DatabaseError: LocalizedError {
  public var errorDescription: String? {
    let name = file ?? "The database in memory"
    return switch code {
    case .busy: "\(name) is in use by \(holder.map { "\($0)" } ?? "another program")."
    case .cannotOpen: "\(name) cannot be opened."
    case .corrupt: "\(name) is damaged: \(message)."
    case .full: "There is no space left to write \(name)."
    case .interrupted: "Reading \(name) was cancelled."
    case .notADatabase: "\(name) is not a database, or is encrypted."
    case .readOnly: "\(name) may not be changed."
    case .tooLarge: "\(name) holds a value that is too large to read."
    default: "\(name): \(message)."
    }
  }

  public var failureReason: String? { "\(self)" }

  public var recoverySuggestion: String? {
    switch code {
    case .busy: "Close the program that uses it, or try again."
    case .cannotOpen: "Check that the file exists and that you may read it."
    case .corrupt, .notADatabase, .tooLarge: "Copy or download the file again."
    case .full: "Free some space on the disk and try again."
    default: nil
    }
  }
}
