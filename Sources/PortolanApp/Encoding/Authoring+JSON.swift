public import Foundation
public import PortolanJSON

extension AuthoringStep {
  /// The progress of making a package, as JSON output holds it.
  public var json: JSONValue {
    switch self {
    case .opening: ["step": "opening"]
    case .features(let progress): ["step": "features", "features": progress.json]
    case .maps: ["step": "maps"]
    case .packing: ["step": "packing"]
    }
  }
}

extension AuthoringReport {
  /// The result, as JSON output holds it.
  ///
  /// - Parameter target: The package that was made.
  /// - Returns: The document.
  public func json(of target: URL) -> JSONValue {
    [
      "target": .string(target.relativePath), "size": JSONValue(orNull: size),
      "title": .string(title), "complete": .bool(isComplete), "maps": .array(maps.map(\.json)),
      "tables": .array(tables.map(\.json)), "notes": JSONValue(texts: notes),
      "failureCount": JSONValue(orNull: failureCount), "failures": JSONValue(texts: failures),
    ]
  }
}

extension AuthoringReport.Map {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "layers": JSONValue(orNull: layerCount),
      "bookmarks": JSONValue(orNull: bookmarkCount),
    ]
  }
}

extension AuthoringReport.Table {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "read": JSONValue(orNull: readCount),
      "written": JSONValue(orNull: writtenCount),
    ]
  }
}
