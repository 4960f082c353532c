public import PortolanJSON

/// Dots scattered over areas, as many as a field says.
public struct DotDensityRenderer: Hashable, Sendable {
  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The fields that are counted, with the colours of their dots.
  public let attributes: [AttributeColor]
  /// The value of one dot, if given.
  public let dotValue: Double?
  /// The width of a dot in points.
  public let dotSize: Double
  /// The colour of the areas, if any.
  public let backgroundColor: RGBAColor?
  /// The line around the areas, if any.
  public let outline: SimpleLineSymbol?

  /// Reads a renderer.
  public init(json: JSONObject) {
    self.json = json
    attributes = json.objects("attributes").map(AttributeColor.init(json:))
    dotValue = json.number("dotValue")
    dotSize = json.number("dotSize") ?? 1
    backgroundColor = RGBAColor(json: json["backgroundColor"])
    outline = json.object("outline").map(SimpleLineSymbol.init(json:))
  }
}
