public import Foundation
public import PortolanJSON

/// A picture at a point (`esriPMS`).
public struct PictureMarkerSymbol: PictureSymbol {
  static let type = "esriPMS"

  public let json: JSONObject
  /// The offset to the right of the point, in points.
  public let xOffset: Double
  /// The offset above the point, in points.
  public let yOffset: Double

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
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
