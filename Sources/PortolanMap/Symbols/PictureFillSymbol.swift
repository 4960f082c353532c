public import PortolanJSON

/// An area filled with copies of a picture (`esriPFS`), whose width and height are those of a copy.
public struct PictureFillSymbol: PictureSymbol {
  static let type = "esriPFS"

  public let json: JSONObject
  /// The line around it, if any.
  public let outline: SimpleLineSymbol?

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
    outline = json.object("outline").map(SimpleLineSymbol.init(json:))
  }
}
