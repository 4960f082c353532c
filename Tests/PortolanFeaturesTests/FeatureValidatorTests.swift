import PortolanFeatures
import Testing

@Suite struct FeatureValidatorTests {
  private static let validator = FeatureValidator(
    FeatureTableSchema(
      name: "Places",
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("NAME", .string, length: 4),
      ]))

  /// An e with an accent of its own is one character to people and two code points to stores.
  private static let accented = "e\u{301}"

  @Test func `Text is measured in code points, as stores do`() throws {
    let place = EditPlace(table: "Places")
    let fits = String(repeating: Self.accented, count: 2)
    let values = try Self.validator.valuesOfNewFeature(["NAME": .text(fits)], at: place)
    #expect(values["NAME"] == .text(fits))
    #expect(throws: FeatureEditError.textTooLong(field: "NAME", length: 6, limit: 4, place)) {
      let long = String(repeating: Self.accented, count: 3)
      _ = try Self.validator.valuesOfNewFeature(["NAME": .text(long)], at: place)
    }
  }

  // MARK: - Subtypes

  private static let few = Domain.range(
    RangeDomain(name: "Few", minimum: .integer(0), maximum: .integer(4)))

  /// Huts of one kind have few beds.
  private static let huts = FeatureTableSchema(
    name: "Huts",
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false), Field("KIND", .integer),
      Field("BEDS", .integer),
    ], typeIDField: "KIND",
    types: [
      FeatureType(id: .integer(1), name: "Small", domains: ["BEDS": few]),
      FeatureType(id: .integer(2), name: "Large"),
    ])

  private func change(_ values: [String: AttributeValue], kind: Int64, beds: Int64) throws {
    let row = Attributes(
      FieldList(Self.huts.fields), [.integer(1), .integer(kind), .integer(beds)])
    _ = try FeatureValidator(Self.huts).changedValues(
      values, of: row, at: EditPlace(table: "Huts"))
  }

  @Test func `A feature that becomes of another kind has to fit it with all its values`() throws {
    try change(["KIND": .integer(1)], kind: 2, beds: 4)
    #expect(
      throws: FeatureEditError.valueNotInDomain(
        field: "BEDS", value: .integer(30), domain: Self.few, EditPlace(table: "Huts"))
    ) { try change(["KIND": .integer(1)], kind: 2, beds: 30) }
    try change(["KIND": .integer(1), "BEDS": .integer(3)], kind: 2, beds: 30)
    try change(["KIND": .integer(2)], kind: 1, beds: 30)
    #expect(throws: FeatureEditError.self) { try change(["BEDS": .integer(5)], kind: 1, beds: 3) }
    #expect(throws: FeatureEditError.self) { try change(["KIND": .integer(3)], kind: 1, beds: 3) }
  }

  // MARK: - Domains

  @Test(arguments: [(-1, false), (0, true), (2, true), (4, true), (5, false)])
  func `A range ends with its ends`(value: Int64, isAllowed: Bool) {
    #expect(Self.few.allows(.integer(value)) == isAllowed)
    #expect(Self.few.allows(.double(Double(value))) == isAllowed)
  }

  @Test func `Only the codes of a list are allowed`() {
    let domain = Domain.codedValue(
      CodedValueDomain(name: "Kinds", codedValues: [CodedValue(code: .integer(1), name: "One")]))
    #expect(domain.allows(.integer(1)) && domain.allows(.double(1)))
    #expect(!domain.allows(.integer(2)) && !domain.allows(.text("One")))
  }
}
