import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of a replica when its service has other fields than it had.
@Suite(.temporaryDirectory) struct SyncedSchemaTests {
  /// A site as others have changed it, with the given values only.
  private func layer(_ values: [String: AttributeValue]) -> GeodatabaseDelta.Layer {
    var fields = [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)]
    var attributes: [AttributeValue] = [.null]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      fields.append(Field(name, .string, length: 40))
      attributes.append(value)
    }
    let schema = FeatureTableSchema(name: "Sites", fields: fields, globalIDField: "GlobalID")
    return GeodatabaseDelta.Layer(
      layerID: 0, schema: schema, serverGeneration: 2,
      updates: [Feature(objectID: 0, attributes: Attributes(FieldList(fields), attributes))])
  }

  @Test func `A table that lost a field receives nothing, and later receives everything again`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let renamed = layer([
      "GlobalID": .text(SyncedSites.alpha), "PARENT": .null, "TITLE": .text("Theirs"),
    ])
    let note = SyncedSites.feature(.notes, SyncedSites.note, "Open", of: SyncedSites.alpha)
    let notes = GeodatabaseDelta.Layer(
      layerID: 3, schema: SyncedSites.schema(.notes), serverGeneration: 2, updates: [note])
    let receipt = try await copy.receive([renamed, notes])
    #expect(receipt.updates == 1)
    let change = try #require(receipt.changedFields.first)
    #expect(change.missing == ["NAME"] && change.unknown == ["TITLE"] && change.stopsExchange)
    #expect(change.errorDescription?.contains("\"NAME\"") == true)
    #expect(
      try await copy.names() == [["Alpha", "Beta"], ["Autumn", "Spring"], ["Soil"], ["Open"]])
    let state = try #require(try await copy.store.syncState())
    #expect(state.layers.map(\.serverGeneration) == [1, 2, 2, 2])
    #expect(try await copy.changes().isEmpty)
    // Edits of it stay, those of other tables go.
    try await copy.rename(2, in: .sites, "Mine")
    try await copy.rename(1, in: .notes, "Read")
    let upload = try await copy.store.makeUpload(leavingOut: [0])
    #expect(upload.edits.map(\.table) == ["Notes"] && upload.delta.layers.map(\.layerID) == [3])
  }

  @Test func `A field that was added at the service is reported, and the others are received`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let grown = layer([
      "GlobalID": .text(SyncedSites.alpha), "NAME": .text("Theirs"), "PARENT": .null,
      "COLOR": .text("red"), "Shape__Area": .text("1"),
    ])
    let receipt = try await copy.receive([grown])
    #expect(receipt.updates == 1)
    #expect(try await copy.names()[0] == ["Beta", "Theirs"])
    #expect(receipt.changedFields.map(\.unknown) == [["COLOR"]])
    #expect(receipt.changedFields.first?.notice?.contains("\"COLOR\"") == true)
    #expect(try await copy.store.syncState()?.layers.map(\.serverGeneration) == [2, 2, 2, 2])
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `A value of another type is kept beside the features, and edits stay`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(2, in: .sites, "Mine")
    let wrong = layer([
      "GlobalID": .text(SyncedSites.alpha), "NAME": .blob(Data([1])), "PARENT": .null,
    ])
    #expect(try await copy.receive([wrong]).withheld == 1)
    let state = try #require(try await copy.store.syncState())
    #expect(state.layers.map(\.serverGeneration) == [2, 2, 2, 2])
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .unstorable && issue.withheld?.attributes["NAME"] == .blob(Data([1])))
    #expect(try await copy.names()[0] == ["Alpha", "Mine"])
    #expect(try await copy.changes().count == 1)
  }

  @Test func `All new features are sent, however many there are`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.store.apply(
      (1...501).map { .add(NewFeature(attributes: ["NAME": .text("\($0)")]), table: "Sites") })
    let upload = try await copy.store.makeUpload()
    #expect(upload.edits.count == 501)
    #expect(upload.delta.layers.map(\.adds.count) == [501])
    await copy.store.close()
  }
}
