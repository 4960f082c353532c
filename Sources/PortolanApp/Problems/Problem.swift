public import Foundation
internal import PortolanFiles

/// A failure, described for people and for programs.
///
/// It is a value like any other state: a shell words it, shows what can be done next in its own
/// way, and may send it elsewhere.
public struct Problem: Error, Hashable, Sendable, Codable {
  /// Kinds of problems, by what people can do about them.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Something failed.
    case failure
    /// The requested thing does not exist.
    case absence
    /// A sign-in is needed.
    case signIn
    /// There is no network, or no server answered over it.
    case network
    /// It was cancelled.
    case cancellation
  }

  /// The description of the failure, a sentence.
  public var message: String
  /// Why, if that adds something.
  public var reason: String?
  /// The advice in a sentence, if there is any.
  public var suggestion: String?
  /// The kind of the problem.
  public var kind: Kind
  /// The error code, which stays the same from version to version.
  public var code: ErrorCode
  /// The actions that are possible next, for a shell to word.
  public var actions: [NextAction]
  /// The file concerned, if one is.
  public var file: String?

  /// Creates a problem; its code is the general one of its kind unless it is given.
  public init(
    _ code: ErrorCode? = nil, message: String, suggestion: String? = nil, kind: Kind? = nil,
    actions: [NextAction] = []
  ) {
    self.message = message
    self.suggestion = suggestion
    self.code = code ?? kind?.code ?? .failed
    self.kind = kind ?? self.code.kind
    self.actions = actions
  }

  /// Puts an error into sentences.
  public init(_ error: any Error) {
    if let problem = error as? Problem {
      self = problem
      return
    }
    let localized = error as? any LocalizedError
    code = ErrorCode(of: error)
    kind = code.kind
    message =
      code == .interrupted
      ? "It was cancelled." : localized?.errorDescription ?? Self.description(of: error)
    reason = localized?.failureReason
    suggestion = localized?.recoverySuggestion
    actions = NextAction.actions(after: error)
    file = Self.file(of: error)
  }
}

extension Problem.Kind {
  /// The code of a problem of which no more than its kind is known.
  fileprivate var code: ErrorCode {
    switch self {
    case .failure: .failed
    case .absence: .notFound
    case .signIn: .signInNeeded
    case .network: .noNetwork
    case .cancellation: .interrupted
    }
  }
}

extension Problem {
  /// The description of an error without a text of its own.
  private static func description(of error: any Error) -> String {
    guard error is any CustomNSError else { return "An unexpected error occurred: \(error)." }
    let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
    return "\(path ?? "A file") cannot be used: \(error.plainReason)."
  }

  /// The file that an error names: the errors of all modules call it `file`.
  private static func file(of error: any Error) -> String? {
    let values = Mirror(reflecting: error).children.first.map { Mirror(reflecting: $0.value) }
    return values?.children.first { $0.label == "file" }?.value as? String
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }

  public var failureReason: String? { reason }

  public var recoverySuggestion: String? { suggestion }
}
