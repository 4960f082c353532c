internal import Foundation
internal import PortolanApp
internal import PortolanFiles
public import PortolanJSON

/// Why a command did not do what it was asked, in words for people and for scripts.
public struct Failure: Error, Hashable, Sendable {
  /// A word for scripts that stays the same from version to version, such as `no-such-table`.
  public var code: String
  /// What failed, in a sentence.
  public var message: String
  /// Why, if that adds something.
  public var reason: String?
  /// What to do about it.
  public var suggestion: String?
  /// The file concerned, if one is.
  public var file: String?
  /// The line of the script, counted from 1, if one was running.
  public var line: Int?
  /// How the process ends.
  public var status: ExitCode

  /// Creates a failure.
  public init(
    _ code: String, _ message: String, reason: String? = nil, suggestion: String? = nil,
    file: String? = nil, status: ExitCode = .failed
  ) {
    self.code = code
    self.message = message
    self.reason = reason
    self.suggestion = suggestion
    self.file = file
    self.status = status
  }

  /// The failure that an error means.
  ///
  /// The code is the name of the error's case; a case whose name begins with `noSuch` is one of
  /// absence. Errors that are no enum get the code `failed`.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case is CancellationError: self = .interrupted
    case let error as UsageError:
      self.init("usage", error.message, suggestion: error.suggestion, status: .wrongUsage)
    case let problem as Problem: self.init(problem)
    default: self.init(describing: error)
    }
  }

  private init(_ problem: Problem) {
    let (code, status): (String, ExitCode) =
      switch problem.kind {
      case .failure: ("failed", .failed)
      case .absence: ("not-found", .notFound)
      case .signIn: ("sign-in-needed", .needsSignIn)
      case .network: ("no-network", .noNetwork)
      case .cancellation: (Self.interrupted.code, Self.interrupted.status)
      }
    self.init(code, problem.message, suggestion: problem.suggestion, status: status)
  }

  private init(describing error: any Error) {
    let caseOf = ErrorCase(error)
    guard caseOf?.name != "cancelled" else {
      self = .interrupted
      return
    }
    let localized = error as? any LocalizedError
    self.init(
      caseOf?.code ?? "failed", localized?.errorDescription ?? Self.description(of: error),
      reason: localized?.failureReason, suggestion: localized?.recoverySuggestion,
      file: caseOf?.file,
      status: caseOf?.name.hasPrefix("noSuch") == true ? .notFound : .failed)
  }

  /// What an error without a text of its own says.
  private static func description(of error: any Error) -> String {
    guard error is any CustomNSError else { return "Something unexpected happened: \(error)." }
    let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
    return "\(path ?? "A file") cannot be used: \(error.plainReason)."
  }

  /// The person stopped it.
  public static let interrupted = Failure(
    "interrupted", "Interrupted.", status: .interrupted)

  /// A result could not be written to standard output.
  static func outputFailed(reason: String) -> Failure {
    Failure(
      "output-failed", "The result could not be written to standard output.",
      reason: reason.hasSuffix(".") ? reason : reason + ".",
      suggestion: "Free space on the disk, or send the output elsewhere.")
  }

  /// Whether it is that results cannot be written, so that further ones could not be seen either.
  var isOutputFailure: Bool { code == "output-failed" }

  /// The document that takes the result's place with `--json`.
  public var json: JSONValue { ["error": .object(members)] }

  /// What stands under `error` in the document.
  var members: JSONObject {
    var members: JSONObject = ["code": .string(code), "message": .string(message)]
    members["reason"] = reason.map(JSONValue.string)
    members["suggestion"] = suggestion.map(JSONValue.string) ?? .null
    members["file"] = file.map(JSONValue.string)
    members["line"] = line.map { .integer(Int64($0)) }
    return members
  }
}

/// The case of an error enum, with the file that it names.
private struct ErrorCase {
  /// The case as it is spelled in code.
  let name: String
  /// The associated value called `file`, if there is one.
  let file: String?

  init?(_ error: any Error) {
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return nil }
    name = mirror.children.first?.label ?? "\(error)"
    let values = mirror.children.first.map { Mirror(reflecting: $0.value).children }
    file = values?.first { $0.label == "file" }?.value as? String
  }

  /// The name in lower case with dashes: `noSuchTable` becomes `no-such-table`.
  var code: String {
    name.reduce(into: "") { code, character in
      if character.isUppercase, code.last?.isLowercase == true { code += "-" }
      code += character.lowercased()
    }
  }
}
