public import PortolanJSON

extension StorageUsage {
  /// What takes space, as the documents of shells hold it.
  public var json: JSONValue {
    [
      "maps": .array(maps.filter { $0.deleted == nil }.map(\.json)),
      "deleted": .array(maps.filter { $0.deleted != nil }.map(\.json)),
      "earlierVersions": .array(earlierVersions.map(\.json)), "kept": kept.json,
      "downloads": downloads.json, "temporary": temporary.json, "total": total.json,
      "freeBytes": JSONValue(orNull: freeByteCount),
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
    ]
  }
}

extension StorageModel.Finding {
  /// What is not as it should be, as the documents of shells hold it.
  public var json: JSONValue {
    ["sentence": .string(sentence), "repair": JSONValue(orNull: repair)]
  }
}

extension StorageModel.Kept {
  /// What was set aside, as the documents of shells hold it.
  public var json: JSONValue {
    [
      "name": .string(name), "title": JSONValue(orNull: title), "path": .string(path),
      "bytes": JSONValue(orNull: byteCount), "geodatabases": JSONValue(texts: geodatabases),
    ]
  }
}
