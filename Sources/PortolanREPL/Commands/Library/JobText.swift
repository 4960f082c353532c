internal import Foundation
internal import PortolanJSON
internal import PortolanJobs

/// Where jobs stand, as people and as programs read it.
enum JobText {
  /// Where a job stands, and what it waits for.
  static func sentence(_ job: Job) -> String {
    switch job.state {
    case .waiting(.retry(let date, let attempt)):
      let pause = max(date.timeIntervalSince(job.updated), 0)
      return "trying again in \(TransferText.time(pause)), attempt \(attempt)"
    case .failed(let failure): return "failed: \(failure.message)"
    default: return phrase(job.state)
    }
  }

  /// Where a job stands, in a few words.
  static func phrase(_ state: JobState) -> String {
    switch state {
    case .waiting(.slot(let ahead)):
      switch ahead {
      case 0: "waiting for its turn"
      case 1: "waiting for another one"
      default: "waiting for \(ahead) others"
      }
    case .waiting(.network): "waiting for a network"
    case .waiting(.signIn(let host)): "waiting for a sign-in to \(host)"
    case .waiting(.space(let missing)):
      missing > 0
        ? "waiting for \(ByteCount.text(missing)) more of free space" : "waiting for free space"
    case .waiting(.retry(_, let attempt)): "waiting to try again, attempt \(attempt)"
    case .running, .paused, .cancelling, .cancelled, .succeeded, .succeededInPart, .failed:
      state.word
    }
  }

  /// What a job waits for, as one word.
  private static func wait(_ state: JobState) -> JSONValue {
    switch state {
    case .waiting(.slot): "slot"
    case .waiting(.network): "network"
    case .waiting(.signIn): "sign-in"
    case .waiting(.space): "space"
    case .waiting(.retry): "retry"
    default: .null
    }
  }

  /// A job for programs.
  static func json(_ job: Job) -> JSONValue {
    var members: JSONObject = [
      "id": .string(job.id.text), "kind": .string(job.kind), "subject": .string(job.subject),
      "title": .string(job.title), "state": .string(job.state.word),
      "waitingFor": wait(job.state), "intent": .string(job.intent.rawValue),
      "created": .string(job.created.formatted(.iso8601)),
      "updated": .string(job.updated.formatted(.iso8601)),
      "attempts": .integer(Int64(job.attempts)),
      "progress": TransferText.json(job.progress),
      "failedItems": .array(job.failedItems.map(value)),
    ]
    switch job.state {
    case .waiting(.slot(let ahead)): members["ahead"] = .integer(Int64(ahead))
    case .waiting(.signIn(let host)): members["host"] = .string(host)
    case .waiting(.space(let missing)): members["missingBytes"] = .integer(Int64(missing))
    case .waiting(.retry(let date, _)): members["retryAt"] = .string(date.formatted(.iso8601))
    case .failed(let failure): members["failure"] = value(failure)
    default: break
    }
    return .object(members)
  }

  /// How far a job is, as a line for programs.
  static func progressJSON(_ job: Job) -> JSONValue {
    [
      "job": .string(job.id.text), "title": .string(job.title), "state": .string(job.state.word),
      "progress": TransferText.json(job.progress),
    ]
  }

  private static func value(_ item: JobFailedItem) -> JSONValue {
    [
      "name": .string(item.name), "address": item.address.map(JSONValue.string) ?? .null,
      "status": item.status.map { .integer(Int64($0)) } ?? .null,
      "attempts": .integer(Int64(item.attempts)),
      "affects": .array(item.affects.map(JSONValue.string)), "failure": value(item.failure),
    ]
  }

  private static func value(_ failure: JobFailure) -> JSONValue {
    [
      "message": .string(failure.message),
      "suggestion": failure.advice.map(JSONValue.string) ?? .null,
      "kind": .string(failure.kind.rawValue),
    ]
  }

  /// What a job could not bring, a line each.
  static func failures(of job: Job) -> [TextDocument.Block] {
    job.failedItems.map { item in
      let status = item.status.map { " (HTTP \($0))" } ?? ""
      let tries = item.attempts > 1 ? ", tried \(item.attempts) times" : ""
      return .paragraph("\(item.name)\(status)\(tries): \(item.failure.message)", indent: 4)
    }
  }
}
