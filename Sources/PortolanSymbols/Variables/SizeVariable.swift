internal import PortolanJSON
internal import PortolanMap

/// The sizes of a `sizeInfo` for values, at the scale of a picture.
///
/// - SeeAlso: [sizeInfo](https://developers.arcgis.com/web-map-specification/objects/sizeInfo_visualVariable/)
struct SizeVariable: Sendable {
  private enum Rule {
    /// Between stops, with sizes in points.
    case stops(NumberRamp)
    /// As large as the value says, in pixels a unit.
    case ground(Double)
    /// In proportion to a size in points at a value, between two sizes; also where the unit of values is
    /// `unknown`, for which there must be sizes.
    case proportional(size: Double, value: Double, ClosedRange<Double>)
  }

  private static let metersPerUnit: [String: Double] = [
    "millimeters": 0.001, "centimeters": 0.01, "decimeters": 0.1, "meters": 1,
    "kilometers": 1000, "inches": 0.0254, "feet": 0.3048, "yards": 0.9144,
    "miles": 1609.344, "nautical-miles": 1852, "decimal-degrees": 111_319.490_793,
  ]

  /// Whether the width of outlines changes, not the size of symbols.
  let isOfOutline: Bool
  private let rule: Rule
  private let representation: String
  private let scaling: SymbolScaling

  /// Reads a variable; `nil` if it does not say how large anything is.
  init?(_ json: JSONObject, _ scaling: SymbolScaling) {
    self.scaling = scaling
    isOfOutline = json.text("target") == "outline"
    representation = json.text("valueRepresentation") ?? "diameter"
    let stops = Self.stops(json)
    let least = Self.size(json["minSize"], scaling)
    let greatest = Self.size(json["maxSize"], scaling)
    let low = json.number("minDataValue")
    if !stops.isEmpty {
      rule = .stops(NumberRamp(stops))
    } else if let low, let high = json.number("maxDataValue"), let least, let greatest {
      rule = .stops(NumberRamp([(low, least), (high, greatest)]))
    } else if let unit = json.text("valueUnit").flatMap({ Self.metersPerUnit[$0] }) {
      rule = .ground(unit * scaling.pixelsPerMeter)
    } else if let low, low > 0, let least {
      rule = .proportional(size: least, value: low, least...max(greatest ?? .infinity, least))
    } else {
      return nil
    }
  }

  /// The size in pixels at a value; `nil` where there is none.
  func pixels(for value: Double) -> Double? {
    let size: Double?
    switch rule {
    case .stops(let stops):
      size = stops.number(at: value).map { $0 * scaling.pixelsPerPoint }
    case .ground(let pixels): size = across(value) * pixels
    case .proportional(let start, let least, let range):
      let factor = representation == "area" ? max(value / least, 0).squareRoot() : value / least
      size = min(max(start * factor, range.lowerBound), range.upperBound) * scaling.pixelsPerPoint
    }
    return size.flatMap { $0.isNaN ? nil : min(max($0, 0), SymbolReader.maximumLength) }
  }

  /// The width of a symbol whose value is a radius or an area.
  private func across(_ value: Double) -> Double {
    switch representation {
    case "radius", "distance": value * 2
    case "area": 2 * (max(value, 0) / .pi).squareRoot()
    default: value
    }
  }

  private static func stops(_ json: JSONObject) -> [(Double, Double)] {
    json.objects("stops").compactMap { stop in
      guard let value = stop.number("value"), let size = stop.number("size") else { return nil }
      return (value, size)
    }
  }

  /// A size in points: a number, or stops by scale.
  private static func size(_ json: JSONValue?, _ scaling: SymbolScaling) -> Double? {
    guard let object = json?.object else { return json?.lenientNumber }
    return NumberRamp(stops(object)).number(at: scaling.viewScale)
  }
}
