public import Foundation
internal import PortolanJSON

/// The legend of a map service: what the symbols of its layers mean.
public struct ServiceLegend: Hashable, Sendable {
  /// A symbol and what it means.
  public struct Line: Hashable, Sendable {
    /// The text beside the symbol; may be empty.
    public var label: String
    /// The picture of the symbol, if it came along.
    public var imageData: Data?
    /// The name of the picture at the server.
    public var imageName: String?
    /// The media type of the picture.
    public var contentType: String
    /// The width of the picture in pixels.
    public var width: Int?
    /// The height of the picture in pixels.
    public var height: Int?
    /// The values that the symbol stands for.
    public var values: [String]
  }

  /// The id of the layer.
  public var layerID: Int
  /// The name of the layer.
  public var layerName: String
  /// The type of the layer, for example `Feature Layer`.
  public var layerType: String?
  /// The smallest scale at which it is shown, 0 for no limit.
  public var minScale: Double
  /// The largest scale at which it is shown, 0 for no limit.
  public var maxScale: Double
  /// The symbols, in order; groups have none.
  public var lines: [Line]
}

extension ServiceLegend {
  /// Reads the legend of a service; `nil` if it is something else.
  static func legends(json: JSONValue) -> [ServiceLegend]? {
    json.object.flatMap { $0["layers"]?.array == nil ? nil : $0.objects("layers") }?
      .compactMap(ServiceLegend.init(json:))
  }

  private init?(json: JSONObject) {
    guard let id = json.int("layerId") else { return nil }
    layerID = id
    layerName = json.text("layerName") ?? ""
    layerType = json.filledText("layerType")
    minScale = json.number("minScale") ?? 0
    maxScale = json.number("maxScale") ?? 0
    lines = json.objects("legend").map(Line.init(json:))
  }
}

extension ServiceLegend.Line {
  fileprivate init(json: JSONObject) {
    label = json.text("label") ?? ""
    imageData = json.filledText("imageData").flatMap {
      Data(base64Encoded: $0, options: .ignoreUnknownCharacters)
    }
    imageName = json.filledText("url")
    contentType = json.filledText("contentType") ?? "image/png"
    width = json.int("width")
    height = json.int("height")
    values = json.texts("values")
  }
}
