internal import Foundation
internal import PortolanJSON
internal import PortolanMap

/// A value that follows another, in steps or smoothly.
struct StyleCurve: Sendable {
  private enum Shape {
    case steps
    /// The greater the base, the later the value rises.
    case exponential(base: Double)
    /// Along a curve between (0, 0) and (1, 1) with two points that draw it to them.
    case bezier(UnitBezier)
    /// Only inputs that are stops have a value.
    case categories([StyleValue])
    /// The input is the value.
    case identity

    /// What the type of an older function says; without a base values are not mixed.
    init(function type: String?, labels: [StyleValue], base: Double?) {
      switch type {
      case "categorical": self = .categories(labels)
      case "interval": self = .steps
      case nil where labels.contains { $0.number == nil }: self = .categories(labels)
      default: self = base.map { .exponential(base: $0) } ?? .steps
      }
    }

    /// Reads `["linear"]`, `["exponential", base]` and `["cubic-bezier", x1, y1, x2, y2]`.
    init?(interpolation json: JSONValue) {
      let numbers = json.array?.dropFirst().compactMap(\.lenientNumber) ?? []
      switch (json.array?.first?.string, numbers.count) {
      case ("linear", _): self = .exponential(base: 1)
      case ("exponential", 1): self = .exponential(base: numbers[0])
      case ("cubic-bezier", 4):
        self = .bezier(UnitBezier(numbers[0], numbers[1], numbers[2], numbers[3]))
      default: return nil
      }
    }
  }

  /// Curves with more stops are cut.
  private static let maximumStops = 2000

  private let shape: Shape
  private let input: StyleExpression
  private let stops: [(at: Double, value: StyleExpression)]
  private let fallback: StyleExpression?

  /// Reads `step` and `interpolate`.
  init?(
    expression list: [JSONValue], depth: Int, isResult: Bool,
    _ reader: inout StyleExpressionReader
  ) {
    let isStep = list.first?.string == "step"
    let first = isStep ? 1 : 2
    guard list.count > first + 1,
      let input = reader.expression(list[first], depth: depth, isResult: false)
    else { return nil }
    self.input = input
    var stops: [(at: Double, value: StyleExpression)] = []
    var index = first + 1
    if isStep {
      guard let value = reader.expression(list[index], depth: depth, isResult: isResult) else {
        return nil
      }
      stops.append((-.infinity, value))
      index += 1
    }
    while index + 1 < list.count, stops.count < Self.maximumStops {
      guard let at = list[index].lenientNumber,
        let value = reader.expression(list[index + 1], depth: depth, isResult: isResult)
      else { return nil }
      stops.append((at, value))
      index += 2
    }
    guard let shape = isStep ? .steps : Shape(interpolation: list[1]) else { return nil }
    self.shape = shape
    self.stops = stops
    fallback = nil
  }

  /// Reads a function of older styles: `{"base", "stops", "property", "type", "default"}`.
  init?(function json: JSONObject, depth: Int, _ reader: inout StyleExpressionReader) {
    let property = json.text("property")
    let type = json.text("type")
    let pairs = json["stops"]?.array?.prefix(Self.maximumStops).compactMap(\.array) ?? []
    guard type == "identity" || (!pairs.isEmpty && pairs.allSatisfy { $0.count == 2 }) else {
      return nil
    }
    if property != nil, pairs.contains(where: { $0.first?.object != nil }) {
      guard let zooms = Self.zooms(json, Array(pairs), depth, &reader) else { return nil }
      self = zooms
      return
    }
    if let usual = json["default"] {
      guard let usual = reader.expression(usual, depth: depth) else { return nil }
      fallback = usual
    } else {
      fallback = nil
    }
    input = .call(property == nil ? .zoom : .get, property.map { [.literal(.text($0))] } ?? [])
    guard type != "identity" else {
      (shape, stops) = (.identity, [])
      return
    }
    var stops: [(at: Double, value: StyleExpression)] = []
    for pair in pairs {
      guard let value = reader.expression(pair[1], depth: depth) else { return nil }
      stops.append((pair[0].lenientNumber ?? 0, value))
    }
    self.stops = stops
    let mixed = reader.mixesValues ? json.number("base") ?? 1 : nil
    shape = Shape(function: type, labels: pairs.map { StyleValue($0[0]) }, base: mixed)
  }

  private init(_ shape: Shape, _ stops: [(at: Double, value: StyleExpression)]) {
    self.shape = shape
    self.stops = stops
    input = .call(.zoom, [])
    fallback = nil
  }

  /// Reads stops of both zoom and property: for each zoom a function of the property.
  private static func zooms(
    _ json: JSONObject, _ pairs: [[JSONValue]], _ depth: Int,
    _ reader: inout StyleExpressionReader
  ) -> StyleCurve? {
    var byZoom: [(zoom: Double, stops: [JSONValue])] = []
    for pair in pairs {
      guard let place = pair[0].object, let zoom = place.number("zoom"),
        let value = place["value"]
      else { return nil }
      let stop: JSONValue = [value, pair[1]]
      if let known = byZoom.firstIndex(where: { $0.zoom == zoom }) {
        byZoom[known].stops.append(stop)
      } else {
        byZoom.append((zoom, [stop]))
      }
    }
    var stops: [(at: Double, value: StyleExpression)] = []
    for (zoom, inner) in byZoom.sorted(by: { $0.zoom < $1.zoom }) {
      var function = json
      function["stops"] = .array(inner)
      guard let curve = StyleCurve(function: function, depth: depth, &reader) else { return nil }
      stops.append((zoom, .curve(curve)))
    }
    let mixes = reader.mixesValues && json.text("type") != "interval"
    return StyleCurve(mixes ? .exponential(base: json.number("base") ?? 1) : .steps, stops)
  }

  func value(_ context: StyleContext, _ scope: [String: StyleValue]) -> StyleValue {
    let input = input.value(context, scope)
    let value: StyleValue? =
      switch shape {
      case .categories(let labels):
        labels.firstIndex(of: input).map { stops[$0].value.value(context, scope) }
      case .identity: input == .null ? nil : input
      default: input.number.map { self.value(at: $0, context, scope) }
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
    guard let share = share(place - low.at, of: high.at - low.at) else { return first }
    return first.mixed(with: high.value.value(context, scope), share: share)
  }

  /// How far between two stops the value is; `nil` where it keeps to the first.
  private func share(_ passed: Double, of whole: Double) -> Double? {
    switch shape {
    case .exponential(let base):
      guard whole > 0 else { return 0 }
      guard base > 0, abs(base - 1) > 1e-6 else { return passed / whole }
      return (pow(base, passed) - 1) / (pow(base, whole) - 1)
    case .bezier(let curve): return whole > 0 ? curve.value(at: passed / whole) : 0
    case .steps, .categories, .identity: return nil
    }
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
