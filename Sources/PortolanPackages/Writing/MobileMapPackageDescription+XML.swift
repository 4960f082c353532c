internal import Foundation
internal import PortolanGeometry
internal import PortolanXML

extension MobileMapPackageDescription {
  static let thumbnailPath = "thumbnail/thumbnail.png"

  /// The `iteminfo.xml`, which says what the root `.info` does.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 1.6
  var itemInformation: XMLElement {
    let texts = [
      ("name", name), ("version", Self.version), ("guid", guid.plainText), ("title", title),
      ("snippet", summary), ("summary", summary), ("description", details),
      ("tags", tags.joined(separator: ",")), ("accessinformation", accessInformation),
      ("licenseinfo", licenseInfo), ("type", Self.type),
      ("typekeywords", Self.typeKeywords.joined(separator: ",")),
      ("spatialreference", spatialReference.esriName ?? ""),
      ("thumbnail", thumbnail == nil ? "" : Self.thumbnailPath),
    ]
    var children = texts.filter { !$0.1.isEmpty }.map { XMLElement($0.0, text: $0.1) }
    if let extent { children.append(XMLElement("extent", children: extent.edges)) }
    return XMLElement("ESRI_ItemInformation", attributes: ["Culture": "en"], children: children)
  }

  /// The `item.pkinfo`, which says what kind of package it is; `size` is in bytes.
  func packageInformation(size: Int) -> XMLElement {
    let texts = [
      ("ID", guid.plainText), ("name", name), ("version", Self.version), ("size", "\(size)"),
      ("type", Self.type), ("servable", "false"),
    ]
    return XMLElement("pkinfo", children: texts.map { XMLElement($0.0, text: $0.1) })
  }
}

extension Envelope {
  fileprivate var edges: [XMLElement] {
    [("xmin", xMin), ("ymin", yMin), ("xmax", xMax), ("ymax", yMax)]
      .map { XMLElement($0.0, text: "\($0.1)") }
  }
}

extension XMLElement {
  /// The element as a file in UTF-8.
  var document: Data {
    Data(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + serialized).utf8)
  }
}
