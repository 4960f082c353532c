internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

extension MapListItem {
  /// The row as a page reads it, with its download.
  func pageJSON(transfer: JSONValue?) -> JSONValue {
    [
      "id": .string(id), "kind": .string(kind.rawValue), "webMap": JSONValue(webMap),
      "title": .string(title), "summary": JSONValue(summary), "modified": JSONValue(modified),
      "byteCount": JSONValue(byteCount), "state": .string(state.name),
      "omissions": .array((copy?.omissions ?? []).map { .string($0) }),
      "installed": JSONValue(copy?.installed), "failure": JSONValue(failure?.message),
      "isOpen": .bool(copy?.isOpen ?? false), "hasUpdate": .bool(copy?.hasUpdate ?? false),
      "transfer": transfer ?? .null, "actions": .array(actions.map { .string($0) }),
      "thumbnail": .string("/api/thumbnails/\(id.pathComponent)"),
    ]
  }

  private var failure: JobFailure? {
    switch state {
    case .failed(_, let failure): failure
    case .packagingFailed:
      JobFailure(message: "The portal could not package this area.", kind: .refused)
    case .online, .available, .packaging, .transferring, .stored: nil
    }
  }

  /// What may be done with the row now.
  private var actions: [String] {
    [
      (canOpen, "open"), (canDownload && copy == nil, "download"),
      (canDownload && copy != nil && kind != .webMap, "update"), (canDelete, "delete"),
      (canPause, "pause"), (canResume, "resume"), (canCancel, "cancel"),
      (canSettleFailures, "retry"),
    ].compactMap { $0 ? $1 : nil }
  }
}

extension MapListItem.State {
  fileprivate var name: String {
    switch self {
    case .online: "online"
    case .available: "available"
    case .packaging: "packaging"
    case .packagingFailed: "packagingFailed"
    case .transferring: "transferring"
    case .failed: "failed"
    case .stored: "stored"
    }
  }
}

extension Job {
  /// The job as a page reads it.
  func pageJSON(pace: JobPace) -> JSONValue {
    let isRunning = state == .running
    return [
      "job": .string(id.text), "title": .string(title), "state": .string(state.word),
      "text": .string(state.sentence), "fraction": JSONValue(progress.fraction),
      "bytes": JSONValue(progress.bytes), "totalBytes": JSONValue(progress.totalBytes),
      "rate": JSONValue(isRunning ? pace.bytesPerSecond : nil),
      "secondsLeft": JSONValue(isRunning ? pace.remainingSeconds : nil),
      "actions": .array(actions.map { .string($0) }), "created": JSONValue(created),
    ]
  }

  private var actions: [String] {
    [
      (state.canPause, "pause"), (state.canResume, "resume"), (state.canCancel, "cancel"),
      (state.canSettleFailures, "retry"), (state.canSettleFailures, "accept"),
      (state.isFinal, "forget"),
    ].compactMap { $0 ? $1 : nil }
  }
}

extension JobState {
  fileprivate var sentence: String {
    switch self {
    case .waiting(.slot(let ahead)):
      ahead == 0 ? "Waiting for its turn" : "Waiting for \(ahead) other\(ahead == 1 ? "" : "s")"
    case .waiting(.network): "Waiting for a network"
    case .waiting(.signIn(let host)): "Waiting for a sign-in to \(host)"
    case .waiting(.space(let missing)):
      "Waiting for \(missing.formatted(.byteCount(style: .file))) more of free space"
    case .waiting(.retry(_, let attempt)): "Waiting to try again, attempt \(attempt)"
    case .running: "Downloading"
    case .paused: "Paused"
    case .cancelling: "Cancelling"
    case .cancelled: "Cancelled"
    case .succeeded: "Done"
    case .succeededInPart: "Done in part"
    case .failed(let failure): failure.message
    }
  }
}
