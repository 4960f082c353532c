import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanTestSupport
import Testing

@testable import PortolanPackages

/// A file of features that is read, edited and closed.
@Suite(.temporaryDirectory) struct FeatureFileSlotTests {
  /// The event that ends the use of a file for edits.
  enum Ending: CaseIterable {
    case editing, all

    func run(_ slot: FeatureFileSlot) async {
      switch self {
      case .editing: await slot.endEditing()
      case .all: await slot.close()
      }
    }
  }

  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func slot() throws -> FeatureFileSlot {
    let schema = FeatureTableSchema(
      name: "Huts",
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("NAME", .string, length: 40),
      ])
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Huts", tables: [.init(schema)]), now: .distantPast
    ) { UUID() }
    try writer.finish()
    return FeatureFileSlot(
      .editable(url, .geodatabase, EditingEnvironment(now: { .now }, makeID: { UUID() })))
  }

  private static let new = FeatureEdit.add(
    NewFeature(attributes: ["NAME": .text("x")]), table: "Huts")

  @Test func `What is edited is what is read, until editing ends and after it`() async throws {
    let slot = try slot()
    #expect(try await slot.store().count(in: "Huts", matching: .init()) == 0)
    try await slot.openForEditing()
    let edited = try #require(try await slot.store() as? any EditableFileStore)
    _ = try await edited.apply([Self.new])
    #expect(try await slot.store().count(in: "Huts", matching: .init()) == 1)
    await slot.endEditing()
    let after = try await slot.store()
    #expect(!(after is any EditableFileStore))
    #expect(try await slot.store().count(in: "Huts", matching: .init()) == 1)
    await slot.close()
  }

  @Test(arguments: Ending.allCases)
  func `After an edit session the file is closed, even if its store is still referenced`(
    ending: Ending
  ) async throws {
    let slot = try slot()
    try await slot.openForEditing()
    let edited = try #require(try await slot.store() as? any EditableFileStore)
    _ = try await edited.apply([Self.new])
    await ending.run(slot)
    await #expect(throws: FeatureEditError.closed(file: url.path(percentEncoded: false))) {
      try await edited.apply([Self.new])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(names == ["file.geodatabase"])
    // Not in write-ahead mode any more.
    #expect(try Data(contentsOf: url)[18] == 1)
  }

  @Test func `Editing can be begun again after it has ended`() async throws {
    let slot = try slot()
    for _ in 1...2 {
      try await slot.openForEditing()
      let store = try #require(try await slot.store() as? any EditableFileStore)
      _ = try await store.apply([Self.new])
      await slot.endEditing()
    }
    #expect(try await slot.store().count(in: "Huts", matching: .init()) == 2)
    await slot.close()
  }

  @Test func `A resumed edit session can undo what was done before`()
    async throws
  {
    let slot = try slot()
    try await slot.openForEditing()
    let first = try #require(try await slot.store() as? any EditableFileStore)
    _ = try await first.apply([Self.new])
    try await slot.openForEditing()
    let second = try #require(try await slot.store() as? any EditableFileStore)
    #expect(await second.undoCount() == 1)
    _ = try await second.undo()
    #expect(try await slot.store().count(in: "Huts", matching: .init()) == 0)
    await slot.close()
  }

  @Test func `A file that is only read is not edited, for a reason, and read all the same`()
    async throws
  {
    _ = try slot()
    let error = { FeatureEditError.tableNotEditable(table: "file.geodatabase", reason: $0) }
    let places: [(FeatureFileSlot.Place, String)] = [
      (.readOnly(.file(url), .geodatabase, reason: "so"), "so"),
      (.file(url, .geodatabase, nil), "it was opened for reading only"),
    ]
    for (place, reason) in places {
      let reading = FeatureFileSlot(place)
      await #expect(throws: error(reason)) { try await reading.openForEditing() }
      let store = try await reading.store()
      #expect(!(store is any EditableFileStore))
      #expect(try await store.count(in: "Huts", matching: .init()) == 0)
      await reading.close()
    }
  }

  @Test func `A file that cannot be edited now is read, and edited once it can be`() async throws {
    let slot = try slot()
    let path = url.path(percentEncoded: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    await #expect(throws: FeatureEditError.fileReadOnly(file: path)) {
      try await slot.openForEditing()
    }
    #expect(try await slot.store().count(in: "Huts", matching: .init()) == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try await slot.openForEditing()
    let store = try #require(try await slot.store() as? any EditableFileStore)
    #expect(try await store.apply([Self.new]).count == 1)
    await slot.close()
  }
}
