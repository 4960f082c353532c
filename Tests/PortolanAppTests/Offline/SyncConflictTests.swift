import PortolanFeatures
import Testing

@testable import PortolanApp
@testable import PortolanGeodatabase
@testable import PortolanOffline

/// The messages about an edit that a service has refused.
struct SyncConflictTests {
  private static let fields = [
    Field("OBJECTID", .objectID, isEditable: false), Field("NAME", .string, alias: "Name"),
    Field("BANDS", .string, alias: "Bands"), Field("EDITED", .date, isEditable: false),
    Field("FILE", .blob),
  ]

  private func conflict(
    _ edit: String, mine: [String: AttributeValue]?, theirs: [String: AttributeValue]?
  ) -> SyncModel.Conflict {
    func feature(_ values: [String: AttributeValue]) -> Feature {
      let list = FieldList(Self.fields)
      return Feature(
        objectID: 7, attributes: Attributes(list, list.fields.map { values[$0.name] ?? .null }),
        geometry: nil)
    }
    return SyncModel.Conflict(
      OfflineMapSyncTask.Conflict(
        id: 1, path: "p13/replica.geodatabase",
        issue: SyncIssue(
          id: 1, kind: .rejected, table: "Lighthouses", layerID: 1, objectID: 7, globalID: "{A}",
          edit: edit, theirs: nil, isGoneThere: false, code: 1000, reason: "Bands are required."),
        fields: Self.fields, mine: mine.map(feature), theirs: theirs.map(feature)))
  }

  @Test func `A refused change shows what was edited beside what the service has`() {
    let found = conflict(
      "update", mine: ["NAME": .text("New"), "EDITED": .integer(2)],
      theirs: ["NAME": .text("Old"), "EDITED": .integer(1)])
    #expect(
      found.differences == [.init(field: "NAME", label: "Name", mine: "New", theirs: "Old")])
    // The value that the service wants may be one that nobody has edited.
    #expect(found.values.map(\.name) == ["NAME", "BANDS"])
    #expect(found.values.map(\.label) == ["Name", "Bands"])
    #expect(found.values.map(\.text) == ["New", ""])
    #expect(found.canEdit && !found.isConflict && !found.isMovedApart)
  }

  @Test func `A refused new feature shows its values, which can be changed`() {
    let found = conflict("add", mine: ["NAME": .text("New")], theirs: nil)
    #expect(
      found.differences == [.init(field: "NAME", label: "Name", mine: "New", theirs: nil)])
    #expect(found.canEdit && found.values.count == 2)
  }

  @Test func `A refused deletion shows what the service keeps`() {
    let found = conflict("delete", mine: nil, theirs: ["NAME": .text("Old")])
    #expect(
      found.differences == [.init(field: "NAME", label: "Name", mine: nil, theirs: "Old")])
    #expect(!found.canEdit && found.values.isEmpty)
  }

  @Test func `Refused attachments leave nothing to be typed`() {
    let found = conflict(
      "attachments", mine: ["NAME": .text("Old")], theirs: ["NAME": .text("Old")])
    #expect(found.differences.isEmpty && found.values.isEmpty)
  }
}
