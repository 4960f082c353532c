internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A picture of the map as text and as JSON: what it shows, and what it does not.
struct SnapshotPage {
  /// The file, if it was written to one.
  var url: URL?
  let picture: MapPicture
  let frame: MapFrame

  var text: TextDocument {
    // Scales from files may be absurd; such are shown as they are.
    let scale = Int(exactly: frame.scale.rounded()).map { "\($0)" } ?? "\(frame.scale)"
    let bytes = ByteCount.text(picture.data.count)
    let size = "\(picture.width) x \(picture.height) pixels, 1:\(scale)"
    let name = url.map { "\"\($0.lastPathComponent)\": " } ?? ""
    return TextDocument([.line("\(name)\(size), \(bytes)")] + omissionBlocks)
  }

  /// The parts that could not be drawn, a line each.
  var omissionBlocks: [TextDocument.Block] {
    picture.omissions.map { .paragraph("Not drawn: \($0.sentence)", indent: 2) }
  }

  var json: JSONValue {
    var members = picture.json(of: frame)
    members["file"] = url.map { .string($0.path(percentEncoded: false)) } ?? .null
    return .object(members)
  }
}
