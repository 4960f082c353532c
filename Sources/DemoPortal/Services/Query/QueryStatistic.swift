internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// A number over the values of a field, as `outStatistics` asks for it.
struct QueryStatistic: Sendable {
  /// The kind of a statistic.
  enum Kind: String, Sendable {
    case count
    case sum
    case min
    case max
    case average = "avg"
    case standardDeviation = "stddev"
    case variance = "var"
    case percentile = "percentile_cont"
    case percentileOfValues = "percentile_disc"
  }

  let kind: Kind
  let field: String
  /// The name of the value in the answer.
  let name: String
  /// The part of the values that lies below a percentile.
  let fraction: Double
  /// Whether a percentile counts from the greatest value.
  let isDescending: Bool

  /// Reads an entry of `outStatistics`.
  init(json: JSONValue) throws(DemoFailure) {
    guard let field = json["onStatisticField"]?.string,
      let kind = json["statisticType"]?.string.flatMap({ Kind(rawValue: $0.lowercased()) })
    else { throw .badQuery("'outStatistics' parameter is invalid") }
    self.kind = kind
    self.field = field
    name = json["outStatisticFieldName"]?.string ?? "\(kind.rawValue)_\(field)"
    let parameters = json["statisticParameters"]
    fraction = parameters?["value"]?.double ?? 0.5
    isDescending = parameters?["orderBy"]?.string?.lowercased() == "desc"
    guard (0...1).contains(fraction) else {
      throw .badQuery("'outStatistics' parameter is invalid")
    }
  }

  /// The field that holds the result.
  func outField(of source: Field) -> Field {
    switch kind {
    case .count: Field(name, .integer)
    case .min, .max, .percentileOfValues: Field(name, source.type, length: source.length)
    case .sum, .average, .standardDeviation, .variance, .percentile: Field(name, .double)
    }
  }

  /// The result over the values of some features; `null` counts nowhere.
  func value(of values: [AttributeValue]) -> AttributeValue {
    let present = values.filter { !$0.isNull }
    switch kind {
    case .count: return .integer(Int64(present.count))
    case .min: return present.min { $0.sortOrder($1) < 0 } ?? .null
    case .max: return present.max { $0.sortOrder($1) < 0 } ?? .null
    case .percentileOfValues:
      let sorted = ordered(present)
      guard !sorted.isEmpty else { return .null }
      let place = Int((fraction * Double(sorted.count)).rounded(.up))
      return sorted[max(0, place - 1)]
    case .percentile:
      let numbers = ordered(present).compactMap(\.number)
      return numbers.isEmpty ? .null : .double(between(numbers))
    case .sum, .average, .standardDeviation, .variance:
      let numbers = present.compactMap(\.number)
      guard !numbers.isEmpty else { return .null }
      return .double(moment(of: numbers))
    }
  }

  private func ordered(_ values: [AttributeValue]) -> [AttributeValue] {
    values.sorted { isDescending ? $0.sortOrder($1) > 0 : $0.sortOrder($1) < 0 }
  }

  /// The value at a fraction of the way along sorted numbers.
  private func between(_ numbers: [Double]) -> Double {
    let place = fraction * Double(numbers.count - 1)
    let (lower, upper) = (Int(place.rounded(.down)), Int(place.rounded(.up)))
    return numbers[lower] + (numbers[upper] - numbers[lower]) * (place - Double(lower))
  }

  private func moment(of numbers: [Double]) -> Double {
    let sum = numbers.reduce(0, +)
    let mean = sum / Double(numbers.count)
    if kind == .sum { return sum }
    if kind == .average { return mean }
    guard numbers.count > 1 else { return 0 }
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let variance = squares / Double(numbers.count - 1)
    return kind == .variance ? variance : variance.squareRoot()
  }
}

extension QueryStatistic {
  /// The answer to a query for statistics: a row a group, in the order of the groups' values.
  static func rows(
    _ statistics: [QueryStatistic], groupedBy names: [String], of features: [Feature],
    in fields: FieldList, ordered orderBy: [QueryParameters.OrderBy]
  ) throws(DemoFailure) -> (FieldList, [Attributes]) {
    let keys = try names.map { (name) throws(DemoFailure) in try position(of: name, in: fields) }
    let sources = try statistics.map { (item) throws(DemoFailure) in
      try position(of: item.field, in: fields)
    }
    let list = FieldList(
      keys.map { fields.fields[$0] }
        + zip(statistics, sources).map { $0.outField(of: fields.fields[$1]) })
    var groups = Dictionary(grouping: features) { feature in
      keys.map { feature.attributes.values[$0] }
    }
    if groups.isEmpty, keys.isEmpty { groups[[]] = [] }
    var rows = groups.map { key, members in
      Attributes(
        list,
        key
          + zip(statistics, sources).map { statistic, source in
            statistic.value(of: members.map { $0.attributes.values[source] })
          })
    }
    rows.sort { precedes($0, $1, orderBy) }
    return (list, rows)
  }

  private static func position(
    of name: String, in fields: FieldList
  ) throws(DemoFailure) -> Int {
    guard let position = fields.position(of: name) else {
      throw .badQuery("'Invalid field: \(name)' parameter is invalid")
    }
    return position
  }

  private static func precedes(
    _ left: Attributes, _ right: Attributes, _ order: [QueryParameters.OrderBy]
  ) -> Bool {
    for term in order {
      let result = (left[term.field] ?? .null).sortOrder(right[term.field] ?? .null)
      if result != 0 { return term.isDescending ? result > 0 : result < 0 }
    }
    for (one, other) in zip(left.values, right.values) {
      let result = one.sortOrder(other)
      if result != 0 { return result < 0 }
    }
    return false
  }
}
