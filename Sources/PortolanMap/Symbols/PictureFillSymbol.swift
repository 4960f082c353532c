public import Foundation
public import PortolanJSON

/// An area filled with copies of a picture (`esriPFS`).
public struct PictureFillSymbol: Hashable, Sendable {
  static let type = "esriPFS"

  /// The symbol as it was read, with all its members.
  public let json: JSONObject
  /// The media type of ``imageData``, as the document claims; look at the bytes to be sure.
  public let contentType: String?
  /// Where the picture is, mostly relative to the layer's service, or a `data:` URL.
  public let url: String?
  /// The width of a copy in points, if given.
  public let width: Double?
  /// The height of a copy in points, if given.
  public let height: Double?
  /// The angle, in degrees counter-clockwise.
  public let angle: Double
  /// The line around it, if any.
  public let outline: SimpleLineSymbol?

  /// The encoded picture, if it is in the document: `imageData`, else a `data:` URL.
  public var imageData: Data? { json.imageData }

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
    contentType = json.text("contentType")
    url = json.text("url")
    width = json.number("width")
    height = json.number("height")
    angle = json.number("angle") ?? 0
    outline = json.object("outline").map(SimpleLineSymbol.init(json:))
  }
}
