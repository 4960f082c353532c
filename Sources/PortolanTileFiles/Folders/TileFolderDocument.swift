internal import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles
internal import PortolanXML

/// The description of tiles in a folder by the document beside them: TileJSON in `tiles.json`, the
/// metadata of an MBTiles file in `metadata.json`, or a `tilemapresource.xml`.
///
/// - SeeAlso: Docs/FORMATS.md, 4.4
struct TileFolderDocument {
  /// The JSON document, if there is one.
  private(set) var json: JSONValue?
  /// The faults of the documents, a sentence each.
  private(set) var warnings: [String] = []
  private var title: String?
  private var hasTileMap = false

  private static let names = ["tiles.json", "metadata.json"]
  private static let tileMapName = "tilemapresource.xml"

  /// Reads the documents of a folder; what of them cannot be read is left out, and said.
  ///
  /// - Throws: `TileError.unsupported(file:reason:)` if the tiles are none of the Web Mercator pyramid.
  init(of listing: TileFolderListing) throws(TileError) {
    for name in Self.names where json == nil {
      do {
        guard let data = try listing.document(named: name) else { continue }
        json = try JSONValue(parsing: data)
      } catch {
        warnings.append("\(name) cannot be read: \(error.plainReason).")
      }
    }
    do {
      guard let data = try listing.document(named: Self.tileMapName) else { return }
      hasTileMap = true
      try read(XMLElement(parsing: data), of: listing)
    } catch TileError.unsupported(let file, let reason) {
      throw TileError.unsupported(file: file, reason: reason)
    } catch {
      hasTileMap = true
      warnings.append("\(Self.tileMapName) cannot be read: \(error.plainReason).")
    }
  }

  private mutating func read(_ map: XMLElement, of listing: TileFolderListing) throws(TileError) {
    title = map.text(of: "Title")
    let profile = map.child("TileSets")?.attributes["profile"] ?? "mercator"
    guard ["mercator", "global-mercator"].contains(profile) else {
      throw .unsupported(
        file: listing.name,
        reason: "its tiles are of the profile \"\(profile)\", not of the Web Mercator pyramid")
    }
  }

  /// Whether rows are counted from the bottom: as a document says, else as is usual beside a `tilemapresource.xml`.
  var isTMS: Bool {
    switch json?["scheme"]?.string?.lowercased() {
    case "tms": true
    case "xyz": false
    default: hasTileMap
    }
  }

  var name: String? { text("name") ?? title }

  /// A text of the document; `nil` if it has none of that name.
  func text(_ name: String) -> String? {
    json?[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The box in Web Mercator, of west, south, east and north in degrees.
  var extent: Envelope? {
    let sides: [Double] =
      if let text = json?["bounds"]?.string {
        text.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      } else {
        json?["bounds"]?.array?.compactMap(\.double) ?? []
      }
    guard sides.count == 4, sides.allSatisfy(\.isFinite) else { return nil }
    let box = Envelope(xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3])
    return box.isEmpty ? nil : box.webMercator
  }

  /// The document with the layers of vector tiles, which that of an MBTiles file has as text in a member.
  var metadata: JSONValue? {
    guard let text = json?["json"]?.string, json?["vector_layers"] == nil,
      // What is no document says nothing about layers.
      let inner = try? JSONValue(parsing: text).object, var object = json?.object
    else { return json }
    for member in inner.members { object[member.name] = member.value }
    return .object(object)
  }
}
