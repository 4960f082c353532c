internal import PortolanFeatures

/// The values that fields of the sample may take.
enum SampleDomains {
  static let access = coded(
    "Access",
    [(1, "Open to visitors"), (2, "Seen from a boat"), (3, "Grounds only, or from a distance")])

  static let difficulty = coded(
    "Difficulty", [(1, "Easy"), (2, "Moderate"), (3, "Strenuous")])

  static let townKind = coded(
    "TownKind", [("capital", "State capital"), ("city", "City"), ("town", "Town")])

  static let parkKind = coded(
    "ParkKind",
    [
      ("national park", "National park"), ("national monument", "National monument"),
      ("state park", "State park"),
    ])

  static let tower = coded(
    "Tower", [("white", "White tower"), ("grey", "Grey tower of bare stone")])

  static let year = Domain.range(
    RangeDomain(name: "Year", minimum: .integer(1600), maximum: .integer(2100)))

  static let population = Domain.range(
    RangeDomain(name: "Population", minimum: .integer(0), maximum: .integer(10_000_000)))

  private static func coded(_ name: String, _ values: [(Int64, String)]) -> Domain {
    .codedValue(
      CodedValueDomain(
        name: name, codedValues: values.map { CodedValue(code: .integer($0.0), name: $0.1) }))
  }

  private static func coded(_ name: String, _ values: [(String, String)]) -> Domain {
    .codedValue(
      CodedValueDomain(
        name: name, codedValues: values.map { CodedValue(code: .text($0.0), name: $0.1) }))
  }
}
