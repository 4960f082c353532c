import Foundation
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

  @Test func `Defaults that only a service can compute are left to it`() throws {
    let validator = FeatureValidator(
      FeatureTableSchema(
        name: "Sightings",
        fields: [
          Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
          Field("KEY", .guid, defaultValue: .text("NEWID() WITH VALUES")),
          Field("SEEN", .date, defaultValue: .text("GETDATE()")),
          Field("COUNT", .integer, defaultValue: .integer(1)),
        ]))
    let values = try validator.valuesOfNewFeature([:], at: EditPlace(table: "Sightings"))
    #expect(values == ["COUNT": .integer(1)])
  }

  @Test func `A value that the database computes may be left out, but not be removed`() throws {
    var key = Field("KEY", .string, isNullable: false)
    key.hasComputedDefault = true
    let validator = FeatureValidator(FeatureTableSchema(name: "Keys", fields: [key]))
    let place = EditPlace(table: "Keys")
    #expect(try validator.valuesOfNewFeature([:], at: place) == [:])
    #expect(try validator.valuesOfNewFeature(["key": .null], at: place) == [:])
    #expect(try validator.valuesOfNewFeature(["KEY": .text("a")], at: place) == ["KEY": .text("a")])
    let row = Attributes(FieldList([key]), [.text("a")])
    #expect(throws: FeatureEditError.nullNotAllowed(field: "KEY", place)) {
      try validator.changedValues(["KEY": .null], of: row, at: place)
    }
  }

  @Test func `A field is decoded that was encoded without what the database computes`() throws {
    let json =
      #"{"name":"A","alias":"A","type":"esriFieldTypeString","isNullable":true,"isEditable":true}"#
    let field = try JSONDecoder().decode(Field.self, from: Data(json.utf8))
    #expect(field == Field("A", .string) && !field.hasComputedDefault)
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

  @Test(arguments: [(0, false), (1, true), (2, true), (3, true), (4, false)])
  func `A range of moments ends with its ends`(day: Double, isAllowed: Bool) {
    func moment(_ day: Double) -> AttributeValue {
      .date(Date(timeIntervalSince1970: 1_600_000_000 + day * 86_400))
    }
    let domain = Domain.range(
      RangeDomain(name: "Season", minimum: moment(1), maximum: moment(3)))
    #expect(domain.allows(moment(day)) == isAllowed)
  }

  @Test func `What a field of single precision holds is what its domain lists and limits`() throws {
    let codes = CodedValueDomain(
      name: "Widths", codedValues: [CodedValue(code: .double(0.1), name: "Narrow")])
    let shares = Domain.range(
      RangeDomain(name: "Shares", minimum: .double(0.7), maximum: .double(1.1)))
    let validator = FeatureValidator(
      FeatureTableSchema(
        name: "Ways",
        fields: [
          Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
          Field("WIDTH", .single, domain: .codedValue(codes)),
          Field("SHARE", .single, domain: shares),
        ]))
    let place = EditPlace(table: "Ways")
    for share in [0.7, 1.1] {
      let values = try validator.valuesOfNewFeature(
        ["WIDTH": .double(0.1), "SHARE": .double(share)], at: place)
      #expect(values["WIDTH"] == .double(Double(Float(0.1))))
      let width = try #require(values["WIDTH"])
      #expect(codes.name(of: width) == "Narrow")
    }
    #expect(throws: FeatureEditError.self) {
      _ = try validator.valuesOfNewFeature(["WIDTH": .double(0.11)], at: place)
    }
    #expect(throws: FeatureEditError.self) {
      _ = try validator.valuesOfNewFeature(["SHARE": .double(1.11)], at: place)
    }
  }
}
