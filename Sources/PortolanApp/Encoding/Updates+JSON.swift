internal import Foundation
public import PortolanJSON

extension MapUpdate {
  /// The comparison of the map with its portal's, as JSON output holds it.
  public var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "stored": JSONValue(orNull: installed),
      "storedModified": JSONValue(orNull: storedModified),
      "portalModified": JSONValue(orNull: portalModified), "update": .string(freshness.word),
      "problem": JSONValue(orNull: freshness.problem?.message),
      "scheduledUpdates": JSONValue(orNull: scheduled?.count ?? 0),
      "scheduledBytes": JSONValue(orNull: scheduled?.byteCount),
      "scheduledComesWithSync": scheduled.map { .bool($0.comesWithSync) } ?? .null,
      "comesWithSync": .bool(comesWithSync == true),
    ]
  }
}

extension PackageImport {
  /// The result of importing the package, as JSON output holds it.
  public var json: JSONValue {
    [
      "outcome": .string(outcome.rawValue), "id": .string(id), "title": .string(title),
      "bytes": JSONValue(orNull: byteCount), "warnings": JSONValue(texts: warnings),
      "complete": .bool(isComplete),
    ]
  }
}

extension MapUpdateResult {
  /// The result of updating the map, as JSON output holds it.
  public var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "outcome": .string(outcome.rawValue),
      "message": JSONValue(orNull: message),
    ]
  }
}
