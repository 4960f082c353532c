import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanFiles
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanMap
import PortolanOffline
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanApp

/// Packages that are on this device already, brought into the library and taken out of it.
@MainActor
@Suite(.temporaryDirectory) struct PackageImportTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_795_000_000)

  private struct NoPortal: PortalConnecting {
    func portal(at url: URL?) async throws(PortalError) -> Portal {
      throw .transport(.offline)
    }
  }

  private func model(
    in storage: any MapStorage = InMemoryMapStorage(),
    report: @escaping @Sendable (LibraryStep) -> Void = { _ in },
    inspected: @escaping @Sendable (IncomingFile) -> Void = { _ in },
    now: @escaping @Sendable () -> Date = { day },
    makeID: @escaping @Sendable () -> UUID = { UUID() },
    free: @escaping @Sendable () -> Int? = { nil }
  ) async throws -> MapListModel {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: storage, now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) }, report: report)
    let opener = FilePackageOpener(
      unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: now)
    let check: OfflineEnvironment.Check = { url in
      try await PackageVerifier().verify(url)
      return try await opener.open(url).info.title
    }
    let offline = OfflineEnvironment(
      library: maps, connect: { _ throws(PortalError) in throw .transport(.offline) },
      check: check,
      inspection: { file in
        defer { inspected(file) }
        try await PackageVerifier().verify(file.name, byteCount: file.byteCount) {
          try file.read($0)
        }
      },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in free() }, clock: ContinuousClock(), now: now, chance: { 0 },
        makeID: makeID))
    let queue = JobQueue(
      journal: maps.storage, runner: OfflineJobRunner(offline),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Self.day }, makeID: { JobID(UUID()) }))
    let audit = LibraryAudit(
      maps, check: check, now: { Self.day }, makeID: { MapID(UUID()) },
      lack: { url in
        await PackageReadability.failures { () throws(PackageError) in
          try await opener.openToInspect(url)
        }
      })
    let model = MapListModel(
      library: HomeLibrary(offline: offline, queue: queue, audit: audit, packages: opener),
      portals: NoPortal(), monitor: FixedNetworkMonitor(.offline(.asked)))
    try await model.load()
    return model
  }

  /// The members of a layer that the map itself has the features of.
  private static let notes = """
    "layerType": "ArcGISFeatureLayer", "title": "Notes", "featureCollection": {"layers": [{
      "layerDefinition": {
        "name": "Notes", "geometryType": "esriGeometryPoint", "objectIdField": "OBJECTID",
        "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"}]},
      "featureSet": {"geometryType": "esriGeometryPoint", "features": [
        {"attributes": {"OBJECTID": 1}, "geometry": {"x": 1, "y": 2}}]}}]}
    """

  /// An id that packages of the same title have in common.
  private static func id(_ title: String) -> UUID {
    var bytes = [UInt8](title.utf8.prefix(16))
    bytes += [UInt8](repeating: 7, count: 16 - bytes.count)
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private func writer(
    _ title: String, maps: Int = 1, expiration: PackageExpiration? = nil, id: UUID? = nil
  ) -> MobileMapPackageWriter {
    let id = id ?? Self.id(title)
    return MobileMapPackageWriter(
      MobileMapPackageDescription(
        name: "town", title: title, guid: id, created: Self.day,
        expiration: expiration),
      maps: (0..<maps).map {
        NewMobileMap(name: "Map \($0)", id: id, webMap: WebMap(basemap: Basemap(title: "")))
      })
  }

  @discardableResult
  private func package(
    _ name: String = "town.mmpk", title: String = "Town", maps: Int = 1,
    expiration: PackageExpiration? = nil, id: UUID? = nil
  ) throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try writer(title, maps: maps, expiration: expiration, id: id).writeArchive(to: url)
    return url
  }

  private func staged() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.appending(path: "home/staging").path
    ).filter { !$0.hasPrefix(".") }
  }

  @Test(arguments: ["town.mmpk", "TOWN.MMPK", "Town.Mmpk"])
  func `Defect 8, a package is copied, in any letter case, and the original stays`(
    _ name: String
  ) async throws {
    let url = try package(name)
    let before = try Data(contentsOf: url)
    let model = try await model()
    let imported = try await model.importPackage(url)
    #expect(imported.outcome == .stored && imported.title == "Town")
    #expect(try Data(contentsOf: url) == before)
    let item = try #require(model.state.items.first)
    #expect(item.title == "Town" && item.byteCount == before.count && item.canOpenOffline)
    #expect(try staged() == [])
  }

  @Test func `An import that is cancelled once its package is stored has succeeded`() async throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let model = try await model(
      in: SQLiteMapStorage.open(at: layout.catalogue),
      report: { step in
        if step == .installMoved { withUnsafeCurrentTask { $0?.cancel() } }
      })
    let url = try package()
    let imported = try await Task { try await model.importPackage(url) }.value
    #expect(imported.outcome == .stored)
    #expect(model.state.items.map(\.title) == ["Town"])
    #expect(try staged() == [])
  }

  @Test(
    arguments: [
      ("preplanned-area", false, "Town (2)"), ("on-demand-map", false, "Town (2)"),
      ("on-demand-map", true, "Town"), ("sync-offline-map", false, "Town"),
    ])
  func `The title of a map that a job of another process brings is taken`(
    _ kind: String, _ isCancelled: Bool, _ title: String
  ) async throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let model = try await model(in: SQLiteMapStorage.open(at: layout.catalogue))
    let theirs = try await SQLiteMapStorage.open(at: layout.catalogue)
    let id = try #require(JobID("a"))
    _ = try await theirs.add(
      Job(
        id: id, kind: kind, subject: "a", title: "Town", parameters: Data(), created: Self.day,
        position: 0))
    if isCancelled { _ = try await theirs.post(.cancel, to: id) }
    #expect(try await model.importPackage(package()).title == title)
  }

  @Test func `A package replaced by another one during its import stays the map that it was`()
    async throws
  {
    let (url, other) = (try package(), try package("other.mmpk", title: "Village"))
    let isReplaced = Locked<Bool>(false)
    let model = try await model(makeID: {
      // After it was looked at, and before it is copied.
      if isReplaced.withLock({ $0 }) { try? Data(contentsOf: other).write(to: url) }
      return UUID()
    })
    let first = try await model.importPackage(url)
    isReplaced.withLock { $0 = true }
    let second = try await model.importPackage(url, onConflict: .replace)
    #expect(second.outcome == .stored && second.title == "Village" && second.id != first.id)
    #expect(model.state.items.map(\.title).sorted() == ["Town", "Village"])
  }

  @Test func `An unpacked package is imported as a folder`() async throws {
    let url = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    try writer("Town").writeFolder(to: url)
    let model = try await model()
    #expect(try await model.importPackage(url).outcome == .stored)
    let opened = try await model.beginUse(of: try #require(model.state.items.first).id)
    #expect(try await FilePackageOpener(unpackingInto: url).open(opened.url).info.title == "Town")
  }

  @Test func `A link to the folder of a package is imported as that package`() async throws {
    let url = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    try writer("Town").writeFolder(to: url)
    let link = temporaryDirectory.appending(path: "linked")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let full = try await model(free: { 5 })
    let problem = await #expect(throws: Problem.self) { try await full.importPackage(link) }
    #expect(problem?.code == .diskFull)
    let imported = try await model().importPackage(link)
    #expect(imported.outcome == .stored && imported.title == "Town" && imported.byteCount > 5)
    #expect(try staged() == [])
  }

  @Test func `A locator in a closed format is named, with what is searched in its place`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    try writer("Town").writeFolder(to: url)
    for ending in ["loc", "lox", "loz"] {
      try Data([0]).write(to: url.appending(path: "streets.\(ending)"))
    }
    let imported = try await model().importPackage(url)
    #expect(imported.outcome == .stored)
    #expect(
      imported.warnings == [
        "The locator \"streets.loc\" is in a closed format and cannot be read. The layers of the maps "
          + "are searched instead."
      ])
  }

  @Test func `A folder that is no package is named, and not copied`() async throws {
    let url = temporaryDirectory.appending(path: "photos", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(count: 10).write(to: url.appending(path: "a.jpg"))
    // A copy would not fit.
    let model = try await model(free: { 5 })
    let problem = await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(problem?.message == "\"photos\" is not a mobile map package.")
  }

  @Test(arguments: [nil, Data("not a database".utf8), Data()])
  func `A missing or damaged file is reported at import and by the audit`(
    _ data: Data?
  ) async throws {
    let model = try await model()
    let imported = try await model.importPackage(
      try townWithoutRoads(data, others: Self.notes))
    #expect(imported.outcome == .stored && !imported.isComplete)
    let told =
      "The file \"roads.geodatabase\" is missing or cannot be read; it has the data of \"Roads\"."
    #expect(imported.warnings == [told])
    #expect(imported.json["complete"] == false)
    let findings = try await model.library.audit.findings()
    #expect(findings.count == 1 && findings[0].sentence.contains("roads.geodatabase"))
    // A damaged package is found as such in a folder.
    guard data == nil else { return }
    #expect(findings[0].sentence == "\"Town\" is incomplete: \(told)")
    #expect(findings[0].repair == nil)
  }

  @Test func `A package that has arrived from a portal is looked at as one that is imported`()
    async throws
  {
    let opener = FilePackageOpener(unpackingInto: temporaryDirectory.appending(path: "unpacked"))
    let whole = try await opener.open(try package())
    #expect(try await PackageReadability.check(whole) == [])
    let empty = try await opener.open(try package("empty.mmpk", title: "Empty", maps: 0))
    await #expect(
      throws: OfflineMapError.unusablePackage(reason: "\"Empty\" contains no maps.")
    ) { try await PackageReadability.check(empty) }
    let data = temporaryDirectory.appending(path: "notes.mmpk")
    try GeodatabaseWriter(at: data, GeodatabaseDefinition(name: "Notes", tables: []), now: Self.day)
    {
      UUID()
    }.finish()
    let other = try await opener.open(data)
    await #expect(
      throws: OfflineMapError.unusablePackage(
        reason: "\"notes\" is not a mobile map package.")
    ) { try await PackageReadability.check(other) }
    let partial = try await opener.open(try townWithoutRoads(nil, others: Self.notes))
    #expect(
      try await PackageReadability.check(partial) == [
        "The file \"roads.geodatabase\" is missing or cannot be read; it has the data of \"Roads\"."
      ])
  }

  @Test(arguments: [nil, Data("not a database".utf8), Data()])
  func `A package of which no layer can be read is refused with one message`(
    _ data: Data?
  ) async throws {
    let model = try await model()
    let url = try townWithoutRoads(data)
    let problem = await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(
      problem?.message
        == "No layer of \"town\" can be read. The file \"roads.geodatabase\" is missing or cannot be "
        + "read; it has the data of \"Roads\".")
    #expect(model.state.items.isEmpty)
    #expect(try staged() == [])
  }

  /// The folder of a package whose database cannot be read, with one more layer if `others` has its
  /// members.
  private func townWithoutRoads(_ data: Data?, others: String? = nil) throws -> URL {
    let url = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    var layers: [JSONValue] = [
      ["id": "roads", "title": "Roads", "path": "file:./roads.geodatabase?itemId=0"]
    ]
    if let others {
      layers.append(try JSONValue(parsing: Data("{\"id\": \"notes\", \(others)}".utf8)))
    }
    let webMap = try WebMap(json: [
      "baseMap": ["title": "", "baseMapLayers": []], "operationalLayers": .array(layers),
    ])
    let map = NewMobileMap(name: "Map", id: UUID(), webMap: webMap)
    let roads = temporaryDirectory.appending(path: "roads.geodatabase")
    try Data().write(to: roads)
    try MobileMapPackageWriter(
      MobileMapPackageDescription(name: "town", title: "Town", guid: UUID(), created: Self.day),
      maps: [map], files: [roads]
    ).writeFolder(to: url)
    let stored = url.appending(path: "p13/roads.geodatabase")
    try FileManager.default.removeItem(at: stored)
    try data?.write(to: stored)
    return url
  }

  @Test func `Packages are distinguished by their ids and titles, not by file names`()
    async throws
  {
    let model = try await model()
    let first = try await model.importPackage(try package("v1.mmpk", title: "Ver"))
    let other = try await model.importPackage(try package("dd/v1.mmpk", title: "Future"))
    #expect(other.outcome == .stored && other.title == "Future")
    let later = try package("v2.mmpk", title: "Ver", maps: 2)
    let skipped = try await model.importPackage(later)
    #expect(skipped.outcome == .skipped && skipped.id == first.id)
    // The same title with an id of its own is another package, unless its file is called the same.
    let namesake = try package("v3.mmpk", title: "Ver", maps: 3, id: UUID())
    let stored = try await model.importPackage(namesake, onConflict: .replace)
    #expect(stored.outcome == .stored && stored.title == "Ver (2)")
    let again = try package("ee/v1.mmpk", title: "Ver", maps: 4, id: UUID())
    #expect(try await model.importPackage(again).outcome == .skipped)
    #expect(model.state.items.map(\.title).sorted() == ["Future", "Ver", "Ver (2)"])
  }

  /// The folder of a package that does not say which one it is.
  private func packageWithoutID(_ name: String, title: String) throws -> URL {
    let url = temporaryDirectory.appending(path: name, directoryHint: .isDirectory)
    try writer(title).writeFolder(to: url)
    let file = url.appending(path: "package.info")
    var info = try #require(try JSONValue(parsing: Data(contentsOf: file)).object)
    info["guid"] = nil
    try JSONValue.object(info).encoded().write(to: file)
    return url
  }

  @Test func `Packages without ids are distinguished by their titles`() async throws {
    let model = try await model()
    let first = try await model.importPackage(try packageWithoutID("a", title: "Town"))
    let other = try await model.importPackage(try packageWithoutID("b", title: "Harbour"))
    #expect(other.outcome == .stored && other.id != first.id)
    let same = try await model.importPackage(try packageWithoutID("c", title: "Town"))
    #expect(same.outcome == .skipped && same.id == first.id)
    #expect(model.state.items.map(\.title).sorted() == ["Harbour", "Town"])
  }

  @Test func `A package that replaces another brings its own title`() async throws {
    let model = try await model()
    let first = try await model.importPackage(try package("w1.mmpk", title: "Ver"))
    let next = try package("w2.mmpk", title: "Ver 2027", maps: 2, id: Self.id("Ver"))
    let replaced = try await model.importPackage(next, onConflict: .replace)
    #expect(replaced.outcome == .replaced && replaced.id == first.id)
    #expect(replaced.title == "Ver 2027")
    #expect(model.state.items.map(\.title) == ["Ver 2027"])
  }

  @Test func `Digests computed on the way in are those of the files`() async throws {
    let model = try await model()
    let imported = try await model.importPackage(try package())
    let id = try #require(MapID(imported.id))
    let version = try #require(try await model.library.storage.versions(of: id).first)
    #expect(version.files.count == 1 && version.files[0].digest?.count == 32)
    #expect(try await model.library.audit.findings(.deep) == [])
  }

  /// Some megabytes, as they are and compressed.
  private func largePackage() throws -> URL {
    let url = temporaryDirectory.appending(path: "large.mmpk")
    let folder = temporaryDirectory.appending(path: "large", directoryHint: .isDirectory)
    try writer("Large").writeFolder(to: folder)
    let noise = Data((0..<3 << 20).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })
    var archive = try ZIPWriter(replacing: url)
    try archive.add("p30/noise.bin", noise)
    try archive.add("p30/noise.txt", noise, method: .deflated(level: 1))
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    for path in files where try FileStatus(at: folder.appending(path: path))?.kind == .file {
      try archive.add(path, file: folder.appending(path: path))
    }
    try archive.add("p30/last.bin", noise)
    try archive.finish()
    return url
  }

  @Test func `A package is checked while it is copied, so that it is read once`() async throws {
    let url = try largePackage()
    let reread = Mutex(0)
    let model = try await model(inspected: { file in
      reread.withLock { $0 += file.rereadByteCount }
    })
    let imported = try await model.importPackage(url)
    #expect(imported.outcome == .stored)
    #expect(reread.withLock { $0 } < 300_000)
    let opened = try await model.beginUse(of: imported.id)
    #expect(try Data(contentsOf: opened.url) == Data(contentsOf: url))
    #expect(try staged() == [])
  }

  @Test(arguments: [0.1, 0.5, 0.9])
  func `A byte that is wrong in a large package is found while it is copied`(
    _ share: Double
  ) async throws {
    let url = try largePackage()
    var bytes = try Data(contentsOf: url)
    bytes[Int(Double(bytes.count) * share)] ^= 1
    try bytes.write(to: url)
    let model = try await model()
    await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(model.state.items.isEmpty)
    #expect(try staged() == [])
  }

  @Test
  func `The same package is stored twice only on request, and each result says so`()
    async throws
  {
    let model = try await model()
    let first = try await model.importPackage(try package())
    let copy = try package("copies/other-name.mmpk")
    let again = try await model.importPackage(copy, onConflict: .replace)
    #expect(again.outcome == .same && again.id == first.id)
    #expect(model.state.items.count == 1)
    let second = try await model.importPackage(copy, onConflict: .rename)
    #expect(second.outcome == .stored && second.id != first.id && second.title == "Town (2)")
    #expect(second.warnings == ["The same package is on this device already, as \"Town\"."])
    #expect(second.isComplete && model.state.items.count == 2)
  }

  @Test(arguments: [ImportConflictPolicy.skip, .replace], [true, false])
  func `A package is imported again to replace missing or truncated files`(
    _ policy: ImportConflictPolicy, _ isGone: Bool
  ) async throws {
    let model = try await model()
    let url = try package()
    let first = try await model.importPackage(url)
    let layout = model.library.maps.layout
    let place = layout.place(of: try #require(model.list.stored.first))
    if isGone {
      try FileManager.default.removeItem(at: place)
    } else {
      try Data(contentsOf: url).prefix(10).write(to: place)
    }
    let again = try await model.importPackage(url, onConflict: policy)
    #expect(again.outcome == .stored && again.id == first.id && again.title == "Town")
    #expect(model.state.items.count == 1)
    let map = try #require(model.list.stored.first)
    #expect(try Data(contentsOf: layout.place(of: map)) == Data(contentsOf: url))
  }

  @Test(arguments: [ImportConflictPolicy.skip, .replace])
  func `A sound package is brought in again in the place of one whose bytes have changed`(
    _ policy: ImportConflictPolicy
  ) async throws {
    let model = try await model()
    let url = try package()
    let first = try await model.importPackage(url)
    let layout = model.library.maps.layout
    let place = layout.place(of: try #require(model.list.stored.first))
    var bytes = try Data(contentsOf: place)
    bytes[bytes.startIndex + bytes.count / 2] ^= 0xFF
    let handle = try FileHandle(forWritingTo: place)
    try handle.write(contentsOf: bytes)
    try handle.close()
    let again = try await model.importPackage(url, onConflict: policy)
    #expect(again.outcome == .stored && again.id == first.id)
    let map = try #require(model.list.stored.first)
    #expect(try Data(contentsOf: layout.place(of: map)) == Data(contentsOf: url))
    #expect(try await model.importPackage(url, onConflict: .replace).outcome == .same)
  }

  @Test func `A database that bears the name of a package is not imported, for it could be edited`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "data.mmpk")
    let definition = GeodatabaseDefinition(
      name: "Notes",
      tables: [
        GeodatabaseDefinition.Table(
          FeatureTableSchema(name: "Notes", fields: [Field("OBJECTID", .objectID)]))
      ])
    try GeodatabaseWriter(at: url, definition, now: Self.day) { UUID() }.finish()
    let model = try await model()
    let problem = await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(problem?.message.contains("is a mobile geodatabase, not a mobile map package") == true)
    #expect(model.state.items == [])
    #expect(try staged() == [])
  }

  @Test func `Where the package is there, the policy says what becomes of it`() async throws {
    let model = try await model()
    let first = try await model.importPackage(try package())
    let newer = try package("newer/TOWN.mmpk", title: "Town again", id: Self.id("Town"))
    let skipped = try await model.importPackage(newer)
    #expect(skipped.outcome == .skipped && skipped.id == first.id)
    let renamed = try await model.importPackage(newer, onConflict: .rename)
    #expect(renamed.outcome == .stored && renamed.id != first.id)
    let third = try package("third/town.mmpk", title: "Town", maps: 2)
    let replaced = try await model.importPackage(third, onConflict: .replace)
    #expect(replaced.outcome == .replaced)
    #expect(model.state.items.count == 2)
    _ = try await model.rollBack(replaced.id)
  }

  @Test func `Two packages with one title get names of their own`() async throws {
    let model = try await model()
    _ = try await model.importPackage(try package())
    for number in 2...3 {
      let other = try await model.importPackage(
        try package("b\(number).mmpk", maps: number), onConflict: .rename)
      #expect(other.title == "Town (\(number))")
    }
  }

  @Test func `The record of a package is what it says, and which file it came from`()
    async throws
  {
    let url = try package("first/Town.MMPK")
    let size = try Data(contentsOf: url).count
    let model = try await model()
    let imported = try await model.importPackage(url)
    #expect(
      imported
        == PackageImport(
          outcome: .stored, id: imported.id, title: "Town", byteCount: size, warnings: [],
          isComplete: true))
    #expect(model.state.imported == imported)
    func stored() async throws -> StoredMap {
      let id = try #require(MapID(imported.id))
      return try #require(try await model.library.storage.storedMap(id))
    }
    let first = try await stored()
    var expected = StoredMap(
      id: first.id, origin: .imported("Town.MMPK"), form: .file, title: "Town",
      summary: first.summary, installed: Self.day, sourceModified: try PackageSource(url).modified,
      byteCount: size, version: 1)
    #expect(first == expected)
    #expect(
      try await model.importPackage(url)
        == PackageImport(
          outcome: .skipped, id: imported.id, title: "Town", byteCount: 0, warnings: [],
          isComplete: true))
    #expect(try await stored() == first)
    let next = try package("next/town.mmpk", maps: 2)
    let replaced = try await model.importPackage(next, onConflict: .replace)
    #expect(replaced.outcome == .replaced && replaced.id == imported.id)
    expected.origin = .imported("town.mmpk")
    expected.sourceModified = try PackageSource(next).modified
    expected.byteCount = try Data(contentsOf: next).count
    expected.version = 2
    #expect(try await stored() == expected)
    #expect(try await model.library.maps.earlierVersions(of: first.id).map(\.map) == [first])
  }

  @Test func `A package that just fits is imported, and one a byte larger is not`()
    async throws
  {
    let url = try package()
    let size = try Data(contentsOf: url).count
    let full = try await model(free: { size - 1 })
    let problem = await #expect(throws: Problem.self) { try await full.importPackage(url) }
    #expect(problem?.code == .diskFull && problem?.message.contains(" 1 byte ") == true)
    #expect(try staged() == [] && full.state.items == [])
    #expect(try await model(free: { size }).importPackage(url).outcome == .stored)
  }

  @Test(arguments: [
    "cut", "foreign", "text", "empty", "missing", "pipe", "no maps",
  ])
  func `A damaged package is refused with the reason, and nothing stays`(
    _ damage: String
  ) async throws {
    var url = try package()
    let bytes = try Data(contentsOf: url)
    switch damage {
    case "cut": try bytes.prefix(bytes.count / 2).write(to: url)
    case "foreign": try Data("SQLite format 3\0".utf8).write(to: url)
    case "empty": try Data().write(to: url)
    case "missing": try FileManager.default.removeItem(at: url)
    case "pipe":
      try FileManager.default.removeItem(at: url)
      #expect(mkfifo(url.path, 0o600) == 0)
    case "no maps": url = try package("none.mmpk", maps: 0)
    default:
      url = temporaryDirectory.appending(path: "town.txt")
      try bytes.write(to: url)
    }
    let model = try await model()
    await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(model.state.items == [])
    #expect(try staged() == [])
  }

  @Test func `Defect 12, without room for a package nothing is written`() async throws {
    let model = try await model(free: { 100 })
    let url = try package()
    let problem = await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(problem?.message.contains("not enough free space") == true)
    #expect(problem?.code == .diskFull && problem?.actions == [NextAction(.freeSpace)])
    #expect(try staged() == [])
  }

  @Test func `The version before an update makes room for a package`() async throws {
    let space = Atomic<Int>(.max)
    let model = try await model(free: { space.load(ordering: .relaxed) })
    let old = try package()
    let id = try await model.importPackage(old).id
    let new = try package(maps: 2)
    #expect(try await model.importPackage(new, onConflict: .replace).id == id)
    let stored = try #require(MapID(id))
    #expect(try await model.library.storage.versions(of: stored).count == 2)
    space.store(0, ordering: .relaxed)
    let other = try package("other.mmpk", title: "Other")
    await #expect(throws: Problem.self) { try await model.importPackage(other) }
    #expect(try await model.library.storage.versions(of: stored).count == 1)
  }

  @Test func `Packages that did not fit are offered again, and removed ones are forgotten`()
    async throws
  {
    let space = Atomic<Int>(0)
    let model = try await model(free: { space.load(ordering: .relaxed) })
    let folder = temporaryDirectory.appending(path: "downloads")
    let file = try package("downloads/town.mmpk")
    let watched = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await watched.look() }
    let offer = try #require(watched.state.offers.first)
    await #expect(throws: Problem.self) { try await watched.take(offer) }
    await watched.look()
    #expect(watched.state.offers == [offer])
    space.store(.max, ordering: .relaxed)
    #expect(try await watched.take(offer).outcome == .stored)
    try FileManager.default.removeItem(at: file)
    await watched.look()
    #expect(throws: Problem.self) { try watched.offer(offer.id) }
  }

  @Test func `A package with edits in a journal is refused, for they would be lost`() async throws {
    let url = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    try writer("Town").writeFolder(to: url)
    try Data("x".utf8).write(to: url.appending(path: "p13/a.geodatabase-wal"))
    let model = try await model()
    await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(model.state.items == [])
    #expect(try staged() == [])
  }

  @Test(arguments: [0, 1, 2])
  func `Edits in an archive are reported at import, because they cannot be sent from it`(
    _ count: Int
  ) async throws {
    let file = temporaryDirectory.appending(path: "notes.geodatabase")
    var schema = FeatureTableSchema(
      name: "Notes",
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("TEXT", .string, length: 20),
        Field("GlobalID", .globalID, isNullable: false, isEditable: false),
      ])
    schema.isChangeTracked = true
    try GeodatabaseWriter(
      at: file, GeodatabaseDefinition(name: "Notes", tables: [.init(schema)]), now: Self.day
    ) { UUID() }.finish()
    let store = try EditableGeodatabase.open(at: file, now: { Self.day }, makeID: { UUID() })
    for number in 0..<count {
      let note = NewFeature(attributes: ["TEXT": .text("\(number)")], geometry: nil)
      _ = try await store.apply([.add(note, table: "Notes")])
    }
    await store.close()
    let webMap = try WebMap(json: [
      "baseMap": ["title": "", "baseMapLayers": []],
      "operationalLayers": [
        ["id": "notes", "title": "Notes", "path": "file:./notes.geodatabase?itemId=0"]
      ],
    ])
    let url = temporaryDirectory.appending(path: "town.mmpk")
    try MobileMapPackageWriter(
      MobileMapPackageDescription(name: "town", title: "Town", guid: UUID(), created: Self.day),
      maps: [NewMobileMap(name: "Map", id: UUID(), webMap: webMap)], files: [file]
    ).writeArchive(to: url)
    let imported = try await model().importPackage(url)
    #expect(imported.isComplete)
    let told = imported.warnings.filter { $0.contains("not sent yet") }
    #expect(told.count == min(count, 1))
    #expect(told.allSatisfy { $0.hasPrefix(count == 1 ? "An edit" : "2 edits") }, "\(told)")
  }

  @Test(arguments: [true, false])
  func `A map that is exported can be imported again`(_ isFolder: Bool) async throws {
    let url = temporaryDirectory.appending(path: isFolder ? "town" : "town.mmpk")
    if isFolder { try writer("Town").writeFolder(to: url) } else { _ = try package() }
    let model = try await model()
    let id = try await model.importPackage(url).id
    let target = temporaryDirectory.appending(path: "out.mmpk")
    let export = try await model.export(id, to: target)
    #expect(try Data(contentsOf: target).count == export.byteCount && export.byteCount > 0)
    #expect(
      export
        == MapExport(
          id: id, title: "Town", file: target.path(percentEncoded: false),
          byteCount: export.byteCount))
    #expect(try staged() == [])
    let opener = FilePackageOpener(unpackingInto: temporaryDirectory.appending(path: "u"))
    #expect(try await opener.open(target).maps.map(\.title) == ["Map 0"])
    if !isFolder {
      let original = try Data(contentsOf: url)
      #expect(try Data(contentsOf: target) == original)
    }
    await #expect(throws: Problem.self) { try await model.export(id, to: target) }
    _ = try await model.export(id, to: target, replacing: true)
  }

  @Test func `No folder is made for a map that is exported, as its name may be a mistake`()
    async throws
  {
    let model = try await model()
    let id = try await model.importPackage(try package()).id
    let folder = temporaryDirectory.appending(path: "absent")
    let problem = await #expect(throws: Problem.self) {
      try await model.export(id, to: folder.appending(path: "out.mmpk"))
    }
    #expect(problem?.code == .noSuchFolder)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `A map is exported under no name that is not that of a package`() async throws {
    let model = try await model()
    let id = try await model.importPackage(try package()).id
    for name in ["out.zip", "out"] {
      let target = temporaryDirectory.appending(path: name)
      let problem = await #expect(throws: Problem.self) { try await model.export(id, to: target) }
      #expect(problem?.suggestion == "Name it \"out.mmpk\".")
      #expect(!FileManager.default.fileExists(atPath: target.path))
    }
    _ = try await model.export(id, to: temporaryDirectory.appending(path: "out.MMPK"))
  }

  @Test func `An export is put together beside its target, and needs no room in the home`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "town")
    try writer("Town").writeFolder(to: url)
    let definition = GeodatabaseDefinition(
      name: "Notes",
      tables: [
        GeodatabaseDefinition.Table(
          FeatureTableSchema(name: "Notes", fields: [Field("OBJECTID", .objectID)]))
      ])
    let data = url.appending(path: "p13/data.geodatabase")
    try GeodatabaseWriter(at: data, definition, now: Self.day) { UUID() }.finish()
    // It only begins like the database.
    let notes = "p13/data.geodatabase_notes.txt"
    try Data("mine".utf8).write(to: url.appending(path: notes))
    let model = try await model()
    let id = try await model.importPackage(url).id
    // No folder can be made where jobs write.
    let staging = temporaryDirectory.appending(path: "home/staging")
    try FileManager.default.removeItem(at: staging)
    try Data().write(to: staging)
    let folder = temporaryDirectory.appending(path: "out")
    let dead = folder.appending(path: ".portolan-export-of-a-process-that-died")
    try FileManager.default.createDirectory(at: dead, withIntermediateDirectories: true)

    let target = folder.appending(path: "town.mmpk")
    _ = try await model.export(id, to: target)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["town.mmpk"])
    let archive = try ZIPArchive(at: target)
    #expect(
      try archive.data(named: "p13/data.geodatabase", limit: 1 << 20) == Data(contentsOf: data))
    #expect(try archive.data(named: notes, limit: 1 << 20) == Data("mine".utf8))
  }

  @Test func `A watched folder offers packages once they are whole, until they are taken`()
    async throws
  {
    let model = try await model()
    let folder = temporaryDirectory.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let watched = WatchedFolderModel(folder: folder, maps: model)
    await watched.look()
    #expect(watched.state == WatchedFolderModel.State())
    let file = folder.appending(path: "Town.MMPK")
    try FileManager.default.copyItem(at: try package(), to: file)
    try Data("notes".utf8).write(to: folder.appending(path: "notes.txt"))
    await watched.look()
    #expect(watched.state.offers == [], "it may still be written")
    await watched.look()
    let offer = try #require(watched.state.offers.first)
    #expect(watched.state.offers.count == 1 && offer.name == "Town.MMPK")
    let imported = try await watched.take(offer)
    #expect(imported.outcome == .stored)
    #expect(FileManager.default.fileExists(atPath: file.path))
    await watched.look()
    #expect(watched.state.offers == [])
    let another = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await another.look() }
    #expect(another.state.offers == [])
  }

  @Test func `What a watched folder has offered is known by its id, and nothing else is`()
    async throws
  {
    let model = try await model()
    let folder = temporaryDirectory.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "town.mmpk")
    try FileManager.default.copyItem(at: try package(), to: file)
    let watched = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await watched.look() }
    let offer = try #require(watched.state.offers.first)
    await watched.decline(offer)
    #expect(watched.state.offers == [])
    #expect(try watched.offer(offer.id) == offer)
    #expect(throws: Problem.self) { try watched.offer("/etc/passwd") }
  }

  @Test func `A package that was declined is not offered at the next start, until it changes`()
    async throws
  {
    let model = try await model()
    let folder = temporaryDirectory.appending(path: "downloads")
    let file = try package("downloads/town.mmpk")
    let watched = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await watched.look() }
    await watched.decline(try #require(watched.state.offers.first))
    let next = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<3 { await next.look() }
    #expect(next.state.offers == [])
    try Data("another".utf8).write(to: file)
    for _ in 0..<2 { await next.look() }
    #expect(next.state.offers.map(\.name) == ["town.mmpk"])
  }

  @Test func `Of two processes that watch a folder each keeps what the other has declined`()
    async throws
  {
    let model = try await model()
    let folder = temporaryDirectory.appending(path: "downloads")
    _ = try package("downloads/town.mmpk")
    _ = try package("downloads/village.mmpk")
    let both = (0..<2).map { _ in WatchedFolderModel(folder: folder, maps: model) }
    for watched in both { for _ in 0..<2 { await watched.look() } }
    await both[0].decline(try #require(both[0].state.offers.first))
    await both[1].decline(try #require(both[1].state.offers.last))
    let next = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await next.look() }
    #expect(next.state.offers == [])
  }

  @Test func `A watched folder offers another edition that is as long as the one before`()
    async throws
  {
    let model = try await model()
    let folder = temporaryDirectory.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "town.mmpk")
    try FileManager.default.copyItem(at: try package(), to: file)
    _ = try await model.importPackage(file)
    #expect(model.state.items.first?.modified == nil, "no portal has dated it")
    let old = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    let date = try #require(old as? Date).addingTimeInterval(1)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    let watched = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await watched.look() }
    #expect(watched.state.offers.map(\.name) == ["town.mmpk"])
  }

  @Test func `A declined package is offered again when it changes`() async throws {
    let model = try await model()
    let folder = temporaryDirectory.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "broken.mmpk")
    try Data("no package".utf8).write(to: file)
    let watched = WatchedFolderModel(folder: folder, maps: model)
    await watched.look()
    await watched.look()
    let offer = try #require(watched.state.offers.first)
    await #expect(throws: Problem.self) { try await watched.take(offer) }
    await watched.look()
    #expect(watched.state.offers == [])
    try Data("no package either".utf8).write(to: file)
    await watched.look()
    await watched.look()
    #expect(watched.state.offers.map(\.name) == ["broken.mmpk"])
    try FileManager.default.removeItem(at: folder)
    await watched.look()
    #expect(watched.state.problem != nil)
  }

  @Test func `A row says how many maps there are and until when they may be used`() async throws {
    let model = try await model()
    let later = PackageExpiration(
      date: Self.day + 86_400, message: "Ask for more.", policy: .preventAccess)
    let states = try await Observed.states {
      model.state.items.map(\.copy)
    } until: {
      $0.first??.contents != nil
    } while: {
      _ = try await model.importPackage(try package(maps: 3, expiration: later))
      #expect(model.state.items.first?.copy?.contents == nil)
      await model.readContents()
    }
    let copy = try #require(states.last?.first ?? nil)
    let contents = try #require(copy.contents)
    #expect(contents.mapCount == 3 && contents.problem == nil && !copy.isExpired)
    #expect(contents.expiration?.date == later.date && contents.expiration?.preventsAccess == true)
    #expect(contents.expiration?.message == "Ask for more.")
    let json = try #require(model.state.items.first).json
    #expect(json["mapCount"] == 3 && json["isExpired"] == false)
    #expect(json["expires"]?.string?.hasPrefix("20") == true)
  }

  @Test func `A map whose date has passed says so, whether it opens or not`() async throws {
    let clock = Mutex(Self.day)
    let model = try await model(now: { clock.withLock { $0 } })
    for (name, policy) in [
      ("open", PackageExpiration.Policy.allowAccess), ("shut", .preventAccess),
    ] {
      let url = try package(
        "\(name).mmpk", title: name,
        expiration: PackageExpiration(date: Self.day + 1, message: "Over.", policy: policy))
      _ = try await model.importPackage(url)
    }
    clock.withLock { $0 += 2 }
    await model.readContents()
    let rows = model.state.items
    #expect(
      rows.map(\.title) == ["open", "shut"] && rows.allSatisfy { $0.copy?.isExpired == true })
    #expect(rows.map { $0.copy?.contents?.mapCount } == [1, 1])
    #expect(rows.map(\.canOpen) == [true, false])
    #expect(rows.map { $0.copy?.contents?.expiration?.preventsAccess } == [false, true])
    #expect(rows.allSatisfy { $0.copy?.contents?.expiration?.message == "Over." })
    #expect(rows.allSatisfy { $0.copy?.contents?.problem == nil })
  }

  @Test func `A map's contents are read again when another version takes its place`() async throws {
    let model = try await model()
    _ = try await model.importPackage(try package(maps: 1))
    await model.readContents()
    #expect(model.state.items.first?.copy?.contents?.mapCount == 1)
    let replaced = try await model.importPackage(try package(maps: 2), onConflict: .replace)
    #expect(model.state.imported == replaced && replaced.outcome == .replaced)
    #expect(model.state.items.first?.copy?.contents == nil)
    await model.readContents()
    #expect(model.state.items.first?.copy?.contents?.mapCount == 2)
  }

  @Test func `Defect 7, an imported map has no portal whose dates could matter`() async throws {
    let model = try await model()
    _ = try await model.importPackage(try package())
    let updates = try await model.checkUpdates()
    #expect(updates.map(\.freshness) == [.untracked] && model.state.updates == updates)
    let item = try #require(model.state.items.first)
    #expect(item.copy?.isImported == true && item.canOpen && item.canDelete && !item.canDownload)
    #expect(updates.map(\.installed) == [Self.day])
  }
}
