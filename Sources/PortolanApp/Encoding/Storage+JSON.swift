public import PortolanJSON

extension StorageUsage {
  /// The usage of space, as JSON output holds it.
  public var json: JSONValue {
    [
      "maps": .array(maps.filter { $0.deleted == nil }.map(\.json)),
      "deleted": .array(maps.filter { $0.deleted != nil }.map(\.json)),
      "earlierVersions": .array(earlierVersions.map(\.json)), "kept": kept.json,
      "downloads": downloads.json, "imports": imports.json, "temporary": temporary.json,
      "total": total.json,
      "freeBytes": JSONValue(orNull: freeByteCount), "messages": .array(messages.map(\.json)),
    ]
  }
}

extension StorageUsage.Message {
  fileprivate var json: JSONValue {
    [
      "purpose": .string(purpose), "host": .string(host), "created": JSONValue(orNull: created),
      "givenUp": JSONValue(orNull: givenUp), "silences": JSONValue(orNull: silences),
    ]
  }
}

extension StorageUsage.Size {
  fileprivate var json: JSONValue {
    [
      "bytes": JSONValue(orNull: byteCount),
      "allocatedBytes": JSONValue(orNull: allocatedByteCount),
    ]
  }
}

extension StorageUsage.Map {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "bytes": JSONValue(orNull: size.byteCount),
      "allocatedBytes": JSONValue(orNull: size.allocatedByteCount),
      "reclaimableBytes": JSONValue(orNull: reclaimableByteCount),
      "deleted": JSONValue(orNull: deleted),
      "unsentEdits": JSONValue(orNull: unsentEdits),
    ]
  }
}

extension StorageModel.Finding {
  /// The finding, as JSON output holds it.
  public var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "sentence": .string(sentence),
      "repair": JSONValue(orNull: repair), "advice": JSONValue(orNull: advice),
    ]
  }
}

extension StorageModel.Progress {
  /// The progress of an audit, as JSON output holds it.
  public var json: JSONValue {
    [
      "title": .string(title), "bytes": JSONValue(orNull: byteCount),
      "totalBytes": JSONValue(orNull: totalByteCount),
    ]
  }
}

extension StorageModel.Repair {
  /// The result of a repair, as JSON output holds it.
  public var json: JSONValue {
    [
      "findings": .array(findings.map(\.json)), "failures": .array(failures.map(\.json)),
      "left": .array(left.map(\.json)),
    ]
  }
}

extension StorageModel.Failure {
  fileprivate var json: JSONValue {
    [
      "kind": .string(finding.kind.rawValue), "sentence": .string(finding.sentence),
      "reason": .string(reason),
    ]
  }
}

extension StorageModel.Removal {
  /// The deletion, as JSON output holds it.
  public var json: JSONValue {
    ["deleted": .string(name), "bytes": JSONValue(orNull: byteCount)]
  }
}

extension StorageModel.Kept {
  /// The data that was set aside, as JSON output holds it.
  public var json: JSONValue {
    [
      "name": .string(name), "map": .string(mapID), "title": JSONValue(orNull: title),
      "path": .string(path),
      "isDeleted": .bool(isDeleted), "bytes": JSONValue(orNull: byteCount),
      "geodatabases": JSONValue(texts: geodatabases),
    ]
  }
}
