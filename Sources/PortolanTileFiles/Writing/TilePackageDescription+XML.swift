internal import Foundation
internal import PortolanGeometry
internal import PortolanTiles
internal import PortolanXML

/// The documents of a `.tpk`.
///
/// - SeeAlso: Docs/FORMATS.md, 1.6 and 3.3
extension TilePackageDescription {
  private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

  /// How tiles are cut and kept: `conf.xml`.
  var cacheInformation: Data {
    let origin = [
      XMLElement("X", text: "\(scheme.origin.x)"), XMLElement("Y", text: "\(scheme.origin.y)"),
    ]
    let tiles = [
      reference, element("TileOrigin", "PointN", origin),
      XMLElement("TileCols", text: "\(scheme.tileWidth)"),
      XMLElement("TileRows", text: "\(scheme.tileHeight)"),
      XMLElement("DPI", text: "\(Int(scheme.dpi.rounded()))"),
      XMLElement("PreciseDPI", text: "\(scheme.dpi)"),
      element("LODInfos", "ArrayOfLODInfo", scheme.levels.map(level)),
    ]
    let image = [
      XMLElement("CacheTileFormat", text: format),
      XMLElement("CompressionQuality", text: "\(compressionQuality)"),
      XMLElement("Antialiasing", text: "false"), XMLElement("BandCount", text: "1"),
      XMLElement("LERCError", text: "0"),
    ]
    let storage = [
      XMLElement("StorageFormat", text: "esriMapCacheStorageModeCompactV2"),
      XMLElement("PacketSize", text: "\(BundleID.side)"),
    ]
    return document(
      "CacheInfo",
      [
        element("TileCacheInfo", "TileCacheInfo", tiles),
        element("TileImageInfo", "TileImageInfo", image),
        element("CacheStorageInfo", "CacheStorageInfo", storage),
      ])
  }

  /// The extent: `conf.cdi`.
  var cacheExtent: Data {
    document("EnvelopeN", sides(of: fullExtent, ["XMin", "YMin", "XMax", "YMax"]) + [reference])
  }

  /// The item: `esriinfo/iteminfo.xml`, of a type of item such as `Tile Package`.
  func itemInformationXML(type: String = "Tile Package", keyword: String = "tpk") -> Data {
    var children = [
      XMLElement("name", text: name), XMLElement("snippet", text: summary),
      XMLElement("description", text: summary), XMLElement("summary", text: summary),
      XMLElement("title", text: title ?? name),
      XMLElement("tags", text: tags.joined(separator: ",")),
      XMLElement("type", text: type),
      XMLElement(
        "typekeywords",
        children: ["Data", type, keyword].map { XMLElement("typekeyword", text: $0) }),
      XMLElement("accessinformation", text: accessInformation),
      XMLElement("licenseinfo", text: licenseInfo),
    ]
    if thumbnail != nil {
      children.append(XMLElement("thumbnail", text: "thumbnail/thumbnail.png"))
    }
    if let geographicExtent {
      children.append(
        XMLElement(
          "extent", children: sides(of: geographicExtent, ["xmin", "ymin", "xmax", "ymax"])))
    }
    return text(XMLElement("ESRI_ItemInformation", children: children))
  }

  /// The kind of package: `esriinfo/item.pkinfo`.
  func packageInformation(type: String = "Tile Package") -> Data {
    text(
      XMLElement(
        "pkinfo",
        children: [
          XMLElement("name", text: name), XMLElement("version", text: "10.3"),
          XMLElement("type", text: type), XMLElement("servable", text: "false"),
        ]))
  }

  private var reference: XMLElement {
    let reference = scheme.spatialReference
    var children: [XMLElement] = []
    // Readers that do not know the number need the text; an unknown one has none.
    if let text = try? reference.esriWellKnownText() {
      children.append(XMLElement("WKT", text: text))
    }
    if let wkid = reference.wkid { children.append(XMLElement("WKID", text: "\(wkid)")) }
    if let wkid = reference.latestWKID {
      children.append(XMLElement("LatestWKID", text: "\(wkid)"))
    }
    let type = reference.isWGS84 ? "GeographicCoordinateSystem" : "ProjectedCoordinateSystem"
    return element("SpatialReference", type, children)
  }

  private func level(_ level: TileScheme.Level) -> XMLElement {
    element(
      "LODInfo", "LODInfo",
      [
        XMLElement("LevelID", text: "\(level.level)"), XMLElement("Scale", text: "\(level.scale)"),
        XMLElement("Resolution", text: "\(level.resolution)"),
      ])
  }

  private func sides(of envelope: Envelope, _ names: [String]) -> [XMLElement] {
    let sides = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
    return zip(names, sides).map { XMLElement($0, text: "\($1)") }
  }

  private func element(_ name: String, _ type: String, _ children: [XMLElement]) -> XMLElement {
    XMLElement(name, attributes: ["xsi:type": "typens:\(type)"], children: children)
  }

  private func document(_ name: String, _ children: [XMLElement]) -> Data {
    var root = element(name, name, children)
    root.attributes["xmlns:xsi"] = "http://www.w3.org/2001/XMLSchema-instance"
    root.attributes["xmlns:xs"] = "http://www.w3.org/2001/XMLSchema"
    root.attributes["xmlns:typens"] = "http://www.esri.com/schemas/ArcGIS/10.3"
    return text(root)
  }

  private func text(_ root: XMLElement) -> Data { Data((Self.declaration + root.serialized).utf8) }
}
