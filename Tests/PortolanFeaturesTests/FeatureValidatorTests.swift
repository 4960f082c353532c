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
}
