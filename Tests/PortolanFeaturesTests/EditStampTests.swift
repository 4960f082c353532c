import Foundation
import Testing

@testable import PortolanFeatures

/// The editor and date that edits record, and the attachments that they take.
@Suite struct EditStampTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000.25)

  private static let schema = FeatureTableSchema(
    name: "Huts",
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("MADE_BY", .string, length: 6), Field("MADE", .date),
      Field("LAST_BY", .string, isNullable: false), Field("LAST", .date),
    ])

  private static let tracking = EditorTracking(
    creatorField: "made_by", creationDateField: "MADE", editorField: "LAST_BY",
    editDateField: "last")

  private func stamp(
    _ user: String?, isNew: Bool, now: Date = Self.now
  ) -> [String: AttributeValue] {
    Self.tracking.stamp(user: user, now: now, isNew: isNew, in: Self.schema)
  }

  @Test func `A new feature records its creator, up to the field's length; a changed one does not`()
  {
    let moment = AttributeValue.date(Self.now)
    let changed: [String: AttributeValue] = ["LAST_BY": .text("geographer"), "LAST": moment]
    let made: [String: AttributeValue] = ["MADE_BY": .text("geogra"), "MADE": moment]
    #expect(stamp("geographer", isNew: false) == changed)
    #expect(stamp("geographer", isNew: true) == changed.merging(made) { $1 })
  }

  @Test func `Without a signed-in user no other user is named`() {
    let stamp = stamp(nil, isNew: true)
    #expect(stamp["MADE_BY"] == .null && stamp["LAST_BY"] == .text(""))
  }

  @Test(
    arguments: [
      (253_402_300_799.999, true), (253_402_300_800, false), (-210_866_760_001, false),
      (.infinity, false), (.nan, false), (1e300, false),
    ] as [(Double, Bool)])
  func `A clock beyond what fields hold leaves no date`(_ seconds: Double, _ isHeld: Bool) {
    let now = Date(timeIntervalSince1970: seconds)
    let stamp = stamp("geographer", isNew: true, now: now)
    #expect(stamp["LAST"] == (isHeld ? .date(now) : .null))
    #expect(stamp["MADE"] == stamp["LAST"] && stamp["LAST_BY"] == .text("geographer"))
  }

  @Test func `Fields that are not there are not filled`() {
    let tracking = EditorTracking(creatorField: "WHO", editDateField: "LAST")
    let stamp = tracking.stamp(user: "a", now: Self.now, isNew: true, in: Self.schema)
    #expect(stamp == ["LAST": .date(Self.now)])
  }

  @Test(
    arguments: [
      (250, 150, nil), (251, 150, "ATT_NAME"), (250, 151, "CONTENT_TYPE"), (251, 151, "ATT_NAME"),
    ] as [(Int, Int, String?)])
  func `The names of attachments and of their kinds are as long as tables hold`(
    _ name: Int, _ type: Int, _ field: String?
  ) {
    let place = EditPlace(edit: 1, table: "Huts")
    // Characters of several bytes count once.
    let file = NewAttachment(
      name: String(repeating: "ä", count: name), contentType: String(repeating: "ä", count: type),
      data: Data())
    var refusal: FeatureEditError?
    do throws(FeatureEditError) { try file.check(at: place) } catch { refusal = error }
    let limit = field == "ATT_NAME" ? 250 : 150
    #expect(
      refusal
        == field.map {
          FeatureEditError.textTooLong(field: $0, length: limit + 1, limit: limit, place)
        })
  }
}
