internal import PortolanJSON

/// The legend options of a renderer.
public struct LegendOptions: Hashable, Sendable {
  /// The heading, if any.
  public let title: String?
  /// Whether there is a legend.
  public let showsLegend: Bool
  /// The name of the low end of a ramp, if any.
  public let minLabel: String?
  /// The name of the high end of a ramp, if any.
  public let maxLabel: String?
  /// The name of what one dot stands for, if any.
  public let unit: String?
  /// Whether the greatest values come first.
  public let isDescending: Bool

  init(json: JSONObject) {
    title = json.filledText("title")
    showsLegend = json.flag("showLegend") ?? true
    minLabel = json.filledText("minLabel")
    maxLabel = json.filledText("maxLabel")
    unit = json.filledText("unit")
    isDescending = json.text("order") == "descendingValues"
  }
}
