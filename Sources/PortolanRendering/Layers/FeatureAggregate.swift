internal import PortolanFeatures
internal import PortolanGeometry

/// Features that are drawn as one.
struct FeatureAggregate {
  /// Different values of one field that are counted; of more the first ones.
  private static let maximumValues = 64

  /// The fields in which documents look for the number of features.
  static let countNames = ["cluster_count", "aggregateCount"]

  private(set) var count = 0
  /// The first of the features.
  let first: Feature
  /// The cell of a bin, in map coordinates.
  let cell: Envelope?
  private var sum = Coordinate(x: 0, y: 0)
  private let fields: [AggregateField]
  private var statistics: [RunningStatistic]

  init(_ first: Feature, cell: Envelope?, fields: [AggregateField]) {
    self.first = first
    self.cell = cell
    self.fields = fields
    statistics = fields.map { RunningStatistic(keepsValues: $0.statistic == .mode) }
  }

  /// The middle of the features, in pixels.
  var center: Coordinate {
    Coordinate(x: sum.x / Double(max(count, 1)), y: sum.y / Double(max(count, 1)))
  }

  mutating func add(_ feature: Feature, at place: Coordinate) {
    count += 1
    sum = Coordinate(x: sum.x + place.x, y: sum.y + place.y)
    for (index, field) in fields.enumerated() {
      guard let source = field.source, let value = feature.attributes[source] else { continue }
      statistics[index].add(value, limit: Self.maximumValues)
    }
  }

  /// Takes in the features of another aggregate.
  mutating func merge(_ other: FeatureAggregate) {
    count += other.count
    sum = Coordinate(x: sum.x + other.sum.x, y: sum.y + other.sum.y)
    for index in statistics.indices {
      statistics[index].merge(other.statistics[index], limit: Self.maximumValues)
    }
  }

  /// The aggregate's attributes as a feature: its fields, and the number of features under the
  /// names that documents use for it.
  var attributes: Attributes {
    let counts = Self.countNames.filter { name in
      !fields.contains { $0.name == name }
    }
    let names = fields.map(\.name) + counts
    let values =
      zip(fields, statistics).map { field, statistic in
        field.statistic == .count
          ? AttributeValue.integer(Int64(count)) : statistic.value(field.statistic)
      } + counts.map { _ in .integer(Int64(count)) }
    return Attributes(FieldList(names.map { Field($0, .double) }), values)
  }
}

/// The running values of a statistic of a field.
private struct RunningStatistic {
  private let keepsValues: Bool
  private var numbers = 0
  private var sum = 0.0
  private var least = Double.infinity
  private var greatest = -Double.infinity
  private var occurrences: [AttributeValue: Int] = [:]

  init(keepsValues: Bool) { self.keepsValues = keepsValues }

  mutating func add(_ value: AttributeValue, limit: Int) {
    if keepsValues, occurrences.count < limit || occurrences[value] != nil {
      occurrences[value, default: 0] += 1
    }
    guard let number = value.number, number.isFinite else { return }
    numbers += 1
    sum += number
    least = min(least, number)
    greatest = max(greatest, number)
  }

  mutating func merge(_ other: RunningStatistic, limit: Int) {
    for (value, count) in other.occurrences
    where occurrences.count < limit || occurrences[value] != nil {
      occurrences[value, default: 0] += count
    }
    numbers += other.numbers
    sum += other.sum
    least = min(least, other.least)
    greatest = max(greatest, other.greatest)
  }

  func value(_ statistic: AggregateField.Statistic) -> AttributeValue {
    if statistic == .mode {
      // Of values that are as frequent, always the same one.
      return occurrences.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key ?? .null
    }
    guard numbers > 0 else { return .null }
    return switch statistic {
    case .sum: .double(sum)
    case .min: .double(least)
    case .max: .double(greatest)
    default: .double(sum / Double(numbers))
    }
  }
}
