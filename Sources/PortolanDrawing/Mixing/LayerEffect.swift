package import PortolanJSON
internal import PortolanMap

/// An effect on the picture of a layer before it is composed with the layers below.
///
/// - SeeAlso: [effects](https://developers.arcgis.com/web-map-specification/objects/effectFunctions/)
package enum LayerEffect: Hashable, Sendable {
  /// Changes of colours, which 1 leaves alone in some of them and 0 in others.
  package enum Adjustment: String, Hashable, Sendable, CaseIterable {
    case brightness, contrast, grayscale, invert, opacity, saturate, sepia
  }

  case adjustment(Adjustment, amount: Double)
  /// A rotation by degrees around the circle of hues.
  case hueRotation(Double)
  /// A blur with the deviation of a bell curve in points.
  case blur(radius: Double)
  case dropShadow(Shadow)

  /// A shadow; lengths in points.
  package struct Shadow: Hashable, Sendable {
    var x: Double
    var y: Double
    var radius: Double
    var color: RGBAColor
  }

  /// Reads an effect; `nil` if it is of no kind that is drawn.
  init?(json: JSONObject) {
    let type = json.text("type") ?? ""
    func length(_ name: String) -> Double { min(max(json.number(name) ?? 0, -500), 500) }
    switch type {
    case "hue-rotate": self = .hueRotation(json.number("angle") ?? 0)
    case "blur": self = .blur(radius: max(length("radius"), 0))
    case "drop-shadow":
      let color = RGBAColor(json: json["color"]) ?? RGBAColor(red: 0, green: 0, blue: 0)
      self = .dropShadow(
        Shadow(
          x: length("xoffset"), y: length("yoffset"), radius: max(length("blurRadius"), 0),
          color: color))
    default:
      guard let adjustment = Adjustment(rawValue: type) else { return nil }
      self = .adjustment(adjustment, amount: min(max(json.number("amount") ?? 1, 0), 100))
    }
  }

  /// An effect between this one and another of its kind; this one if they are of two kinds.
  func mixed(with other: LayerEffect, share: Double) -> LayerEffect {
    func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * share }
    switch (self, other) {
    case (.adjustment(let kind, let low), .adjustment(let same, let high)) where kind == same:
      return .adjustment(kind, amount: between(low, high))
    case (.hueRotation(let low), .hueRotation(let high)): return .hueRotation(between(low, high))
    case (.blur(let low), .blur(let high)): return .blur(radius: between(low, high))
    case (.dropShadow(let low), .dropShadow(let high)):
      return .dropShadow(
        Shadow(
          x: between(low.x, high.x), y: between(low.y, high.y),
          radius: between(low.radius, high.radius),
          color: low.color.mixed(with: high.color, share: share)))
    default: return self
    }
  }
}

/// The effects of a layer at one scale, and what of them is not drawn.
package struct LayerEffectList: Hashable, Sendable {
  /// Documents with more are made to be slow.
  private static let maximumCount = 16

  package private(set) var effects: [LayerEffect] = []
  package private(set) var problems: [String] = []

  /// Reads a list of effects, or of effects at scales, between which they change evenly.
  package init(json: JSONValue?, scale: Double) {
    let entries = (json?.array ?? []).prefix(64).compactMap(\.object)
    let stops = entries.compactMap { entry in entry.number("scale").map { ($0, entry) } }
      .sorted { $0.0 < $1.0 }
    guard let first = stops.first, let last = stops.last else {
      effects = read(entries)
      return
    }
    let above = stops.first { $0.0 >= scale } ?? last
    let below = stops.last { $0.0 <= scale } ?? first
    let low = read(below.1.objects("value"))
    let high = read(above.1.objects("value"))
    let share = above.0 > below.0 ? (scale - below.0) / (above.0 - below.0) : 0
    let isAlike = low.count == high.count
    effects =
      isAlike
      ? zip(low, high).map { $0.mixed(with: $1, share: share) } : share < 0.5 ? low : high
  }

  private mutating func read(_ entries: [JSONObject]) -> [LayerEffect] {
    if entries.count > Self.maximumCount {
      problems.append("only the first \(Self.maximumCount) of its effects are drawn")
    }
    return entries.prefix(Self.maximumCount).compactMap { entry in
      if let effect = LayerEffect(json: entry) { return effect }
      let problem = "the effect \"\(entry.text("type") ?? "")\" is left out"
      if !problems.contains(problem) { problems.append(problem) }
      return nil
    }
  }
}
