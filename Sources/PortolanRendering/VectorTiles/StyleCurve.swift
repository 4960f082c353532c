internal import Foundation
internal import PortolanJSON
internal import PortolanMap

/// A value that follows another, in steps or smoothly.
struct StyleCurve: Sendable {
  private enum Shape {
    case steps
    /// The greater the base, the later the value rises.
    case exponential(base: Double)
    /// Only inputs that are stops have a value.
    case categories([StyleValue])
  }

  /// Curves with more stops are cut.
  private static let maximumStops = 2000

  private let shape: Shape
  private let input: StyleExpression
  private let stops: [(at: Double, value: StyleExpression)]
  private let fallback: StyleExpression?

  /// Reads `step` and `interpolate`.
  init?(expression list: [JSONValue], depth: Int) {
    let isStep = list.first?.string == "step"
    let first = isStep ? 1 : 2
    guard list.count > first + 1, let input = StyleExpression(list[first], depth: depth) else {
      return nil
    }
    self.input = input
    var stops: [(at: Double, value: StyleExpression)] = []
    var index = first + 1
    if isStep {
      guard let value = StyleExpression(list[index], depth: depth) else { return nil }
      stops.append((-.infinity, value))
      index += 1
    }
    while index + 1 < list.count, stops.count < Self.maximumStops {
      guard let at = list[index].lenientNumber,
        let value = StyleExpression(list[index + 1], depth: depth)
      else { return nil }
      stops.append((at, value))
      index += 2
    }
    let kind = list[1].array
    let base = kind?.first?.string == "exponential" ? kind?.dropFirst().first?.lenientNumber : 1
    shape = isStep ? .steps : .exponential(base: base ?? 1)
    self.stops = stops
    fallback = nil
  }

  /// Reads a function of older styles: `{"base", "stops", "property", "type", "default"}`.
  init?(function json: JSONObject, depth: Int) {
    guard let pairs = json["stops"]?.array, !pairs.isEmpty else { return nil }
    let property = json.text("property")
    input = .call(property == nil ? "zoom" : "get", property.map { [.literal(.text($0))] } ?? [])
    fallback = json["default"].flatMap { StyleExpression($0, depth: depth) }
    var stops: [(at: Double, value: StyleExpression)] = []
    var labels: [StyleValue] = []
    for pair in pairs.prefix(Self.maximumStops) {
      guard let parts = pair.array, parts.count == 2,
        let value = StyleExpression(parts[1], depth: depth)
      else { return nil }
      // Stops of both zoom and property are read as those of the property.
      let at = parts[0].object?["value"] ?? parts[0]
      labels.append(StyleValue(at))
      stops.append((at.lenientNumber ?? 0, value))
    }
    self.stops = stops
    switch json.text("type") {
    case "categorical": shape = .categories(labels)
    case "interval": shape = .steps
    case "identity": return nil
    case nil where labels.contains { $0.number == nil }: shape = .categories(labels)
    default: shape = .exponential(base: json.number("base") ?? 1)
    }
  }

  func value(_ context: StyleContext, _ scope: [String: StyleValue]) -> StyleValue {
    let input = input.value(context, scope)
    let value: StyleValue?
    if case .categories(let labels) = shape {
      value = labels.firstIndex(of: input).map { stops[$0].value.value(context, scope) }
    } else {
      value = input.number.map { self.value(at: $0, context, scope) }
    }
    return value ?? fallback?.value(context, scope) ?? .null
  }

  private func value(
    at place: Double, _ context: StyleContext, _ scope: [String: StyleValue]
  ) -> StyleValue {
    guard let next = stops.firstIndex(where: { place < $0.at }) else {
      return stops.last?.value.value(context, scope) ?? .null
    }
    guard next > 0 else { return stops[0].value.value(context, scope) }
    let (low, high) = (stops[next - 1], stops[next])
    let first = low.value.value(context, scope)
    guard case .exponential(let base) = shape else { return first }
    return first.mixed(
      with: high.value.value(context, scope),
      share: Self.share(place - low.at, of: high.at - low.at, base: base))
  }

  private static func share(_ passed: Double, of whole: Double, base: Double) -> Double {
    guard whole > 0 else { return 0 }
    guard base > 0, abs(base - 1) > 1e-6 else { return passed / whole }
    return (pow(base, passed) - 1) / (pow(base, whole) - 1)
  }
}

extension StyleValue {
  /// A value between two; the first where there is nothing between.
  func mixed(with other: StyleValue, share: Double) -> StyleValue {
    if case .number(let low) = self, let high = other.number {
      return .number(low + (high - low) * share)
    }
    if case .list(let low) = self, case .list(let high) = other, low.count == high.count {
      return .list(zip(low, high).map { $0.mixed(with: $1, share: share) })
    }
    guard let low = color, let high = other.color else { return self }
    return .color(low.mixed(with: high, share: share))
  }
}
