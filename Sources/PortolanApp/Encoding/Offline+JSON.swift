internal import PortolanFeatures
public import PortolanJSON

extension OfflineMapModel.Capabilities {
  /// The parts of a web map that can be taken offline, as JSON output holds them.
  public var json: JSONValue {
    [
      "hasErrors": .bool(hasErrors), "layers": .array(layers.map(\.json)),
      "tables": .array(tables.map(\.json)),
    ]
  }
}

extension OfflineMapModel.Capability {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "basemap": .bool(isBasemap),
      "supportsOffline": .bool(supportsOffline), "remainsOnline": .bool(remainsOnline),
      "copyOnly": .bool(isCopyOnly), "reason": JSONValue(orNull: issue),
    ]
  }
}

extension OfflineMapModel.Estimate {
  /// The requirements of an area, as JSON output holds them.
  public var json: JSONValue {
    [
      "parts": .array(parts.map(\.json)), "leastBytes": JSONValue(orNull: bytes.lowerBound),
      "mostBytes": JSONValue(orNull: bytes.upperBound), "isComplete": .bool(isComplete),
      "freeBytes": JSONValue(orNull: freeBytes), "fits": .bool(fits),
      "isPossible": .bool(isPossible),
    ]
  }
}

extension OfflineMapModel.Estimate.Part {
  fileprivate var json: JSONValue {
    [
      "title": .string(title), "layers": JSONValue(texts: layers),
      "features": JSONValue(orNull: features), "tiles": JSONValue(orNull: tiles),
      "tileLimit": JSONValue(orNull: tileLimit), "refusal": JSONValue(orNull: refusal),
      "leastBytes": JSONValue(orNull: bytes?.lowerBound),
      "mostBytes": JSONValue(orNull: bytes?.upperBound), "isCopied": .bool(isCopied),
      "reason": JSONValue(orNull: issue),
    ]
  }
}

extension DownloadPreview {
  /// The requirements of a download, as JSON output holds them.
  public var json: JSONValue {
    [
      "title": .string(title),
      "files": .array(
        files.map { ["title": .string($0.title), "bytes": JSONValue(orNull: $0.byteCount)] }),
      "bytesToFetch": JSONValue(orNull: bytesToFetch), "isExact": .bool(isExact),
      "presentBytes": JSONValue(orNull: presentBytes), "peakBytes": JSONValue(orNull: peakBytes),
      "freeBytes": JSONValue(orNull: freeBytes), "missingBytes": JSONValue(orNull: missingBytes),
      "fits": .bool(fits),
    ]
  }
}

extension SyncModel.Conflict {
  /// An edit that waits for a decision, as JSON output holds it.
  public var json: JSONValue {
    [
      "number": JSONValue(orNull: id), "table": .string(table),
      "layer": .string(layerTitle ?? table), "objectId": .integer(objectID),
      "edit": .string(edit), "reason": .string(reason), "isConflict": .bool(isConflict),
      "isSent": .bool(isSent),
      "isGoneThere": .bool(isGoneThere), "isMovedApart": .bool(isMovedApart),
      "shapeChangedHere": isShapeChangedHere.map(JSONValue.bool) ?? .null,
      "canEdit": .bool(canEdit), "differences": .array(differences.map(\.json)),
      "values": .array(values.map { Self.json(of: $0) }),
      "related": .array(related.map(\.json)),
    ]
  }

  /// A field as a form has it, named as those that differ.
  private static func json(of value: FeatureFormField) -> JSONValue {
    var members = value.json.object ?? [:]
    members["field"] = .string(value.name)
    if value.value == .null { members["text"] = .null }
    return .object(members)
  }
}

extension SyncModel.RelatedEdit {
  /// An edit that is decided on together with another one, as JSON output holds it.
  public var json: JSONValue {
    [
      "table": .string(table), "layer": .string(layerTitle ?? table),
      "objectId": .integer(objectID), "edit": .string(edit),
    ]
  }
}

extension SyncModel.Difference {
  fileprivate var json: JSONValue {
    [
      "field": .string(field), "label": .string(label), "mine": JSONValue(orNull: mine),
      "theirs": JSONValue(orNull: theirs),
      "changedHere": isChangedHere.map(JSONValue.bool) ?? .null,
    ]
  }
}

extension SyncModel.State {
  /// The conflicts of a map, as the documents of shells hold them.
  ///
  /// - Parameter number: The number of the one that was decided on; `nil` if none was.
  /// - Returns: The document.
  public func conflictsJSON(resolved number: Int? = nil) -> JSONValue {
    var members: JSONObject = [
      "map": .string(map ?? ""), "title": .string(title ?? ""),
      "conflicts": .array(conflicts.map(\.json)),
    ]
    if let number { members["resolved"] = JSONValue(orNull: number) }
    return .object(members)
  }
}
