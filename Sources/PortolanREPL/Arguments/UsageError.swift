public import Foundation

/// A command line that cannot be understood.
public struct UsageError: Error, Hashable, Sendable {
  /// One sentence naming the word and what it must be.
  public let message: String

  /// The correct usage.
  public let suggestion: String?

  /// Creates an error.
  public init(_ message: String, suggestion: String? = nil) {
    self.message = message
    self.suggestion = suggestion
  }
}

extension UsageError {
  /// The error with how the command is typed, if nothing better is suggested.
  func explained(by command: CommandDeclaration) -> UsageError {
    suggestion == nil ? UsageError(message, suggestion: command.usageAdvice) : self
  }
}

extension UsageError: LocalizedError {
  public var errorDescription: String? { message }

  public var recoverySuggestion: String? { suggestion }
}
