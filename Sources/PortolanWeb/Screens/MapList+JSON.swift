internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

extension MapListItem {
  /// The row as a page reads it, with its download and the address of its picture.
  func pageJSON(transfer: JSONValue?) -> JSONValue {
    var members = json
    members["transfer"] = transfer ?? .null
    members["thumbnail"] = .string("/api/thumbnails/\(id.pathComponent)")
    return .object(members)
  }
}

extension PackageModel.Contents {
  /// What a stored map holds, as a page reads it.
  var pageJSON: JSONValue {
    [
      "summary": JSONValue(summary), "version": .string(version),
      "maps": .array(
        maps.map { map in
          [
            "title": .string(map.title), "layers": JSONValue(map.layerCount),
            "bookmarks": JSONValue(map.bookmarkCount), "problem": map.problem?.json ?? .null,
          ]
        }), "warnings": .array(warnings.map { .string($0) }),
    ]
  }
}

extension Job {
  /// The job as a page reads it, with its pace and a sentence on it.
  func pageJSON(pace: JobPace) -> JSONValue {
    var members = json.object ?? [:]
    let isRunning = state == .running
    members["text"] = .string(isSynchronization && isRunning ? "Synchronizing" : state.sentence)
    members["rate"] = JSONValue(isRunning ? pace.bytesPerSecond : nil)
    members["secondsLeft"] = JSONValue(isRunning ? pace.remainingSeconds : nil)
    return .object(members)
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
      "Waiting for \(ByteCount.text(missing)) more of free space"
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
