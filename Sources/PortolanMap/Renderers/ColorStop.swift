internal import PortolanJSON

/// A colour on a ramp.
public struct ColorStop: Hashable, Sendable, Codable {
  /// The position on the ramp: a share from 0 to 1, or a value of the data.
  public let value: Double
  /// The colour there.
  public let color: RGBAColor
  /// The name for people, if any.
  public let label: String?

  /// Creates a stop.
  public init(value: Double, color: RGBAColor, label: String? = nil) {
    self.value = value
    self.color = color
    self.label = label
  }

  init?(json: JSONObject, value name: String = "value") {
    guard let value = json.number(name), let color = RGBAColor(json: json["color"]) else {
      return nil
    }
    self.init(value: value, color: color, label: json.filledText("label"))
  }
}
