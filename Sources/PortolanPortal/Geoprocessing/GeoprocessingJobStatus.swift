public import Foundation
public import PortolanJSON

/// The progress of a server's job.
///
/// Docs/REST.md, 4.
public struct GeoprocessingJobStatus: Hashable, Sendable {
  /// The stages of a job.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    case submitted, waiting, executing, succeeded, failed, timedOut, cancelling, cancelled

    /// Whether nothing more will happen.
    public var isFinal: Bool {
      switch self {
      case .succeeded, .failed, .timedOut, .cancelled: true
      case .submitted, .waiting, .executing, .cancelling: false
      }
    }
  }

  /// A message of the server about the job.
  public struct Message: Hashable, Sendable {
    /// The severity of a message.
    public enum Severity: Hashable, Sendable {
      case information, warning, error
    }

    /// The severity of the message.
    public var severity: Severity
    /// The text of the message.
    public var text: String
  }

  /// The id of the job at its server.
  public var id: String
  /// The stage that the job has reached.
  public var stage: Stage
  /// The messages of the server, in order.
  public var messages: [Message]
  /// The addresses of the results by their names, relative to the job.
  public var resultPaths: [String: String]
  /// The addresses of files, which hosted services return in place of results.
  public var outputURLs: [URL]
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension GeoprocessingJobStatus {
  /// Reads the status; `nil` if it is none.
  public init?(json: JSONValue) {
    guard let json = json.object,
      let word = json.filledText("jobStatus") ?? json.filledText("status")
    else { return nil }
    id = json.text("jobId") ?? ""
    stage = Stage(word: word)
    messages = (json["messages"] ?? json["message"])?.array?.compactMap(Message.init(json:)) ?? []
    let results = json.object("results")?.members ?? []
    let paths = results.compactMap { member in
      member.value["paramUrl"]?.string.map { (member.name, $0) }
    }
    resultPaths = Dictionary(paths, uniquingKeysWith: { $1 })
    outputURLs = Self.urls(json.object("output")?["outputUrl"])
    self.json = json
  }

  private static func urls(_ value: JSONValue?) -> [URL] {
    (value?.array ?? [value].compactMap { $0 }).compactMap { $0.string.flatMap(URL.init(service:)) }
  }

  /// The reason why the job failed, in the words of the server; `nil` if it did not.
  public var failure: ErrorEnvelope? {
    guard stage == .failed || stage == .timedOut else { return nil }
    let errors = messages.filter { $0.severity == .error }
    let texts = (errors.isEmpty ? messages : errors).map(\.text)
    let code = json.int("statusCode") ?? json.int("code")
    return ErrorEnvelope(
      code: code, message: texts.first ?? "the job failed", details: Array(texts.dropFirst()))
  }
}

extension GeoprocessingJobStatus.Stage {
  /// Some services leave the prefix away; what is not known is still under way.
  fileprivate init(word: String) {
    let word = word.lowercased()
    let plain = word.hasPrefix("esrijob") ? String(word.dropFirst(7)) : word
    self =
      switch plain {
      case "submitted", "new": .submitted
      case "waiting", "pending": .waiting
      case "succeeded", "completed": .succeeded
      case "failed", "error", "deleted": .failed
      case "timedout": .timedOut
      case "cancelling", "canceling", "deleting": .cancelling
      case "cancelled", "canceled": .cancelled
      default: .executing
      }
  }
}

extension GeoprocessingJobStatus.Message {
  fileprivate init?(json: JSONValue) {
    guard let text = json["description"]?.string ?? json.string else { return nil }
    let type = json["type"]?.string?.lowercased() ?? ""
    severity =
      type.hasSuffix("error") || type.hasSuffix("abort")
      ? .error : type.hasSuffix("warning") ? .warning : .information
    self.text = ErrorEnvelope(code: nil, message: text).message
  }
}
