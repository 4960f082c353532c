public import Foundation
public import PortolanGeometry
public import PortolanJSON

/// A named place on a map.
public struct Bookmark: Hashable, Sendable {
  /// The bookmark as it was read, with all its members.
  public let json: JSONObject
  /// The name for people.
  public let name: String
  /// The place; `nil` if the document has none that can be read.
  public let viewpoint: Viewpoint?

  /// Reads a bookmark, with a viewpoint or, as older ones, with an extent only.
  public init(json: JSONObject) {
    self.json = json
    name = json.filledText("name") ?? "Untitled"
    viewpoint =
      [json["viewpoint"], json["extent"]].lazy.compactMap { place in
        // A bookmark whose place is damaged is still listed by its name.
        place.flatMap { try? Viewpoint(esriJSON: $0) }
      }.first
  }

  /// Creates a bookmark.
  public init(name: String, viewpoint: Viewpoint) {
    var json: JSONObject = ["name": .string(name), "viewpoint": viewpoint.esriJSON]
    if case .extent(let extent) = viewpoint.target {
      // Older readers know extents only.
      json["extent"] = extent.esriJSON(spatialReference: viewpoint.spatialReference)
    }
    self.init(json: json)
  }

  /// The picture, if there is one in the document.
  public var thumbnail: Data? {
    json.object("thumbnail")?.text("url").flatMap(Data.init(dataURL:))
  }
}
