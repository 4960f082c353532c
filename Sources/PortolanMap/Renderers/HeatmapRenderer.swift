public import PortolanJSON

/// Points blurred into a surface of density.
public struct HeatmapRenderer: Hashable, Sendable {
  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The field that weighs the points, if any.
  public let field: String?
  /// The colours from no density (0) to the greatest (1).
  public let colorStops: [ColorStop]
  /// The radius of a point, in points (1/72 inch), if given.
  public let radius: Double?
  /// The blur radius, in pixels, which older documents give in place of ``radius``.
  public let blurRadius: Double?
  /// The density of the first colour, if given.
  public let minDensity: Double?
  /// The density of the last colour, if given.
  public let maxDensity: Double?

  /// Reads a renderer; the pixel intensities of older documents are taken for densities.
  public init(json: JSONObject) {
    self.json = json
    field = json.filledText("field")
    colorStops = json.objects("colorStops").compactMap { ColorStop(json: $0, value: "ratio") }
    radius = json.number("radius")
    blurRadius = json.number("blurRadius")
    minDensity = json.number("minDensity") ?? json.number("minPixelIntensity")
    maxDensity = json.number("maxDensity") ?? json.number("maxPixelIntensity")
  }
}
