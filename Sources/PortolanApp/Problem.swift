public import Foundation

/// What went wrong, in sentences for people.
public struct Problem: Error, Hashable, Sendable {
  /// What failed.
  public var message: String
  /// What to do next, if there is something to do.
  public var suggestion: String?

  /// Creates a problem.
  public init(message: String, suggestion: String? = nil) {
    self.message = message
    self.suggestion = suggestion
  }

  /// Puts an error into sentences.
  public init(_ error: any Error) {
    let localized = error as? any LocalizedError
    message = localized?.errorDescription ?? "Something went wrong: \(error)."
    suggestion = localized?.recoverySuggestion
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }

  public var recoverySuggestion: String? { suggestion }
}
