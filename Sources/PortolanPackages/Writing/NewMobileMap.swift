public import Foundation
public import PortolanGeometry
internal import PortolanJSON
public import PortolanMap

/// A map that is to be written into a package.
public struct NewMobileMap: Hashable, Sendable {
  /// The name, which is that of the map's file: no slashes, no leading point.
  public var name: String
  /// The title for people.
  public var title: String
  /// One or two sentences on what it shows.
  public var summary: String
  /// Words to find it by.
  public var tags: [String]
  /// The map's id.
  public var id: UUID
  /// The extent, in degrees on WGS 84.
  public var extent: Envelope?
  /// A picture of the map, PNG.
  public var thumbnail: Data?
  /// The map; the paths of its layers are relative to the folder of the data,
  /// `file:./NAME.geodatabase?itemId=0`.
  public var webMap: WebMap

  /// Creates a map.
  public init(
    name: String, title: String? = nil, summary: String = "", tags: [String] = [], id: UUID,
    extent: Envelope? = nil, thumbnail: Data? = nil, webMap: WebMap
  ) {
    self.name = name
    self.title = title ?? name
    self.summary = summary
    self.tags = tags
    self.id = id
    self.extent = extent
    self.thumbnail = thumbnail
    self.webMap = webMap
  }

  /// The `.mmap` document.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 1.3
  func document(in package: MobileMapPackageDescription) -> Data {
    var item: JSONObject = [
      "id": .string(id.plainText), "guid": .string(id.plainText),
      "created": package.created.milliseconds, "modified": package.modified.milliseconds,
      "name": .string(name), "title": .string(title), "snippet": .string(summary),
      "type": "Mobile Map", "typeKeywords": ["Map", "Mobile Map", "2D", "Mobile"],
      "tags": JSONValue(texts: tags),
    ]
    item["extent"] = extent?.corners
    item["spatialReference"] = webMap.spatialReference?.esriName.map { .string($0) }
    item["thumbnail"] = thumbnail.map { .string($0.pngURL) }
    let document: JSONValue = ["map": .object(webMap.strictJSON), "item": .object(item)]
    return document.encoded()
  }
}
