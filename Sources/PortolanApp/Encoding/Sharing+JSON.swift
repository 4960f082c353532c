internal import Foundation
public import PortolanJSON

extension SharingModel.Progress {
  /// How far an upload is, as JSON output holds it.
  public var json: JSONValue {
    ["bytes": JSONValue(orNull: bytes), "totalBytes": JSONValue(orNull: totalBytes)]
  }
}

extension SharingModel.Result {
  /// What was shared, as JSON output holds it.
  public var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "page": JSONValue(orNull: page?.absoluteString),
      "access": .string(access.rawValue), "size": JSONValue(orNull: size),
      "replaced": .bool(replaced), "resumedBytes": JSONValue(orNull: resumedBytes),
      "notSharedWith": JSONValue(texts: notSharedWith),
    ]
  }
}
