public import PortolanJSON

/// The symbol of a feature or a label.
///
/// Sizes, widths and offsets are in points (1/72 inch), angles in degrees counter-clockwise.
public enum Symbol: Hashable, Sendable {
  case simpleMarker(SimpleMarkerSymbol)
  case simpleLine(SimpleLineSymbol)
  case simpleFill(SimpleFillSymbol)
  case pictureMarker(PictureMarkerSymbol)
  case pictureFill(PictureFillSymbol)
  case text(TextSymbol)
  /// A symbol that is kept as it was read: `CIMSymbolReference`, `styleSymbolReference`, 3D.
  case other(type: String, json: JSONObject)

  /// Reads a symbol; `nil` if `json` is no object.
  public init?(json: JSONValue?) {
    guard let object = json?.object else { return nil }
    self.init(json: object)
  }

  /// Reads a symbol.
  public init(json: JSONObject) {
    let type = json.text("type") ?? ""
    self =
      switch type {
      case SimpleMarkerSymbol.type: .simpleMarker(SimpleMarkerSymbol(json: json))
      case SimpleLineSymbol.type: .simpleLine(SimpleLineSymbol(json: json))
      case SimpleFillSymbol.type: .simpleFill(SimpleFillSymbol(json: json))
      case PictureMarkerSymbol.type: .pictureMarker(PictureMarkerSymbol(json: json))
      case PictureFillSymbol.type: .pictureFill(PictureFillSymbol(json: json))
      case TextSymbol.type: .text(TextSymbol(json: json))
      default: .other(type: type, json: json)
      }
  }

  /// The symbol as it was read, or as it would be written.
  public var json: JSONObject {
    switch self {
    case .simpleMarker(let symbol): symbol.json
    case .simpleLine(let symbol): symbol.json
    case .simpleFill(let symbol): symbol.json
    case .pictureMarker(let symbol): symbol.json
    case .pictureFill(let symbol): symbol.json
    case .text(let symbol): symbol.json
    case .other(_, let json): json
    }
  }

  /// The colour that stands for the symbol where there is room for one only, if it has any.
  public var color: RGBAColor? {
    switch self {
    case .simpleMarker(let symbol): symbol.color ?? symbol.outline?.color
    case .simpleLine(let symbol): symbol.color
    case .simpleFill(let symbol): symbol.color ?? symbol.outline?.color
    case .text(let symbol): symbol.color
    case .pictureMarker, .pictureFill, .other: nil
    }
  }
}
