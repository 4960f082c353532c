internal import Foundation
public import PortolanApp
public import PortolanJSON

/// The failure of a command, in words for people and for scripts.
public struct Failure: Error, Hashable, Sendable {
  /// A word for scripts that stays the same from version to version, such as `no-such-table`.
  public var code: ErrorCode
  /// The description, a sentence.
  public var message: String
  /// Why, if that adds something.
  public var reason: String?
  /// The advice.
  public var suggestion: String?
  /// The actions that are possible next, for programs.
  public var actions: [NextAction] = []
  /// The file concerned, if one is.
  public var file: String?
  /// The line of the script, counted from 1, if one was running.
  public var line: Int?
  /// The exit code of the process.
  public var status: ExitCode

  /// Creates a failure; it ends the process as its code says unless `status` does.
  public init(
    _ code: ErrorCode, _ message: String, reason: String? = nil, suggestion: String? = nil,
    file: String? = nil, status: ExitCode? = nil
  ) {
    self.code = code
    self.message = message
    self.reason = reason
    self.suggestion = suggestion
    self.file = file
    self.status = status ?? ExitCode(code, code.kind)
  }

  /// The failure that an error means.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError:
      self.init(.usage, error.message, suggestion: error.suggestion, status: .wrongUsage)
    default: self.init(Problem(error))
    }
  }

  private init(_ problem: Problem) {
    guard problem.kind != .cancellation else {
      self = .interrupted
      return
    }
    self.init(
      problem.code, problem.message, reason: problem.reason, suggestion: problem.commandAdvice,
      file: problem.file, status: ExitCode(problem.code, problem.kind))
    actions = problem.actions
  }

  /// The user stopped it.
  public static let interrupted = Failure(
    .interrupted, "Interrupted.", status: .interrupted)

  /// A result could not be written to standard output.
  static func outputFailed(reason: String) -> Failure {
    Failure(
      .outputFailed, "The result could not be written to standard output.",
      reason: reason.hasSuffix(".") ? reason : reason + ".",
      suggestion: "Free space on the disk, or send the output elsewhere.")
  }

  /// The failure, saying that the command has done its work all the same.
  var afterWork: Failure {
    guard isOutputFailure else { return self }
    var failure = self
    failure.reason = [reason, "What the command was to do is done; only its result is not shown."]
      .compactMap(\.self).joined(separator: " ")
    return failure
  }

  /// Whether it is that results cannot be written, so that further ones could not be seen either.
  var isOutputFailure: Bool { code == .outputFailed }

  /// The document that takes the result's place with `--json`.
  public var json: JSONValue { ["error": .object(members)] }

  /// The contents of `error` in the document.
  var members: JSONObject {
    var members: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
    members["reason"] = reason.map(JSONValue.string)
    members["suggestion"] = suggestion.map(JSONValue.string) ?? .null
    if !actions.isEmpty { members["actions"] = .array(actions.map(\.json)) }
    members["file"] = file.map(JSONValue.string)
    members["line"] = line.map { .integer(Int64($0)) }
    return members
  }
}

extension ExitCode {
  /// The codes of mistakes in the line itself.
  ///
  /// A condition is not among them: the map itself has some.
  private static let mistakes: Set<ErrorCode> = [
    .usage, .unknownTarget, .sameFile, .severalLayers, .badScales, .attachmentOptions,
    .areaEmpty, .areaCrossesDateline, .wrongTarget,
  ]

  fileprivate init(_ code: ErrorCode, _ kind: Problem.Kind) {
    self =
      switch kind {
      case .failure where Self.mistakes.contains(code): .wrongUsage
      case .failure: .failed
      case .absence: .notFound
      case .signIn: .needsSignIn
      case .network: .noNetwork
      case .cancellation: .interrupted
      }
  }
}
