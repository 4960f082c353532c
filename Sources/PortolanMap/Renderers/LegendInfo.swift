/// A line of a legend.
public struct LegendInfo: Hashable, Sendable, Codable {
  /// The features that the entry stands for.
  public enum Value: Hashable, Sendable, Codable {
    /// All features.
    case all
    /// Features with one of these combinations of values, one text a field.
    case values([[String]])
    /// Features in a range, whose upper end belongs to it; `nil` where it is open.
    case range(minimum: Double?, maximum: Double)
    /// Features that no other line stands for.
    case others
    /// No features of their own: a part of each, as a slice of a pie.
    case part
  }

  /// The swatch beside the name.
  public enum Swatch: Hashable, Sendable, Codable {
    case symbol(Symbol)
    /// A ramp, from the first stop to the last.
    case ramp([ColorStop])
    /// Nothing: such features are not drawn, or nothing is known.
    case none
  }

  /// The name for people; may be empty.
  public var name: String
  /// The swatch beside the name.
  public var swatch: Swatch
  /// The features that the entry stands for.
  public var value: Value
  /// The heading over this line and the next ones with the same, if any.
  public var heading: String?

  /// Creates a line.
  public init(name: String, swatch: Swatch, value: Value = .all, heading: String? = nil) {
    self.name = name
    self.swatch = swatch
    self.value = value
    self.heading = heading
  }

  init(name: String, symbol: Symbol?, value: Value, heading: String? = nil) {
    self.init(
      name: name, swatch: symbol.map(Swatch.symbol) ?? .none, value: value, heading: heading)
  }

  /// The symbol, if one is drawn.
  public var symbol: Symbol? {
    if case .symbol(let symbol) = swatch { symbol } else { nil }
  }
}
