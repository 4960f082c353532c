internal import Foundation
public import PortolanGeometry
internal import PortolanJSON
internal import PortolanXML

/// The item information of a package: `esriinfo/iteminfo.xml` or `iteminfo.json`.
///
/// - SeeAlso: Docs/FORMATS.md, 1.6
public struct ItemInformation: Hashable, Sendable {
  /// The title, or the name where there is none.
  public var title: String
  /// The kind of item, for example `Tile Package`.
  public var type: String
  /// The item's id, in whatever spelling.
  public var guid: String?
  /// One or two sentences on what it holds.
  public var summary: String?
  /// A longer text, possibly with markup.
  public var details: String?
  /// Words to find it by.
  public var tags: [String]
  /// The attribution.
  public var accessInformation: String?
  /// The terms of use.
  public var licenseInfo: String?
  /// The extent, in degrees on WGS 84.
  public var extent: Envelope?
  /// The path of the thumbnail, relative to the document.
  var thumbnailPath: String?
}

extension ItemInformation {
  /// Reads `iteminfo.xml`.
  init(_ root: XMLElement) {
    title = root.text(of: "title") ?? root.text(of: "name") ?? ""
    type = root.text(of: "type") ?? ""
    guid = root.text(of: "guid")
    summary = root.text(of: "summary") ?? root.text(of: "snippet")
    details = root.text(of: "description")
    tags = Self.words(root.text(of: "tags"))
    accessInformation = root.text(of: "accessinformation")
    licenseInfo = root.text(of: "licenseinfo")
    extent = root.child("extent").flatMap { extent in
      Self.envelope { extent.double(of: $0) }
    }
    thumbnailPath = root.text(of: "thumbnail")
  }

  /// Reads `iteminfo.json`.
  init(_ json: JSONObject) {
    func text(_ name: String) -> String? {
      json.value(ignoringCase: name)?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    title = text("title") ?? text("name") ?? ""
    type = text("type") ?? ""
    guid = text("guid")
    summary = text("summary") ?? text("snippet")
    details = text("description")
    let list = json.value(ignoringCase: "tags")?.array?.compactMap(\.string)
    tags = list ?? Self.words(text("tags"))
    accessInformation = text("accessInformation")
    licenseInfo = text("licenseInfo")
    extent = json.value(ignoringCase: "extent").flatMap { extent in
      Self.envelope { extent[$0]?.double }
    }
    thumbnailPath = text("thumbnail")
  }

  private static func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func envelope(_ side: (String) -> Double?) -> Envelope? {
    guard let xMin = side("xmin"), let yMin = side("ymin"), let xMax = side("xmax"),
      let yMax = side("ymax")
    else { return nil }
    let envelope = Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax)
    return envelope.isEmpty ? nil : envelope
  }
}
