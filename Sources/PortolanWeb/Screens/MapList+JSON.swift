internal import Foundation
internal import PortolanApp
internal import PortolanJSON

extension MapListItem {
  /// The row as a page reads it, with its download, what its portal has of it, and the address of its
  /// picture.
  func pageJSON(transfer: JSONValue?, update: MapUpdate?) -> JSONValue {
    var members = json
    members["transfer"] = transfer ?? .null
    members["update"] = update?.json ?? .null
    members["thumbnail"] = .string("/api/thumbnails/\(id.pathComponent)")
    return .object(members)
  }
}

extension PackageModel.Contents {
  /// The contents of a stored map, as a page reads them.
  var pageJSON: JSONValue {
    [
      "summary": JSONValue(summary), "version": .string(version),
      "maps": .array(
        maps.map { map in
          [
            "title": .string(map.title), "layers": JSONValue(map.layerCount),
            "bookmarks": JSONValue(map.bookmarkCount), "problem": map.problem?.json ?? .null,
          ]
        }), "warnings": .array(warnings.map { .string($0) }),
    ]
  }
}
