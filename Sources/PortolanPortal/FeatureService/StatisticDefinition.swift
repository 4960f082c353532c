internal import PortolanJSON

/// A figure that a service computes from the features that match.
public struct StatisticDefinition: Hashable, Sendable {
  /// The statistic.
  public enum Kind: String, Sendable, CaseIterable {
    case count, sum, min, max
    case average = "avg"
    case standardDeviation = "stddev"
    case variance = "var"
  }

  /// The field that it is computed from.
  public var field: String
  /// The statistic.
  public var kind: Kind
  /// The name of the figure in the answer.
  public var outName: String

  /// Creates a definition; the figure is called after its kind and field by default.
  public init(_ kind: Kind, of field: String, as outName: String? = nil) {
    self.kind = kind
    self.field = field
    self.outName = outName ?? "\(kind.rawValue)_\(field)"
  }

  /// The definition as services take it.
  var json: JSONValue {
    [
      "statisticType": .string(kind.rawValue), "onStatisticField": .string(field),
      "outStatisticFieldName": .string(outName),
    ]
  }
}
