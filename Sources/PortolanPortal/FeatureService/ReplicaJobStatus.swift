public import Foundation
public import PortolanJSON

/// The progress of a server in making or synchronizing a replica.
///
/// Docs/REST.md, 3.
public struct ReplicaJobStatus: Hashable, Sendable {
  /// The word for the stage, for example `Completed` or `ExportingData`.
  public var status: String?
  /// The URL of the status, in the answer to the request that started the job.
  public var statusURL: URL?
  /// The URL of the result, once there is one.
  public var resultURL: URL?
  /// The name of the replica.
  public var replicaName: String?
  /// The id of the replica.
  public var replicaID: String?
  /// The type of the result, for example `esriReplicaResponseTypeData`.
  public var responseType: String?
  /// The generation up to which the replica has the service's changes.
  public var replicaServerGen: Int64?
  /// The generations of layers up to which the replica has the service's changes.
  public var layerServerGens: [Int: Int64]
  /// The date at which the job was started.
  public var submitted: Date?
  /// The date of the last progress.
  public var lastUpdated: Date?
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension ReplicaJobStatus {
  /// Reads the status; `nil` if it is none.
  ///
  /// - Parameters:
  ///   - json: What the service has answered.
  ///   - service: The service, whose addresses some servers write relative to its own.
  public init?(json: JSONValue, of service: URL? = nil) {
    guard let json = json.object,
      ["status", "statusUrl", "replicaID", "resultUrl", "responseUrl", "URL"]
        .contains(where: { json[$0] != nil })
    else { return nil }
    status = json.filledText("status")
    statusURL = json.url("statusUrl", below: service)
    resultURL =
      ["resultUrl", "responseUrl", "URL"].lazy
      .compactMap { json.url($0, below: service) }.first
    replicaName = json.filledText("replicaName")
    replicaID = json.filledText("replicaID")
    responseType = json.filledText("responseType")
    replicaServerGen = json.generation("replicaServerGen")
    let generations = json.objects("layerServerGens").compactMap { entry -> (Int, Int64)? in
      guard let id = entry.int("id"), let generation = entry.generation("serverGen") else {
        return nil
      }
      return (id, generation)
    }
    layerServerGens = Dictionary(generations, uniquingKeysWith: { $1 })
    submitted = json.date("submissionTime")
    lastUpdated = json.date("lastUpdatedTime")
    self.json = json
  }

  /// Whether the job has ended, one way or the other.
  public var isFinal: Bool {
    // One that has made its result and does not say how far it is does nothing any more.
    guard let status else { return resultURL != nil }
    return status.lowercased().hasPrefix("completed") || hasFailed
  }

  /// Whether the job says that there are no edits, so that it has no file.
  public var saysNoEdits: Bool { responseType?.lowercased().hasSuffix("noedits") ?? false }

  /// Whether the job has ended, but not all of it succeeded, as `CompletedWithErrors` says.
  public var hasErrors: Bool { isFinal && status.map { $0.lowercased() != "completed" } ?? false }

  /// Whether the job has failed or was cancelled.
  public var hasFailed: Bool {
    let word = (status ?? "").lowercased()
    return ["failed", "cancelled", "canceled", "timedout"].contains(where: word.hasPrefix)
  }
}

extension JSONObject {
  /// The generation of a member; some servers write numbers as texts.
  fileprivate func generation(_ name: String) -> Int64? {
    self[name]?.integer ?? int(name).map { Int64($0) }
  }
}
