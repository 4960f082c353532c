import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct UnsentEditsTests {
  private func folder() throws -> URL {
    let folder = temporaryDirectory.appending(path: "map", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    return folder
  }

  @Test func `A map without geodatabases has no edits`() async throws {
    let folder = try folder()
    try Data("{}".utf8).write(to: folder.appending(path: "p13/mobile_map.mmap"))
    #expect(try await UnsentEdits.count(in: folder) == 0)
    #expect(try await UnsentEdits.count(in: folder.appending(path: "p13/mobile_map.mmap")) == 0)
  }

  @Test(arguments: ["data.geodatabase", "DATA.GEODATABASE"])
  func `A geodatabase that cannot be read may hold edits`(_ name: String) async throws {
    let folder = try folder()
    try Data("this is no database".utf8).write(to: folder.appending(path: "p13/\(name)"))
    await #expect(throws: (any Error).self) { try await UnsentEdits.count(in: folder) }
  }

  @Test func `Edits in a file that another program keeps locked cannot be counted now`()
    async throws
  {
    let url = try await editedFile("data.geodatabase")
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("BEGIN EXCLUSIVE")
    let map = map
    await #expect {
      try await UnsentEdits.count(in: map)
    } throws: { error in
      guard case LibraryError.beingWritten(let file, _) = error else { return false }
      return file.hasSuffix("p13/data.geodatabase")
    }
    try writer.execute("ROLLBACK")
    #expect(try await UnsentEdits.count(in: map) == 1)
  }

  @Test(arguments: [("nowhere", true), ("map", true), ("note.txt", false)])
  func `A link holds no edits where no file is behind it`(
    _ target: String, _ isEmpty: Bool
  ) async throws {
    let folder = try folder()
    try Data("no database".utf8).write(to: temporaryDirectory.appending(path: "note.txt"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "p13/x.gpkg"),
      withDestinationURL: temporaryDirectory.appending(path: target))
    if isEmpty {
      #expect(try await UnsentEdits.count(in: folder) == 0)
    } else {
      await #expect(throws: (any Error).self) { try await UnsentEdits.count(in: folder) }
    }
  }

  @Test func `A missing map is not taken for one without edits`() async throws {
    let gone = temporaryDirectory.appending(path: "gone")
    await #expect(throws: (any Error).self) { try await UnsentEdits.count(in: gone) }
  }

  // MARK: - Maps that take the place of others

  /// The files of a job: a map with a table that no service knows.
  private func staged(_ job: String, _ bed: DemoBed) throws -> URL {
    let folder = bed.library.layout.staging(job)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    let definition = GeodatabaseDefinition(name: "Notes", tables: [.init(Self.notes)])
    try GeodatabaseWriter(
      at: folder.appending(path: "p13/notes.geodatabase"), definition, now: DemoBed.day
    ) { UUID() }.finish()
    return folder
  }

  @Test(arguments: [1, 2])
  func `Edits that no service accepts keep a map from being replaced, with advice`(
    _ count: Int
  ) async throws {
    let bed = try await DemoBed(in: temporaryDirectory, edits: { _ in count })
    let map = StoredMap(
      id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
      title: "Casco", portal: URL(filePath: "/portal"), installed: DemoBed.day, byteCount: 1)
    let messages = Locked<[String]>([])
    let reporter = JobReporter(
      progress: { _ in }, message: { text, _ in messages.withLock { $0.append(text) } },
      checkpoint: { _ in })
    try await bed.environment.store(staged("first", bed), as: map, reporting: reporter)
    let told =
      count == 1
      ? "An edit that was not sent yet is part of it."
      : "2 edits that were not sent yet are part of it."
    #expect(messages.withLock { $0 } == [told])
    let second = try staged("second", bed)
    await #expect {
      try await bed.environment.store(second, as: map, reporting: reporter)
    } throws: { error in
      guard case JobInterruption.failed(let failure) = error else { return false }
      return failure.kind == .device && failure.message.contains("\"Casco\"")
        && failure.advice?.contains("Export the map to keep them") == true
    }
    #expect(try await bed.library.maps().map(\.version) == [1])
    #expect(FileManager.default.fileExists(atPath: second.path(percentEncoded: false)))
  }

  // MARK: - Files with edits

  private static let notes = FeatureTableSchema(
    name: "Notes",
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("TEXT", .string, length: 20),
    ])

  /// A file with one edit, in a table that keeps no history.
  private func editedFile(_ name: String) async throws -> URL {
    let url = try folder().appending(path: "p13/\(name)")
    let definition = GeodatabaseDefinition(
      name: "Notes", tables: [GeodatabaseDefinition.Table(Self.notes)])
    let store: any EditableFileStore
    if name.hasSuffix("gpkg") {
      try GeoPackageWriter(at: url, definition, now: .now) { UUID() }.finish()
      store = try EditableGeoPackage.open(at: url, now: { .now }, makeID: { UUID() })
    } else {
      try GeodatabaseWriter(at: url, definition, now: .now) { UUID() }.finish()
      store = try EditableGeodatabase.open(at: url, now: { .now }, makeID: { UUID() })
    }
    _ = try await store.apply([
      .add(NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes")
    ])
    await store.close()
    return url
  }

  private var map: URL { temporaryDirectory.appending(path: "map") }

  @Test(arguments: ["data.geodatabase", "data.gpkg", "DATA.GPKG"])
  func `Edits in tables without history are counted`(_ name: String) async throws {
    let lower = try await editedFile(name.lowercased())
    if name != name.lowercased() {
      try FileManager.default.moveItem(
        at: lower, to: lower.deletingLastPathComponent().appending(path: name))
    }
    #expect(try await UnsentEdits.count(in: map) == 1)
  }

  @Test(arguments: ["data.geodatabase", "data.gpkg"])
  func `Edits are counted though the editor was killed in the middle of the next one`(
    _ name: String
  ) async throws {
    try KilledWriter.abandon(try await editedFile(name), after: ["DELETE FROM Notes"])
    #expect(try await UnsentEdits.count(in: map) == 1)
  }

  @Test(arguments: ["data.geodatabase", "data.gpkg"])
  func `Edits of attachments alone are counted`(_ name: String) async throws {
    let url = try folder().appending(path: "p13/\(name)")
    var notes = Self.notes
    notes.fields.append(Field("GlobalID", .globalID, isNullable: false, isEditable: false))
    (notes.globalIDField, notes.hasAttachments) = ("GlobalID", true)
    let definition = GeodatabaseDefinition(
      name: "Notes", tables: [GeodatabaseDefinition.Table(notes)])
    let store: any EditableFileStore
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList(notes.fields), [.integer(1), .text("a")]))
    if name.hasSuffix("gpkg") {
      let writer = try GeoPackageWriter(at: url, definition, now: .now) { UUID() }
      _ = try writer.append(feature, to: "Notes", attachments: [])
      try writer.finish()
      store = try EditableGeoPackage.open(at: url, now: { .now }, makeID: { UUID() })
    } else {
      let writer = try GeodatabaseWriter(at: url, definition, now: .now) { UUID() }
      _ = try writer.append(feature, to: "Notes", attachments: [])
      try writer.finish()
      store = try EditableGeodatabase.open(at: url, now: { .now }, makeID: { UUID() })
    }
    #expect(try await UnsentEdits.count(in: map) == 0)
    let photo = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("a".utf8))
    _ = try await store.apply([.addAttachment(photo, to: .objectID(1), table: "Notes")])
    await store.close()
    #expect(try await UnsentEdits.count(in: map) == 1)
  }

  @Test(arguments: [
    ["CREATE TRIGGER foreign_log AFTER UPDATE ON Notes BEGIN SELECT 1; END"],
    [
      "DELETE FROM gpkg_contents WHERE table_name = 'Notes'",
      "ALTER TABLE Notes RENAME TO Remarks",
    ],
  ])
  func `Edits are counted though other software keeps the table from being edited, or renames it`(
    _ statements: [String]
  ) async throws {
    let url = try await editedFile("data.gpkg")
    let connection = try Connection(at: url, access: .edit)
    for statement in statements { try connection.execute(statement) }
    #expect(try await UnsentEdits.count(in: map) == 1)
  }

  @Test(arguments: ["data.geodatabase", "data.gpkg"])
  func `Edits are counted in a database that bears the name of a package`(
    _ name: String
  ) async throws {
    let file = temporaryDirectory.appending(path: "1.mmpk")
    try FileManager.default.moveItem(at: try await editedFile(name), to: file)
    #expect(try await UnsentEdits.count(in: file) == 1)
    try Data("SQLite format 3\u{0} and nothing of it".utf8).write(to: file)
    await #expect(throws: (any Error).self) { try await UnsentEdits.count(in: file) }
    try Data("PK\u{3}\u{4}".utf8).write(to: file)
    #expect(try await UnsentEdits.count(in: file) == 0, "an archive is not edited")
  }

  @Test func `A count that is cancelled is no count`() async throws {
    _ = try await editedFile("data.geodatabase")
    let task = Task { [map = self.map] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await UnsentEdits.count(in: map)
    }
    await #expect(throws: (any Error).self) { try await task.value }
  }
}
