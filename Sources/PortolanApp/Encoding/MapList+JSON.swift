internal import Foundation
public import PortolanJSON
internal import PortolanJobs

extension MapListItem {
  /// The row as JSON output holds it.
  public var json: JSONObject {
    var members: JSONObject = [
      "id": .string(id), "kind": .string(kind.rawValue), "webMap": JSONValue(orNull: webMap),
      "portal": JSONValue(orNull: portal?.absoluteString), "title": .string(title),
      "summary": JSONValue(orNull: summary),
      "modified": JSONValue(orNull: modified), "bytes": JSONValue(orNull: byteCount),
      "state": .string(state.word), "canOpen": .bool(canOpen),
      "canOpenOffline": .bool(canOpenOffline), "canDownload": .bool(canDownload),
      "canDelete": .bool(canDelete), "actions": JSONValue(texts: actions),
    ]
    if let copy {
      members["installed"] = JSONValue(orNull: copy.installed)
      members["omissions"] = JSONValue(texts: copy.omissions)
      members["hasUpdate"] = .bool(copy.hasUpdate)
      members["isImported"] = .bool(copy.isImported)
      members["isOpen"] = .bool(copy.isOpen)
      members["unsentEdits"] = JSONValue(orNull: copy.unsentEdits)
      if let damage = copy.damage { members["damage"] = .string(damage) }
      members.add(copy.contents, isExpired: copy.isExpired)
    }
    if case .failed(_, let failure) = state { members["failure"] = failure.json }
    if let transfer {
      members["job"] = [
        "id": .string(transfer.job.text), "state": .string(transfer.state.word),
        "progress": transfer.progress.json, "worker": JSONValue(orNull: transfer.worker?.name),
      ]
    }
    return members
  }

  /// The actions that are possible on the row now.
  private var actions: [String] {
    [
      (canOpen, "open"), (canDownload && copy == nil, "download"),
      (canDownload && copy != nil && kind != .webMap, "update"), (canDelete, "delete"),
      (canPause, "pause"), (canResume, "resume"), (canCancel, "cancel"),
      (canRetryFailures, "retry"),
    ].compactMap { $0 ? $1 : nil }
  }
}

extension JSONObject {
  /// Adds what the package of a stored map holds and says, if it was read.
  fileprivate mutating func add(_ contents: StoredContents?, isExpired: Bool) {
    guard let contents else { return }
    self["mapCount"] = JSONValue(orNull: contents.mapCount)
    self["expires"] = JSONValue(orNull: contents.expiration?.date)
    self["isExpired"] = .bool(isExpired)
    if let expiration = contents.expiration {
      self["expirationMessage"] = JSONValue(orNull: expiration.message)
      self["preventsAccess"] = .bool(expiration.preventsAccess)
    }
    self["contentsProblem"] = contents.problem?.json
  }
}

extension MapListItem.State {
  /// The state in a word.
  public var word: String {
    switch self {
    case .online: "online"
    case .available: "available"
    case .packaging: "packaging"
    case .packagingFailed: "packaging-failed"
    case .transferring: "downloading"
    case .failed: "failed"
    case .stored: "stored"
    }
  }
}

extension MapDeletion {
  /// The deletion, as JSON output holds it.
  public var json: JSONValue {
    [
      "deleted": .string(id), "title": .string(title), "bytes": JSONValue(orNull: byteCount),
      "unsentEdits": JSONValue(orNull: unsentEdits),
    ]
  }
}

extension RestoredMap {
  /// The restoration, as JSON output holds it.
  public var json: JSONValue {
    let key =
      switch origin {
      case .trash, .kept: "restored"
      case .update, .rollback: "rolledBack"
      }
    return [key: .string(id), "title": .string(title)]
  }
}

extension MapExport {
  /// The export, as JSON output holds it.
  public var json: JSONValue {
    [
      "exported": .string(id), "title": .string(title), "file": .string(file),
      "bytes": JSONValue(orNull: byteCount), "damage": JSONValue(orNull: damage),
      "unsentEdits": JSONValue(orNull: unsentEdits),
    ]
  }
}

extension UnpackedPackage {
  /// The unpacked package, as JSON output holds it.
  public var json: JSONValue {
    [
      "title": .string(title), "folder": .string(folder), "files": JSONValue(orNull: fileCount),
      "bytes": JSONValue(orNull: byteCount),
    ]
  }
}
