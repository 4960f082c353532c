internal import Foundation
internal import PortolanJSON

/// The interpolation of values between two stops.
enum Interpolation: Sendable {
  /// The greater the base, the later the value rises; 1 is a straight line.
  case exponential(base: Double)
  /// Along a curve between (0, 0) and (1, 1) with two control points.
  case bezier(UnitBezier)

  /// Reads `["linear"]`, `["exponential", base]` or `["cubic-bezier", x1, y1, x2, y2]`; anything
  /// else is noted.
  init?(_ json: JSONValue, _ context: ParsingContext) {
    var inner = context
    inner.path.append(1)
    guard let list = json.array, let name = list.first?.string else {
      context.note("The kind of an interpolation is a list that starts with its name.", at: 1)
      return nil
    }
    let numbers = list.dropFirst().compactMap(\.double)
    switch name {
    case "linear": self = .exponential(base: 1)
    case "exponential":
      guard let base = list.count > 1 ? list[1].double : nil else {
        inner.note("The base of an exponential interpolation is a number.", at: 1)
        return nil
      }
      self = .exponential(base: base)
    case "cubic-bezier":
      guard list.count == 5, numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }) else {
        inner.note("A cubic Bézier interpolation has four numbers from 0 to 1.", at: 1)
        return nil
      }
      self = .bezier(UnitBezier(numbers[0], numbers[1], numbers[2], numbers[3]))
    default:
      inner.note("\"\(name.prefix(60))\" is not a kind of interpolation.", at: 0)
      return nil
    }
  }

  /// The share of the upper value at a position.
  func share(of place: Double, between low: Double, and high: Double) -> Double {
    let (whole, passed) = (high - low, place - low)
    guard whole > 0 else { return 0 }
    switch self {
    case .exponential(let base):
      guard base != 1 else { return passed / whole }
      let share = (pow(base, passed) - 1) / (pow(base, whole) - 1)
      // Bases beyond sense overflow; the end of the curve is what they tend to.
      return share.isFinite ? share : passed >= whole ? 1 : 0
    case .bezier(let curve): return curve.value(at: passed / whole)
    }
  }
}

extension StyleValue {
  /// A value between this and another; `nil` if there is none.
  func mixed(with other: StyleValue, share: Double, in space: ColorSpace) -> StyleValue? {
    func mix(_ low: Double, _ high: Double) -> Double { low + (high - low) * share }
    switch (self, other) {
    case (.number(let low), .number(let high)): return .number(mix(low, high))
    case (.color(let low), .color(let high)):
      return .color(low.mixed(with: high, share: share, in: space))
    case (.padding(let low), .padding(let high)): return .padding(zip(low, high).map(mix))
    case (.numberArray(let low), .numberArray(let high)):
      return low.count == high.count ? .numberArray(zip(low, high).map(mix)) : nil
    case (.colorArray(let low), .colorArray(let high)):
      guard low.count == high.count else { return nil }
      return .colorArray(zip(low, high).map { $0.mixed(with: $1, share: share, in: space) })
    case (.list(let low), .list(let high)):
      let numbers = zip(low, high).compactMap { low, high -> StyleValue? in
        guard let low = low.number, let high = high.number else { return nil }
        return .number(mix(low, high))
      }
      return numbers.count == low.count && low.count == high.count ? .list(numbers) : nil
    case (.anchorOffsets(let low), .anchorOffsets(let high)):
      guard low.map(\.anchor) == high.map(\.anchor) else { return nil }
      return .anchorOffsets(
        zip(low, high).map {
          AnchorOffset(anchor: $0.anchor, x: mix($0.x, $1.x), y: mix($0.y, $1.y))
        })
    default:
      guard let low = projectionName, let high = other.projectionName else { return nil }
      return .projection(from: low, to: high, transition: share)
    }
  }

  private var projectionName: String? {
    switch self {
    case .text(let name): name
    case .projection(_, let to, _): to
    case .list(let parts): parts.dropFirst().first?.string
    default: nil
    }
  }
}
