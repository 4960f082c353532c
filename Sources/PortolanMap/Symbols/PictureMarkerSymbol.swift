public import Foundation
public import PortolanJSON

/// A picture at a point (`esriPMS`).
public struct PictureMarkerSymbol: Hashable, Sendable {
  static let type = "esriPMS"

  /// The symbol as it was read, with all its members.
  public let json: JSONObject
  /// The media type of ``imageData``, as the document claims; look at the bytes to be sure.
  public let contentType: String?
  /// Where the picture is, mostly relative to the layer's service, or a `data:` URL.
  public let url: String?
  /// The width in points, if given.
  public let width: Double?
  /// The height in points, if given.
  public let height: Double?
  /// The angle, in degrees counter-clockwise.
  public let angle: Double
  /// How far to the right of the point it stands, in points.
  public let xOffset: Double
  /// How far above the point it stands, in points.
  public let yOffset: Double

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
    xOffset = json.number("xoffset") ?? 0
    yOffset = json.number("yoffset") ?? 0
  }

  /// Creates a symbol from an encoded picture.
  public init(imageData: Data, contentType: String, width: Double, height: Double) {
    self.init(json: [
      "type": .string(Self.type), "imageData": .string(imageData.base64EncodedString()),
      "contentType": .string(contentType), "width": JSONValue(width), "height": JSONValue(height),
      "angle": 0, "xoffset": 0, "yoffset": 0,
    ])
  }
}

extension JSONObject {
  /// The bytes of `imageData`, else of a `data:` URL in `url`.
  var imageData: Data? {
    if let encoded = filledText("imageData") {
      return Data(base64Encoded: encoded, options: .ignoreUnknownCharacters)
    }
    return text("url").flatMap(Data.init(dataURL:))
  }
}

extension Data {
  /// The bytes of a `data:` URL in base 64.
  init?(dataURL text: String) {
    guard text.prefix(5).lowercased() == "data:", let comma = text.firstIndex(of: ","),
      text[..<comma].lowercased().hasSuffix(";base64")
    else { return nil }
    let encoded = String(text[text.index(after: comma)...])
    self.init(base64Encoded: encoded, options: .ignoreUnknownCharacters)
  }
}
