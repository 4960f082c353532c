public import PortolanJSON

/// A pie at each feature, cut by the values of several fields.
public struct PieChartRenderer: Hashable, Sendable {
  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The slices.
  public let attributes: [AttributeColor]
  /// The width of a pie in points.
  public let size: Double
  /// The share of the radius that is left out in the middle, from 0 to 1.
  public let holePercentage: Double
  /// The slice into which small ones are put, if there is one.
  public let othersLabel: String?
  /// The colour of that slice.
  public let othersColor: RGBAColor?
  /// The symbol of the areas below the pies, if any.
  public let backgroundFillSymbol: Symbol?

  /// Reads a renderer.
  public init(json: JSONObject) {
    self.json = json
    attributes = json.objects("attributes").map(AttributeColor.init(json:))
    size = json.number("size") ?? 12
    holePercentage = json.number("holePercentage") ?? 0
    let others = json.object("othersCategory")
    let isUsed = (others?.number("threshold") ?? 0) > 0
    othersLabel = isUsed ? others?.filledText("label") ?? "Other" : nil
    othersColor = RGBAColor(json: others?["color"])
    backgroundFillSymbol = Symbol(json: json["backgroundFillSymbol"])
  }
}
