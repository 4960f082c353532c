public import Foundation
public import PortolanJSON

/// A symbol that shows a picture, at a point or all over an area.
public protocol PictureSymbol: Hashable, Sendable {
  /// The symbol as it was read, with all its members.
  var json: JSONObject { get }
}

extension PictureSymbol {
  /// The media type of ``imageData``, as the document claims; look at the bytes to be sure.
  public var contentType: String? { json.text("contentType") }
  /// The URL of the picture, mostly relative to the layer's service, or a `data:` URL.
  public var url: String? { json.text("url") }
  /// The width of the picture in points, if given.
  public var width: Double? { json.number("width") }
  /// The height of the picture in points, if given.
  public var height: Double? { json.number("height") }
  /// The angle, in degrees counter-clockwise.
  public var angle: Double { json.number("angle") ?? 0 }

  /// The encoded picture, if it is in the document: `imageData`, else a `data:` URL.
  public var imageData: Data? {
    if let encoded = json.filledText("imageData") {
      return Data(base64Encoded: encoded, options: .ignoreUnknownCharacters)
    }
    return url.flatMap(Data.init(dataURL:))
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
