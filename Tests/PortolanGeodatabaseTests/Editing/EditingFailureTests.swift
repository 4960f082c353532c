import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanFiles
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The state of a file that cannot be written as it should be.
@Suite(.temporaryDirectory) struct EditingFailureTests {
  private func file() throws -> URL {
    let url = temporaryDirectory.appending(path: "file.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    return url
  }

  /// The content of the file, but for the header, which has the journal mode.
  private func pages(of url: URL) throws -> Data { try Data(contentsOf: url).dropFirst(100) }

  private static let edit = FeatureEdit.update(
    4, table: "Huts", attributes: ["AREA": .double(12)])

  private func setMode(_ mode: Int, of url: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: url.path(percentEncoded: false))
  }

  @Test func `A read-only file cannot be edited, but can be read`() async throws {
    let url = try file()
    try setMode(0o444, of: url)
    let error = FeatureEditError.fileReadOnly(file: url.path(percentEncoded: false))
    #expect(throws: error) { try ContractGeodatabase.edited(url) }
    #expect(error.recoverySuggestion?.isEmpty == false)
    let reader = try Geodatabase.open(at: url)
    #expect(try await reader.count(in: "Huts", matching: .init()) == 3)
  }

  @Test func `A file that becomes read-only refuses the next group`() async throws {
    let url = try file()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([Self.edit])
    try setMode(0o444, of: url)
    await #expect(throws: FeatureEditError.fileReadOnly(file: url.path(percentEncoded: false))) {
      try await store.apply([.delete(3, table: "Huts")])
    }
    #expect(
      try await store.editability(of: "Huts")
        == .readOnly(.fileReadOnly(file: url.path(percentEncoded: false))))
    try setMode(0o644, of: url)
    #expect(try await store.editability(of: "huts") == .editable)
    _ = try await store.apply([.delete(3, table: "Huts")])
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A table with unknown coordinate storage is not edited`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "places.geodatabase")
    let schema = FeatureTableSchema(
      name: "Places", geometryType: .point, spatialReference: .wgs84,
      fields: [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)])
    try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Places", tables: [.init(schema)]), now: .distantPast
    ) { UUID() }.finish()
    do {
      let connection = try Connection(at: url, access: .edit)
      try connection.execute("DELETE FROM st_aux_spatial_reference_systems")
      try connection.execute(
        "UPDATE GDB_Items SET Definition = replace(Definition, 'XYScale', 'NoScale')")
      // Nor is it one of which everybody knows the grid.
      try connection.execute("UPDATE st_geometry_columns SET srid = 2020")
    }
    let store = try ContractGeodatabase.edited(url)
    let reason = "nothing says how its coordinates are stored"
    await #expect(throws: FeatureEditError.tableNotEditable(table: "Places", reason: reason)) {
      try await store.apply([
        .add(NewFeature(attributes: [:], geometry: .point(Point(x: 1, y: 2))), table: "Places")
      ])
    }
    #expect(try await store.count(in: "Places", matching: .init()) == 0)
    await store.close()
  }

  @Test func `A read-only folder is refused`() throws {
    let folder = temporaryDirectory.appending(path: "folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "file.geodatabase")
    try FileManager.default.moveItem(at: file(), to: url)
    try setMode(0o555, of: folder)
    defer { try? setMode(0o755, of: folder) }
    let path = url.deletingLastPathComponent().path(percentEncoded: false)
    #expect(throws: FeatureEditError.folderReadOnly(folder: path)) {
      try ContractGeodatabase.edited(url)
    }
  }

  @Test func `A file that is not there, or no geodatabase, is refused`() throws {
    let absent = temporaryDirectory.appending(path: "absent.geodatabase")
    let error = FeatureEditError.unreadable(
      file: absent.path(percentEncoded: false), reason: "No such file or directory")
    #expect(throws: error) { try ContractGeodatabase.edited(absent) }
    #expect(!FileManager.default.fileExists(atPath: absent.path(percentEncoded: false)))
    let text = temporaryDirectory.appending(path: "text.geodatabase")
    try Data("no database".utf8).write(to: text)
    #expect {
      try ContractGeodatabase.edited(text)
    } throws: {
      if case .damaged? = $0 as? FeatureEditError { true } else { false }
    }
  }

  @Test func `A full disk is named, and the file is as it was`() async throws {
    let url = try file()
    let store = try ContractGeodatabase.edited(url)
    try await store.limitSize()
    let before = try pages(of: url)
    let large = NewAttachment(
      name: "large", contentType: "t", data: Data(repeating: 7, count: 1 << 20))
    await #expect(throws: FeatureEditError.diskFull(file: url.path(percentEncoded: false))) {
      try await store.apply([Self.edit, .addAttachment(large, to: 4, table: "Huts")])
    }
    #expect(try pages(of: url) == before)
    #expect(await store.undoCount() == 0)
    #expect(try await store.attachments(of: 4, in: "Huts").count == 1)
    _ = try await store.apply([Self.edit])
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  /// A folder on a file system of at most some megabytes, to be filled:
  /// `mount -t tmpfs -o size=1m tmpfs FOLDER`.
  private static let smallDisk = ProcessInfo.processInfo.environment["PORTOLAN_SMALL_DISK"]

  @Test(
    .serialized,
    .enabled(if: smallDisk != nil, "needs PORTOLAN_SMALL_DISK, a folder that may be filled"),
    arguments: ["DELETE", "WAL"])
  func `A disk that fills up while an edit is stored leaves the file as it was`(
    mode: String
  ) async throws {
    let folder = URL(filePath: try #require(Self.smallDisk))
    let url = folder.appending(path: "\(mode).geodatabase")
    try FileManager.default.moveItem(at: file(), to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = \(mode)")
    let before = try pages(of: url)
    let store = try ContractGeodatabase.edited(url)
    let large = NewAttachment(
      name: "large", contentType: "t", data: Data(repeating: 7, count: 8 << 20))
    await #expect(throws: FeatureEditError.diskFull(file: url.path(percentEncoded: false))) {
      try await store.apply([Self.edit, .addAttachment(large, to: 4, table: "Huts")])
    }
    #expect(try pages(of: url) == before)
    _ = try await store.apply([Self.edit])
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `Another program's lock is named, and edits continue after it`() async throws {
    let url = try file()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([Self.edit])
    try await store.waitNoLonger()
    let other = try Connection(at: url, access: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: FeatureEditError.self) {
      try await store.apply([.delete(3, table: "Huts")])
    }
    guard case .locked(url.path(percentEncoded: false), _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.isTransient == true)
    try other.execute("UPDATE Notes SET TEXT = 'theirs' WHERE OBJECTID = 2")
    try other.execute("COMMIT")
    // Changes of others since may be to the same rows: the edits before cannot be undone any more.
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(await store.undoCount() == 1)
    _ = try await store.undo()
    await #expect(throws: FeatureEditError.nothingToUndo) { try await store.undo() }
    #expect(try await store.localChanges().changes.map(\.objectID) == [4])
    await store.close()
  }

  @Test(.needsMounting)
  func `An edit that a full disk stops leaves nothing, and the next is stored`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 4)
    let url = disk.url.appending(path: "file.geodatabase")
    try FileManager.default.copyItem(at: file(), to: url)
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = WAL")
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([Self.edit])
    let filling = disk.url.appending(path: "filling")
    try Data(count: try #require(FreeSpace.byteCount(at: disk.url))).write(to: filling)
    let photo = NewAttachment(name: "a", contentType: "text/plain", data: Data(count: 900_000))
    await #expect(
      throws: FeatureEditError.diskFull(file: url.path(percentEncoded: false))
    ) {
      try await store.apply([.addAttachment(photo, to: 3, table: "Huts")])
    }
    #expect(try await store.localChanges().changes.map(\.objectID) == [4])
    try FileManager.default.removeItem(at: filling)
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["AREA": .double(1)])])
    #expect(try await store.localChanges().changes.map(\.objectID).sorted() == [3, 4])
    await store.close()
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `An undo that has failed can be tried again`() async throws {
    let url = try file()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([Self.edit])
    try await store.waitNoLonger()
    let other = try Connection(at: url, access: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    await #expect(throws: FeatureEditError.self) { try await store.undo() }
    try other.execute("ROLLBACK")
    #expect(await store.undoCount() == 1)
    _ = try await store.undo()
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }

  @Test func `As many groups can be undone as was asked for`() async throws {
    let store = try EditableGeodatabase.open(
      at: try file(), undoLimit: 2, now: ModelledStore.clock(), makeID: ModelledStore.ids())
    for _ in 1...3 { _ = try await store.apply([Self.edit]) }
    #expect(await store.undoCount() == 2)
    await store.close()
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `A file keeps its journal mode, and nothing is left beside it`(mode: String) async throws {
    let url = try file()
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = \(mode)")
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([Self.edit])
    // Another reader sees the edits at once.
    #expect(try await countOfEdited(url) == 1)
    await store.close()
    await #expect(throws: FeatureEditError.closed(file: url.path(percentEncoded: false))) {
      try await store.apply([Self.edit])
    }
    await #expect(throws: FeatureStoreError.self) {
      try await store.count(in: "Huts", matching: .init())
    }
    let header = try Data(contentsOf: url)
    #expect(header[18] == (mode == "WAL" ? 2 : 1))
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    if mode == "DELETE" { #expect(left == ["file.geodatabase"]) }
  }

  private func countOfEdited(_ url: URL) async throws -> Int {
    let query = QueryParameters(whereClause: "AREA = 12")
    return try await Geodatabase.open(at: url).count(in: "Huts", matching: query)
  }

  @Test func `A file that others have open when editing ends keeps every edit`() async throws {
    let url = try file()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([Self.edit])
    let reader = try Geodatabase.open(at: url)
    #expect(try await reader.count(in: "Huts", matching: .init()) == 3)
    await store.close()
    #expect(try await countOfEdited(url) == 1)
    let next = try ContractGeodatabase.edited(url)
    _ = try await next.apply([.delete(3, table: "Huts")])
    await next.close()
    #expect(try await reader.count(in: "Huts", matching: .init()) == 2)
  }

  @Test func `Coordinates outside the grid of the layer are refused`() async throws {
    let store = try ContractGeodatabase.edited(try file())
    let range = try #require(try await store.validator(of: "Huts").coordinateRange.x)
    let place = EditPlace(table: "Huts", objectID: 4)
    await #expect(
      throws: FeatureEditError.outsideCoordinateRange(.x, value: -401, range: range, place)
    ) {
      try await store.apply([
        .update(
          4, table: "Huts", attributes: [:], geometry: .set(.point(Point(x: -401, y: 0, z: 0))))
      ])
    }
    await store.close()
  }

  @Test func `Object ids end where their column does`() async throws {
    let url = try file()
    try Connection(at: url, access: .readWrite).execute(
      "UPDATE GDB_RowidGenerators SET base_id = 2147483647")
    let store = try ContractGeodatabase.edited(url)
    let new = FeatureEdit.add(NewFeature(attributes: ["NAME": .text("x")]), table: "Huts")
    #expect(try await store.apply([new]).map(\.objectID) == [2_147_483_647])
    await #expect(throws: FeatureEditError.objectIDsUsedUp(EditPlace(table: "Huts"))) {
      try await store.apply([new])
    }
    await store.close()
  }
}

extension EditableGeodatabase {
  /// Lets the file grow by a few pages only, as a disk does that is nearly full.
  fileprivate func limitSize() async throws {
    try await run("PRAGMA max_page_count = 1")
  }

  /// Gives up at once where another holds a lock.
  fileprivate func waitNoLonger() async throws { try await run("PRAGMA busy_timeout = 50") }

  private func run(_ sql: String) async throws {
    try await read { reader throws(FeatureStoreError) in
      _ = try reader.translating("a test") { () throws(DatabaseError) in
        try reader.connection.execute(sql)
      }
    }
  }
}
