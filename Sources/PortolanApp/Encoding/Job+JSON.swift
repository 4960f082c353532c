internal import PortolanFiles
public import PortolanJSON
public import PortolanJobs
public import PortolanOffline

extension Job {
  /// The job as JSON output holds it, with its pace where that is known.
  public func json(pace: JobListModel.Pace?) -> JSONValue {
    var members: JSONObject = [
      "id": .string(id.text), "kind": .string(kind), "subject": .string(subject),
      "title": .string(title), "state": .string(state.word), "waitingFor": state.waitingFor,
      "intent": .string(intent.rawValue), "created": JSONValue(orNull: created),
      "updated": JSONValue(orNull: updated), "attempts": JSONValue(orNull: attempts),
      "progress": progress.json, "pace": pace?.json ?? .null, "hostWait": hostWait?.json ?? .null,
      "worker": JSONValue(orNull: worker?.name), "actions": JSONValue(texts: actions),
      "failedItems": .array(failedItems.map(\.json)),
    ]
    members["sync"] = OfflineMapSyncResult(of: self)?.json
    switch state {
    case .waiting(.slot(let ahead)): members["ahead"] = JSONValue(orNull: ahead)
    case .waiting(.signIn(let host)): members["host"] = .string(host)
    case .waiting(.space(let missing)): members["missingBytes"] = JSONValue(orNull: missing)
    case .waiting(.editing(_, let holder)):
      members["holder"] = JSONValue(orNull: holder.map(FileLockHolder.asSeenHere))
    case .waiting(.retry(let date, let attempt)):
      members["retryAt"] = JSONValue(orNull: date)
      members["attempt"] = JSONValue(orNull: attempt)
    case .failed(let failure): members["failure"] = failure.json
    default: break
    }
    return .object(members)
  }

  /// The progress of the job, as a line that shells print of a download in progress.
  public func progressJSON(pace: JobListModel.Pace?) -> JSONValue {
    [
      "job": .string(id.text), "title": .string(title), "state": .string(state.word),
      "progress": progress.json, "pace": pace?.json ?? .null, "hostWait": hostWait?.json ?? .null,
    ]
  }

  /// The actions that are possible on the job now.
  private var actions: [String] {
    [
      (state.canPause, "pause"), (state.canResume, "resume"), (state.canCancel, "cancel"),
      (canRetryFailures, "retry"), (state.canSettleFailures, "accept"),
      (state.isFinal, "forget"),
    ].compactMap { $0 ? $1 : nil }
  }
}

extension [JobID: JobListModel.Pace] {
  /// Jobs as the documents of shells hold them, those that run with how fast they go.
  public func json(of jobs: [Job]) -> JSONValue { .array(jobs.map { $0.json(pace: self[$0.id]) }) }
}

extension JobListModel.Pace {
  fileprivate var json: JSONValue {
    [
      "bytesPerSecond": JSONValue(orNull: bytesPerSecond),
      "secondsLeft": JSONValue(orNull: secondsLeft),
    ]
  }
}

extension JobHostWait {
  /// The host that is waited for, as JSON output holds it.
  public var json: JSONValue {
    [
      "host": .string(host), "since": JSONValue(orNull: since), "until": JSONValue(orNull: until),
    ]
  }
}

extension JobLog {
  /// The log, as JSON output holds it.
  public var json: JSONValue {
    ["job": .string(job.text), "messages": .array(messages.map(\.json))]
  }
}

extension JobMessage {
  fileprivate var json: JSONValue {
    [
      "time": JSONValue(orNull: time), "severity": .string(severity.rawValue),
      "text": .string(text),
    ]
  }
}

extension JobState {
  /// The reason why a job waits, as one word.
  fileprivate var waitingFor: JSONValue {
    switch self {
    case .waiting(.slot): "slot"
    case .waiting(.network): "network"
    case .waiting(.signIn): "sign-in"
    case .waiting(.space): "space"
    case .waiting(.editing): "editing"
    case .waiting(.retry): "retry"
    default: .null
    }
  }
}

extension JobProgress {
  /// The progress of a job, as JSON output holds it.
  public var json: JSONValue {
    [
      "bytes": JSONValue(orNull: bytes), "totalBytes": JSONValue(orNull: totalBytes),
      "isTotalExact": .bool(isTotalExact), "items": JSONValue(orNull: items),
      "totalItems": JSONValue(orNull: totalItems), "fraction": JSONValue(orNull: fraction),
      "isVerified": .bool(isVerified),
    ]
  }
}

extension OfflineMapSyncResult {
  /// The result of a synchronization, as JSON output holds it.
  public var json: JSONValue {
    [
      "sent": JSONValue(orNull: sent), "sentAttachments": JSONValue(orNull: sentAttachments),
      "added": JSONValue(orNull: added),
      "updated": JSONValue(orNull: updated), "removed": JSONValue(orNull: removed),
      "receivedAttachments": JSONValue(orNull: receivedAttachments),
      "waiting": JSONValue(orNull: waiting), "withheld": JSONValue(orNull: withheld),
      "staying": JSONValue(orNull: staying),
      "isRegisteredAgain": .bool(isRegisteredAgain), "layers": .array(layers.map(\.json)),
    ]
  }
}

extension OfflineMapSyncResult.Layer {
  fileprivate var json: JSONValue {
    [
      "layer": .string(title ?? table), "table": .string(table), "sent": JSONValue(orNull: sent),
      "added": JSONValue(orNull: added),
      "updated": JSONValue(orNull: updated), "removed": JSONValue(orNull: removed),
      "rejected": JSONValue(orNull: rejected), "conflicts": JSONValue(orNull: conflicts),
      "withheld": JSONValue(orNull: withheld),
    ]
  }
}

extension JobFailedItem {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "address": JSONValue(orNull: address),
      "status": JSONValue(orNull: status), "attempts": JSONValue(orNull: attempts),
      "affects": JSONValue(texts: affects), "failure": failure.json,
    ]
  }
}

extension JobFailure {
  /// The failure of a job, as JSON output holds it.
  public var json: JSONValue {
    var members: JSONObject = [
      "message": .string(message), "suggestion": JSONValue(orNull: advice),
      "kind": .string(kind.rawValue),
    ]
    // The actions after other failures follow from the kind.
    if signInHost != nil { members["actions"] = .array(Problem(self).actions.map(\.json)) }
    return .object(members)
  }
}
