internal import Foundation
public import PortolanJSON

extension SharingModel.Progress {
  /// The progress of an upload, as JSON output holds it.
  public var json: JSONValue {
    ["bytes": JSONValue(orNull: bytes), "totalBytes": JSONValue(orNull: totalBytes)]
  }
}

extension SharingModel.Result {
  /// The shared item, as JSON output holds it.
  public var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "page": JSONValue(orNull: page?.absoluteString),
      "access": .string(access.rawValue), "size": JSONValue(orNull: size),
      "replaced": .bool(replaced), "resumedBytes": JSONValue(orNull: resumedBytes),
      "notSharedWith": JSONValue(texts: notSharedWith),
    ]
  }
}
