internal import PortolanFeatures
internal import PortolanJSON

/// The first features of each group, as `queryTopFeatures` asks for them.
struct TopFilter {
  private let groups: [String]
  private let count: Int
  private let order: FeatureQuery

  /// Reads `topFilter`.
  init(
    _ parameters: DemoParameters, of table: HostedTable, in options: FeatureServiceOptions
  ) throws {
    guard let filter = try parameters.json("topFilter"), let count = filter["topCount"]?.int,
      count > 0
    else { throw DemoFailure.badQuery("'topFilter' parameter is invalid") }
    self.count = count
    groups = Self.names(filter["groupByFields"])
    let fields = Self.names(filter["orderByFields"]).joined(separator: ",")
    order = try FeatureQuery(
      DemoParameters([("where", "1=1"), ("orderByFields", fields)]), of: table, in: options)
  }

  /// Fields as a list, or in one text.
  private static func names(_ json: JSONValue?) -> [String] {
    let texts = json?.array?.compactMap(\.string) ?? [json?.string].compactMap { $0 }
    return texts.flatMap { $0.split(separator: ",") }.map { $0.trimmedOfBlanks }
      .filter { !$0.isEmpty }
  }

  /// The features that come first, group by group in the order of the first of each.
  func first(of features: [Feature], in table: HostedTable) throws(DemoFailure) -> [Feature] {
    var positions: [Int] = []
    for name in groups {
      guard let position = table.fields.position(of: name) else {
        throw .badQuery("'Invalid field: \(name)' parameter is invalid")
      }
      positions.append(position)
    }
    var taken: [[AttributeValue]: Int] = [:]
    return try order.ordered(features, in: table).filter { feature in
      let key = positions.map { feature.attributes.values[$0] }
      taken[key, default: 0] += 1
      return taken[key, default: 0] <= count
    }
  }
}
