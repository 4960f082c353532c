import Foundation
import Glibc
import PortolanArchives
import PortolanFeatures
import PortolanFiles
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanOffline
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// Archives that hold edits which were not sent, brought into the library.
@MainActor
@Suite(.temporaryDirectory) struct ArchivedEditsTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_795_000_000)

  private func model(
    free: @escaping @Sendable (URL) -> Int? = { _ in nil }, files: FileSystem = .live
  ) async throws -> MapListModel {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) }, files: files, report: { _ in })
    let opener = FilePackageOpener(
      unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: { Self.day })
    let check: OfflineEnvironment.Check = { url in
      try await PackageVerifier().verify(url)
      return try await opener.open(url).info.title
    }
    let offline = OfflineEnvironment(
      library: maps, connect: { _ throws(PortalError) in throw .transport(.offline) },
      check: check,
      surroundings: OfflineSurroundings(
        freeSpace: free, clock: ContinuousClock(), now: { Self.day }, chance: { 0 },
        makeID: { UUID() }))
    let queue = JobQueue(
      journal: maps.storage, runner: OfflineJobRunner(offline),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Self.day }, makeID: { JobID(UUID()) }))
    let audit = LibraryAudit(maps, check: check, now: { Self.day }, makeID: { MapID(UUID()) })
    let model = MapListModel(
      library: HomeLibrary(offline: offline, queue: queue, audit: audit, packages: opener),
      portals: NoPortal(), monitor: FixedNetworkMonitor(.offline(.asked)))
    try await model.load()
    return model
  }

  /// Where edits stand in a package.
  enum Place: CaseIterable {
    /// A table that keeps its history.
    case history
    /// A table without history, whose edits stand in a journal in the same file.
    case journal
    /// A GeoPackage that no layer shows.
    case geoPackage
    /// A write-ahead log that lies beside its database.
    case log
  }

  private func definition(isTracked: Bool) -> GeodatabaseDefinition {
    var fields = [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("TEXT", .string, length: 20),
    ]
    if isTracked {
      fields.append(Field("GlobalID", .globalID, isNullable: false, isEditable: false))
    }
    var schema = FeatureTableSchema(name: "Notes", fields: fields)
    schema.isChangeTracked = isTracked
    return GeodatabaseDefinition(name: "Notes", tables: [.init(schema)])
  }

  private func add(_ count: Int, to store: any EditableFileStore) async throws {
    for number in 0..<count {
      let note = NewFeature(attributes: ["TEXT": .text("\(number)")], geometry: nil)
      _ = try await store.apply([.add(note, table: "Notes")])
    }
  }

  /// The files of a package, by their names.
  private func files(_ count: Int, in place: Place) async throws -> [String: Data] {
    let folder = temporaryDirectory.appending(path: "data", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "notes.geodatabase")
    let other = folder.appending(path: "other.gpkg")
    let isTracked = place == .history || place == .log
    try GeodatabaseWriter(at: file, definition(isTracked: isTracked), now: Self.day) { UUID() }
      .finish()
    var files: [String: Data] = [:]
    switch place {
    case .history, .journal:
      let store = try EditableGeodatabase.open(at: file, now: { Self.day }, makeID: { UUID() })
      try await add(count, to: store)
      await store.close()
    case .geoPackage:
      try GeoPackageWriter(at: other, definition(isTracked: false), now: Self.day) { UUID() }
        .finish()
      let store = try EditableGeoPackage.open(at: other, now: { Self.day }, makeID: { UUID() })
      try await add(count, to: store)
      await store.close()
      files["other.gpkg"] = try Data(contentsOf: other)
    case .log:
      // As a copy is that was made while somebody edited.
      let store = try EditableGeodatabase.open(at: file, now: { Self.day }, makeID: { UUID() })
      try await add(count, to: store)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasSuffix("-wal") || name.hasSuffix("-journal") {
        files[name] = try Data(contentsOf: folder.appending(path: name))
      }
      files["notes.geodatabase"] = try Data(contentsOf: file)
      await store.close()
      return files
    }
    files["notes.geodatabase"] = try Data(contentsOf: file)
    return files
  }

  /// An archive of a map that shows the notes in it.
  private func archive(
    _ name: String = "town.mmpk", of files: [String: Data]
  ) throws -> URL {
    let webMap = try WebMap(json: [
      "baseMap": ["title": "", "baseMapLayers": []],
      "operationalLayers": [
        ["id": "notes", "title": "Notes", "path": "file:./notes.geodatabase?itemId=0"]
      ],
    ])
    let folder = temporaryDirectory.appending(path: "made-\(name)", directoryHint: .isDirectory)
    let notes = folder.appending(path: "notes.geodatabase")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: notes)
    let package = folder.appending(path: "package", directoryHint: .isDirectory)
    try MobileMapPackageWriter(
      MobileMapPackageDescription(name: "town", title: "Town", guid: Self.guid, created: Self.day),
      maps: [NewMobileMap(name: "Map", id: Self.guid, webMap: webMap)], files: [notes]
    ).writeFolder(to: package)
    for (name, data) in files { try data.write(to: package.appending(path: "p13/\(name)")) }
    let url = temporaryDirectory.appending(path: name)
    var archive = try ZIPWriter(replacing: url)
    for path in try FileManager.default.subpathsOfDirectory(atPath: package.path).sorted()
    where try FileStatus(at: package.appending(path: path))?.kind == .file {
      try archive.add(path, Data(contentsOf: package.appending(path: path)))
    }
    try archive.add("p13/.portolan-hidden", Data("hidden".utf8))
    try archive.finish()
    return url
  }

  private nonisolated static let guid = UUID(
    uuid: (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7))

  private func staged() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.appending(path: "home/staging").path
    ).filter { !$0.hasPrefix(".") }
  }

  @Test(arguments: [Place.history, .journal, .geoPackage])
  func `Edits in an archive are listed, and are not deleted unless somebody says so`(
    _ place: Place
  ) async throws {
    let model = try await model()
    let imported = try await model.importPackage(archive(of: try await files(2, in: place)))
    #expect(imported.outcome == .stored && imported.isComplete)
    #expect(imported.warnings.contains { $0.hasPrefix("2 edits in it were not sent yet") })
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 2)
    let problem = await #expect(throws: Problem.self) { try await model.delete(imported.id) }
    #expect(problem?.code == .unsentEdits)
    #expect(try await model.deletion(of: imported.id, discardingEdits: true).unsentEdits == 2)
    try await model.delete(imported.id, discardingEdits: true)
    let storage = StorageModel(library: model.library)
    try await storage.measure()
    #expect(storage.usage?.maps.map(\.unsentEdits) == [2])
    _ = try await model.undoDeletion(of: imported.id)
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 2)
    #expect(try staged() == [])
  }

  @Test func `An archive without edits stays one`() async throws {
    let model = try await model()
    let url = try archive(of: try await files(0, in: .history))
    let imported = try await model.importPackage(url)
    #expect(imported.warnings == [])
    let map = try #require(model.list.stored.first)
    #expect(map.form == .file)
    #expect(try Data(contentsOf: model.library.maps.layout.place(of: map)) == Data(contentsOf: url))
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 0)
    try await model.delete(imported.id)
  }

  @Test func `Edits in a log beside a database of an archive are taken over`() async throws {
    let files = try await files(1, in: .log)
    let model = try await model()
    let imported = try await model.importPackage(archive(of: files))
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 1)
    let map = try #require(model.list.stored.first)
    let place = model.library.maps.layout.place(of: map).appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(!names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-journal") })
    #expect(!names.contains(".portolan-hidden"))
  }

  @Test func `An archive whose edits cannot be counted is kept as if it held some`() async throws {
    var files = try await files(0, in: .history)
    files["other.geodatabase"] = Data("no database".utf8)
    let model = try await model()
    let imported = try await model.importPackage(archive(of: files))
    #expect(imported.warnings.contains { $0.contains("is not known") })
    #expect(model.list.stored.map(\.form) == [.folder])
    await model.readContents()
    let row = try #require(try model.item(named: imported.id).copy)
    #expect(row.unsentEdits == nil)
    let problem = await #expect(throws: Problem.self) { try await model.delete(imported.id) }
    #expect(problem?.code == .editsUnknown)
    try await model.delete(imported.id, discardingEdits: true)
  }

  @Test func `Where an archive with edits cannot be unpacked it is not imported, and says why`()
    async throws
  {
    let url = try archive(of: try await files(1, in: .history))
    let before = try Data(contentsOf: url)
    // The copy fits, and the folder does not.
    let model = try await model { place in
      place.path.contains("import-") ? 10 : Int.max
    }
    let problem = await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(problem?.code == .diskFull && problem?.message.contains("unpacked") == true)
    #expect(model.state.items == [])
    #expect(try staged() == [])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `A package is brought in though the folder that it was copied to cannot be removed`()
    async throws
  {
    let model = try await model(
      files: FileSystem { call in
        if case .move(_, let path) = call, path.hasSuffix(".removed") { EIO } else { nil }
      })
    for count in [0, 1] {
      let name = "town-\(count).mmpk"
      try? FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
      let url = try archive(name, of: try await files(count, in: .history))
      let imported = try await model.importPackage(url, onConflict: .rename)
      #expect(imported.outcome == .stored)
    }
    #expect(model.list.stored.count == 2)
    #expect(try staged().count == 2)
    let left = try await model.library.audit.findings().filter { finding in
      if case .abandoned = finding { true } else { false }
    }
    #expect(left.count == 2)
  }

  @Test func `What a kill leaves of unpacking is found, and the archive is brought in anew`()
    async throws
  {
    let model = try await model()
    let url = try archive(of: try await files(1, in: .history))
    let job = HomeLayout.importJob(UUID())
    do {
      let copy = try await model.library.maps.stageCopy(of: url, for: job)
      _ = try await model.library.maps.unpackCopy(copy) { archive, folder in
        _ = try await PackageUnpacker().unpack(archive, to: folder, includingHidden: false)
      }
    }
    #expect(try staged() == [job])
    try await model.load()
    #expect(model.state.items == [])
    let findings = try await model.library.audit.findings()
    #expect(findings.map(\.sentence) == ["\(job) was left by an import that was interrupted."])
    let imported = try await model.importPackage(url)
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 1)
  }

  @Test func `The same archive with edits is there once, and another does not take its place`()
    async throws
  {
    let model = try await model()
    let url = try archive(of: try await files(1, in: .history))
    let first = try await model.importPackage(url)
    let skipped = try await model.importPackage(url)
    #expect(skipped.outcome == .skipped && skipped.id == first.id)
    let same = try await model.importPackage(url, onConflict: .replace)
    #expect(same.outcome == .same && same.id == first.id)
    // Another edition, without the edit.
    try FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
    let other = try archive("other.mmpk", of: try await files(0, in: .history))
    let problem = await #expect(throws: Problem.self) {
      try await model.importPackage(other, onConflict: .replace)
    }
    #expect(problem?.code == .unsentEdits)
    #expect(problem?.suggestion == "No service takes them. Export the map to keep them first.")
    let renamed = try await model.importPackage(other, onConflict: .rename)
    #expect(renamed.outcome == .stored && renamed.title == "Town 2")
    await model.readContents()
    #expect(try model.item(named: first.id).copy?.unsentEdits == 1)
    #expect(try staged() == [])
  }

  /// Stores an archive as it is, as older Portolans did.
  private func store(_ url: URL, in model: MapListModel) async throws -> StoredMap {
    let maps = model.library.maps
    let job = HomeLayout.importJob(UUID())
    let copy = try await maps.stageCopy(of: url, for: job)
    let map = try await maps.install(
      copy.url,
      as: StoredMap(
        id: MapID(UUID()), origin: .imported(url.lastPathComponent), form: .file, title: "Town",
        installed: Self.day, byteCount: copy.byteCount), knowing: copy.files)
    try await maps.removeStaged(job)
    try await model.load()
    return map
  }

  @Test func `An archive with edits that an older Portolan has stored is not deleted unasked`()
    async throws
  {
    let model = try await model()
    let map = try await store(archive(of: try await files(2, in: .history)), in: model)
    let id = map.id.text
    let problems = [
      await #expect(throws: Problem.self) { try await model.deletion(of: id) },
      await #expect(throws: Problem.self) { try await model.delete(id) },
    ]
    #expect(problems.map { $0?.code } == [.unsentEdits, .unsentEdits])
    #expect(model.list.stored == [map])
    #expect(try await model.deletion(of: id, discardingEdits: true).unsentEdits == 2)
    try await model.delete(id, discardingEdits: true)
    #expect(model.list.stored == [])
  }

  @Test func `That edits in such an archive cannot be counted is said, and is in nobody's way`()
    async throws
  {
    var files = try await files(0, in: .history)
    let model = try await model()
    let whole = try await store(archive(of: files), in: model)
    #expect(try await model.deletion(of: whole.id.text).unsentEdits == 0)
    files["other.geodatabase"] = Data("no database".utf8)
    let map = try await store(archive("other.mmpk", of: files), in: model)
    #expect(try await model.deletion(of: map.id.text).unsentEdits == nil)
    try await model.delete(map.id.text)
    #expect(model.list.stored == [whole])
  }

  @Test func `Another package does not take the place of such an archive with edits`()
    async throws
  {
    let model = try await model()
    let map = try await store(archive(of: try await files(1, in: .history)), in: model)
    try FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
    let other = try archive("other.mmpk", of: try await files(0, in: .history))
    let problem = await #expect(throws: Problem.self) {
      try await model.importPackage(other, onConflict: .replace)
    }
    #expect(problem?.code == .unsentEdits)
    #expect(model.list.stored == [map])
    #expect(try staged() == [])
  }

  @Test func `Imported once more, such an archive takes its own place unpacked`() async throws {
    let model = try await model()
    let url = try archive(of: try await files(1, in: .history))
    let map = try await store(url, in: model)
    let skipped = try await model.importPackage(url)
    #expect(skipped.outcome == .skipped && model.list.stored == [map])
    let replaced = try await model.importPackage(url, onConflict: .replace)
    #expect(replaced.outcome == .replaced && replaced.id == map.id.text)
    #expect(model.list.stored.map(\.form) == [.folder])
    await model.readContents()
    #expect(try model.item(named: replaced.id).copy?.unsentEdits == 1)
    let same = try await model.importPackage(url, onConflict: .replace)
    #expect(same.outcome == .same && same.id == map.id.text)
  }

  @Test func `A package that two imports bring in at once is there once`() async throws {
    let model = try await model()
    let url = try archive(of: try await files(1, in: .history))
    async let first = model.importPackage(url)
    async let second = model.importPackage(url)
    let outcomes = try await [first, second].map(\.outcome)
    #expect(outcomes.count { $0 == .stored } == 1)
    #expect(model.state.items.count == 1)
  }

  @Test func `A watched folder does not offer an archive again that was stored unpacked`()
    async throws
  {
    let model = try await model()
    let url = try archive(of: try await files(1, in: .history))
    let folder = temporaryDirectory.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: url, to: folder.appending(path: "town.mmpk"))
    let watched = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await watched.look() }
    _ = try await watched.take(try #require(watched.state.offers.first))
    let another = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await another.look() }
    #expect(another.state.offers == [])
  }
}
