public import Foundation
public import PortolanJSON

extension WorkProgress {
  /// The progress of a conversion, as JSON output holds it.
  public var json: JSONValue {
    [
      "part": .string(part), "unit": .string(unit.rawValue),
      "completed": JSONValue(orNull: completed), "total": JSONValue(orNull: total),
    ]
  }
}

extension ConversionReport {
  /// The result, as JSON output holds it.
  ///
  /// - Parameter target: What was written.
  /// - Returns: The document.
  public func json(of target: URL) -> JSONObject {
    [
      "target": .string(target.relativePath), "size": JSONValue(orNull: size),
      "complete": .bool(isComplete),
      "tables": .array(tables.map(\.json)), "tiles": .array(tileSets.map(\.json)),
      "copied": JSONValue(texts: copiedFiles), "omitted": .array(omissions.map(\.json)),
      "notes": JSONValue(texts: notes), "failureCount": JSONValue(orNull: failureCount),
      "failures": .array(failures.map(\.json)),
    ]
  }
}

extension MapTilesResult {
  /// The result, as JSON output holds it.
  ///
  /// - Parameter target: What was written.
  /// - Returns: The document.
  public func json(of target: URL) -> JSONObject {
    var members = file.json(of: target)
    members["omissions"] = .array(omissions.map(\.json))
    return members
  }
}

extension ConversionReport.Table {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "source": .string(source), "file": JSONValue(orNull: file),
      "read": JSONValue(orNull: readCount), "written": JSONValue(orNull: writtenCount),
      "attachments": JSONValue(orNull: attachmentCount),
    ]
  }
}

extension ConversionReport.TileSet {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "file": JSONValue(orNull: file),
      "levels": .array(
        levels.map {
          ["level": JSONValue(orNull: $0.level), "count": JSONValue(orNull: $0.count)]
        }),
    ]
  }
}

extension ConversionReport.Failure {
  fileprivate var json: JSONValue {
    ["part": .string(part), "item": JSONValue(orNull: item), "reason": .string(reason)]
  }
}

extension ConversionReport.Omission {
  fileprivate var json: JSONValue { ["table": .string(table), "what": .string(summary)] }
}
