public import Foundation
public import PortolanGeometry

/// The metadata of an item that is added to a portal or changed.
public struct NewPortalItem: Hashable, Sendable {
  /// The type.
  public var kind: PortalItem.Kind
  /// The name of its file.
  public var fileName: String
  /// The title for people.
  public var title: String
  /// One or two sentences on it.
  public var snippet: String?
  /// A longer text, possibly with markup.
  public var details: String?
  /// Words to find it by.
  public var tags: [String]
  /// Words that programs find it by.
  public var typeKeywords: [String]
  /// The attribution.
  public var accessInformation: String?
  /// The extent, in degrees on WGS 84.
  public var extent: Envelope?
  /// Its picture, PNG.
  public var thumbnail: Data?

  /// Creates the facts of an item.
  public init(
    kind: PortalItem.Kind, fileName: String, title: String, snippet: String? = nil,
    details: String? = nil, tags: [String] = [], typeKeywords: [String] = [],
    accessInformation: String? = nil, extent: Envelope? = nil, thumbnail: Data? = nil
  ) {
    self.kind = kind
    self.fileName = fileName
    self.title = title
    self.snippet = snippet
    self.details = details
    self.tags = tags
    self.typeKeywords = typeKeywords
    self.accessInformation = accessInformation
    self.extent = extent
    self.thumbnail = thumbnail
  }

  /// The facts as parameters of a request.
  var parameters: RESTParameters {
    var parameters: RESTParameters = [
      "title": title, "type": kind.rawValue, "snippet": snippet, "description": details,
      "accessInformation": accessInformation,
    ]
    if !tags.isEmpty { parameters["tags"] = tags.joined(separator: ",") }
    if !typeKeywords.isEmpty { parameters["typeKeywords"] = typeKeywords.joined(separator: ",") }
    parameters["extent"] = extent.map { "\($0.xMin),\($0.yMin),\($0.xMax),\($0.yMax)" }
    return parameters
  }
}
