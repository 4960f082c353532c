public import PortolanJSON

/// A visual property that changes continuously with a value: size, color, transparency or rotation.
public struct VisualVariable: Hashable, Sendable {
  /// The property that changes.
  public enum Kind: Hashable, Sendable {
    /// Sizes in points at values of the data, in rising order of the values.
    case size([SizeStop])
    /// Colours at values of the data.
    case color([ColorStop])
    /// Transparencies, from 0 (opaque) to 100, at values of the data.
    case transparency([TransparencyStop])
    /// The angle, measured as given.
    case rotation(RendererRotation.Convention)
    /// Another kind, by its name.
    case other(String)
  }

  /// A size at a value.
  public struct SizeStop: Hashable, Sendable {
    /// The value of the data.
    public let value: Double
    /// The size in points.
    public let size: Double
    /// The name for people, if any.
    public let label: String?
  }

  /// A transparency at a value.
  public struct TransparencyStop: Hashable, Sendable {
    /// The value of the data.
    public let value: Double
    /// The transparency in percent.
    public let transparency: Double
    /// The name for people, if any.
    public let label: String?
  }

  /// The variable as it was read, with all its members.
  public let json: JSONObject
  /// The property that changes.
  public let kind: Kind
  /// The field; `nil` if an expression gives the value.
  public let field: String?
  /// The Arcade expression that gives the value instead of a field.
  public let valueExpression: String?
  /// The field by whose value the other is divided, if any.
  public let normalizationField: String?
  /// The legend options of this variable.
  public let legendOptions: LegendOptions

  /// Reads a variable.
  public init(json: JSONObject) {
    self.json = json
    kind = Self.kind(json)
    let expression = json.filledText("valueExpression")
    // Documents may name a field, too, which says nothing then.
    field = expression == nil ? json.filledText("field") : nil
    valueExpression = expression
    normalizationField = json.filledText("normalizationField")
    legendOptions = LegendOptions(json: json.object("legendOptions") ?? [:])
  }

  private static func kind(_ json: JSONObject) -> Kind {
    switch json.text("type") {
    case "sizeInfo": .size(sizeStops(json))
    case "colorInfo": .color(json.objects("stops").compactMap { ColorStop(json: $0) })
    case "transparencyInfo": .transparency(json.objects("stops").compactMap(transparencyStop))
    case "rotationInfo":
      .rotation(
        json.text("rotationType").flatMap(RendererRotation.Convention.init) ?? .geographic)
    case let name: .other(name ?? "")
    }
  }

  /// The stops, or the two ends if only those are given as numbers.
  private static func sizeStops(_ json: JSONObject) -> [SizeStop] {
    let stops = json.objects("stops").compactMap { stop -> SizeStop? in
      guard let value = stop.number("value"), let size = stop.number("size") else { return nil }
      return SizeStop(value: value, size: size, label: stop.filledText("label"))
    }
    if !stops.isEmpty { return stops.sorted { $0.value < $1.value } }
    return [("minDataValue", "minSize"), ("maxDataValue", "maxSize")].compactMap { names in
      guard let value = json.number(names.0), let size = json.number(names.1) else { return nil }
      return SizeStop(value: value, size: size, label: nil)
    }
  }

  private static func transparencyStop(_ stop: JSONObject) -> TransparencyStop? {
    guard let value = stop.number("value"), let transparency = stop.number("transparency") else {
      return nil
    }
    return TransparencyStop(
      value: value, transparency: min(max(transparency, 0), 100), label: stop.filledText("label"))
  }
}
