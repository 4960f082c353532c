import Foundation
import PortolanArchives
import PortolanFiles
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The list of maps to the last field: newer versions elsewhere, copies that are there already,
/// maps brought back and maps off the list.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ListedMapTests {
  private nonisolated static let day = SmallLibrary.day
  private nonisolated static let item = "0123456789abcdef0123456789abcdee"

  private func list(
    _ home: SmallLibrary, portals: any PortalConnecting = NoPortal(),
    _ status: NetworkStatus = .online(isMetered: nil)
  ) async throws -> MapListModel {
    let list = MapListModel(
      library: home.library, portals: portals, monitor: SwitchableNetworkMonitor(status))
    try await list.load()
    return list
  }

  private func map(
    _ id: String, _ origin: StoredMap.Origin, modified: Date? = day, title: String? = nil
  ) throws -> StoredMap {
    StoredMap(
      id: try #require(MapID(id)), origin: origin, form: .file, title: title ?? id,
      portal: URL(string: "https://portal.example"), installed: Self.day, sourceModified: modified,
      byteCount: 10, version: 1)
  }

  // MARK: - Updates

  /// The portal's date of what is stored, what it says now, and what follows.
  @Test(
    arguments: [
      (day, day, .current), (day, day + 1, .available), (day + 1, day, .current),
      (nil, day, .untracked), (day, nil, .untracked),
    ] as [(Date?, Date?, MapUpdate.Freshness)])
  func `A package is newer only where its portal dates it later than what is stored`(
    _ stored: Date?, _ remote: Date?, _ freshness: MapUpdate.Freshness
  ) async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    try await home.library.storage.save(
      map("package", .portalItem(Self.item), modified: stored, title: "Package"))
    let list = try await list(home, portals: DatedPortal(modified: remote))
    let update = MapUpdate(
      id: "package", title: "Package", installed: Self.day, storedModified: stored,
      portalModified: remote, freshness: freshness)
    #expect(try await list.checkUpdates() == [update])
    #expect(list.state.updates == [update])
    #expect(list.state.items.first?.copy?.hasUpdate == (freshness == .available))
    let dates = remote.map { ["package": $0] } ?? [:]
    #expect(try await home.library.storage.packageDates() == dates)
  }

  @Test func `Without a network the state is unknown, and the last known one is reported`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let storage = home.library.storage
    let portal = try #require(URL(string: "https://portal.example"))
    try await storage.save(KnownMap(id: "w", portal: portal, title: "W", seen: Self.day))
    let area = KnownArea(
      id: "area", webMap: "w", title: "C", status: .complete, modified: Self.day + 1,
      seen: Self.day)
    try await storage.save([area], of: "w")
    for map in [
      try map("imported", .imported("a.mmpk"), title: "A"),
      try map("drawn", .onDemandArea(webMap: "w"), title: "B"),
      try map("area", .preplannedArea(webMap: "w", area: "area"), title: "C"),
      try map("package", .portalItem(Self.item), title: "D"),
    ] {
      try await storage.save(map)
    }
    try await storage.save(packageDate: Self.day + 2, of: "package")
    let list = try await list(home, .offline(.notConnected))
    let silent = Problem(PortalError.cancelled)
    let noNetwork = Problem(message: "There is no network.", kind: .network)
    func update(
      _ id: String, _ title: String, _ stored: Date?, _ remote: Date?,
      _ freshness: MapUpdate.Freshness
    ) -> MapUpdate {
      MapUpdate(
        id: id, title: title, installed: Self.day, storedModified: stored, portalModified: remote,
        freshness: freshness)
    }
    var drawn = update("drawn", "B", Self.day, nil, .untracked)
    drawn.comesWithSync = true
    let updates = [
      update("imported", "A", nil, nil, .untracked), drawn,
      update("area", "C", Self.day, Self.day + 1, .unknown(noNetwork)),
      update("package", "D", Self.day, Self.day + 2, .unknown(silent)),
    ]
    #expect(try await list.checkUpdates() == updates)
    #expect(try await list.checkUpdates(of: ["drawn", "package"]) == [updates[1], updates[3]])
    #expect(list.state.updates == updates, "what is known of the others stays")
    let results = try await list.startUpdates()
    #expect(results.map(\.outcome) == [.untracked, .untracked, .failed, .failed])
    #expect(
      results.map(\.message) == [
        "\"A\" has no portal that could have a newer version.",
        "\"B\" has no newer version to download: what changed at its services comes with its next "
          + "synchronization.", "\"C\" was not updated: There is no network.",
        "\"D\" was not updated: \(silent.message)",
      ])
    #expect(await home.library.queue.jobs.isEmpty)
  }

  @Test func `A map that cannot be downloaded keeps none of those after it from being updated`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    // Of which the portal has made something else since.
    let replaced = "fedcba9876543210fedcba9876543210"
    for (id, title) in [(replaced, "A"), (Self.item, "B")] {
      try await home.library.storage.save(map(id, .portalItem(id), title: title))
    }
    let portal = DatedPortal(modified: Self.day + 1, kinds: [replaced: "Web Map"])
    let results = try await list(home, portals: portal).startUpdates()
    #expect(results.map(\.outcome) == [.failed, .started])
    #expect(results.first?.message?.contains("cannot be downloaded") == true)
    #expect(await home.library.queue.jobs.map(\.subject) == [Self.item])
  }

  @Test func `The outcome of a map's update is described in a sentence`() {
    func update(_ freshness: MapUpdate.Freshness, count: Int? = nil) -> MapUpdate {
      MapUpdate(
        id: "a", title: "Town", installed: Self.day, storedModified: nil, portalModified: nil,
        freshness: freshness, scheduled: count.map { .init(count: $0) })
    }
    #expect(MapUpdateResult(unchanged: update(.available)) == nil)
    let ends: [(MapUpdate, MapUpdateResult.Outcome, String)] = [
      (update(.current), .current, "\"Town\" is up to date."),
      (
        update(.current, count: 1), .scheduled,
        "Nothing was downloaded: \"Town\" has a scheduled update, which comes with its next "
          + "synchronization."
      ),
      (
        update(.untracked, count: 1), .untracked,
        "\"Town\" has no portal that could have a newer version."
      ),
      (
        update(.unknown(Problem(message: "\"Town\" is gone."))), .failed,
        "Not updated: \"Town\" is gone."
      ),
      (update(.unknown(Problem(message: "No."))), .failed, "\"Town\" was not updated: No."),
    ]
    for (update, outcome, message) in ends {
      let result = MapUpdateResult(unchanged: update)
      #expect(result?.outcome == outcome && result?.message == message)
      #expect(result?.id == "a" && result?.title == "Town")
    }
    let started = MapUpdateResult(update(.available), .started)
    #expect(started.outcome == .started && started.message == nil && started.id == "a")
  }

  // MARK: - Who is meant

  /// The name that a person gives, and the maps that it may mean, also where nobody is asked before
  /// something is done that matters.
  @Test(
    arguments: [
      ("Harbour", ["alpha001"], true), ("harbour", ["alpha001"], true),
      ("Harbour North", ["alpha002"], true), ("HARBOUR NORTH", ["alpha002", "beta0001"], true),
      ("alpha001", ["alpha001"], true), ("alpha", ["alpha001", "alpha002"], true),
      ("BETA…", ["beta0001"], true), ("bet", [], true), ("north", ["alpha002", "beta0001"], false),
      ("harb", ["alpha001", "alpha002", "beta0001"], false), ("orth", [], false), ("", [], false),
      ("ile d", ["gamma001"], false), ("cafe\u{301}", ["gamma001"], false), ("\u{301}", [], false),
      ("ile du cafe", ["gamma001"], false), ("\u{CE}LE DU CAF\u{C9}", ["gamma001"], true),
    ] as [(String, [String], Bool)])
  func `A map is meant by its id or title first, then by words, and never by several`(
    _ name: String, _ ids: [String], _ isExact: Bool
  ) async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let titles = [
      "alpha001": "Harbour", "alpha002": "Harbour North", "beta0001": "harbour north",
      "gamma001": "\u{CE}le du Caf\u{E9}",
    ]
    for (id, title) in titles.sorted(by: { $0.key < $1.key }) {
      try await home.library.storage.save(map(id, .imported(id), title: title))
    }
    let list = try await list(home)
    func found(exactly isExact: Bool) -> Result<String, Problem> {
      do throws(Problem) {
        return .success(
          try list.item(named: name, among: list.state.items, exactly: isExact).id)
      } catch {
        return .failure(error)
      }
    }
    var expected = Result<String, Problem>.failure(Problem(LibraryError.noSuchMap(name)))
    if ids.count == 1 { expected = .success(ids[0]) }
    if ids.count > 1 {
      let choices = ids.map { "\($0) (\"\(titles[$0] ?? "")\")" }.joined(separator: ", ")
      expected = .failure(
        Problem(
          .ambiguous, message: "\"\(name)\" can mean \(ids.count) maps.",
          suggestion: "Give the id: \(choices).", actions: [.init(.listMaps)]))
    }
    #expect(found(exactly: false) == expected)
    let absent = Result<String, Problem>.failure(Problem(LibraryError.noSuchMap(name)))
    #expect(found(exactly: true) == (isExact ? expected : absent))
  }

  @Test func `Of a web map and the copy that has its title the copy is used`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let portal = try #require(URL(string: "https://gis.example.org"))
    let id = String(repeating: "a", count: 32)
    try await home.library.storage.save(
      KnownMap(id: id, portal: portal, title: "Harbour", seen: Self.day))
    let alone = try await list(home)
    #expect(try alone.usableItem(named: "Harbour").id == id)
    try await home.library.storage.save(
      map("alpha001", .onDemandArea(webMap: id), title: "Harbour"))
    let both = try await list(home)
    #expect(throws: Problem.self) { try both.item(named: "Harbour") }
    #expect(try both.usableItem(named: "Harbour").id == "alpha001")
    #expect(try both.usableItem(named: id).id == id)
    try await home.library.storage.save(map("alpha002", .imported("a"), title: "Harbour"))
    let several = try await list(home)
    #expect(throws: Problem.self) { try several.usableItem(named: "Harbour") }
  }

  @Test func `Without a network the list says what it is a list of`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    try await home.library.storage.save(map("a", .imported("a.mmpk")))
    let online = try await list(home)
    #expect(online.state.banner == nil)
    let offline = try await list(home, .offline(.notConnected))
    #expect(
      offline.state.banner
        == Problem(
          message: "There is no network. This is what is on this device.", kind: .network))
    _ = try await home.library.queue.submit(
      kind: "preplanned-area", subject: "b", title: "B", parameters: Data())
    try await offline.load()
    #expect(offline.state.items.map(\.id) == ["a", "b"])
    #expect(
      offline.state.banner?.message
        == "There is no network. These maps are on this device, or were being downloaded to it.")
  }

  // MARK: - Packages that are there already

  private nonisolated static let written = Date(timeIntervalSince1970: 1_700_000_000)

  @Test(
    arguments: [
      (.imported("Town.mmpk"), 10, written, true), (.imported("TOWN.MMPK"), 10, written, true),
      (.imported("Town.mmpk"), 10, nil, true),
      (.imported("Town.mmpk"), 10, written + 0.000_5, true),
      (.imported("Town.mmpk"), 10, written - 0.01, false),
      (.imported("Town.mmpk"), 10, written + 0.01, false),
      (.imported("Town.mmpk"), 11, written, false), (.imported("Town"), 10, written, false),
      (.portalItem("Town.mmpk"), 10, written, false),
    ] as [(StoredMap.Origin, Int, Date?, Bool)])
  func `A package is there already if a map came from a file of its name, size and date`(
    _ origin: StoredMap.Origin, _ byteCount: Int, _ modified: Date?, _ isThere: Bool
  ) async throws {
    let file = temporaryDirectory.appending(path: "Town.mmpk")
    try Data(count: 10).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Self.written], ofItemAtPath: file.path)
    let home = try SmallLibrary(in: temporaryDirectory)
    var map = try map("a", origin, modified: modified)
    map.byteCount = byteCount
    try await home.library.storage.save(map)
    #expect(try await list(home).holds(PackageSource(file)) == isThere)
  }

  // MARK: - Deleting

  @Test func `Deleting a map reports what is removed, or why it is not`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let map = try await home.store("a")
    let list = try await list(home)
    let place = home.library.maps.layout.folder(.maps).appending(path: "a")
    let bytes = DiskUsage.freed(byRemoving: place).allocatedByteCount
    for discards in [false, true] {
      #expect(
        try await list.deletion(of: "a", discardingEdits: discards)
          == MapDeletion(id: "a", title: "Map a", byteCount: bytes, unsentEdits: 0))
    }
    for name in ["zz", "../maps/a"] {
      let absence = Problem(LibraryError.noSuchMap(name))
      await #expect(throws: absence) { try await list.deletion(of: name) }
      await #expect(throws: absence) { try await list.delete(name) }
      await #expect(throws: absence) { try await list.rollBack(name) }
    }
    await #expect(throws: Problem(LibraryError.noEarlierVersion(map: "Map a"))) {
      try await list.rollBack("a")
    }
    do {
      let lease = try await home.library.maps.open(map.id)
      let refusal = Problem(LibraryError.inUse(map: "Map a", by: "this program"))
      await #expect(throws: refusal) { try await list.deletion(of: "a") }
      await #expect(throws: refusal) { try await list.delete("a") }
      #expect(FileSystem.live.exists(lease.url))
    }
    #expect(list.state.items.map(\.id) == ["a"])
    try await list.delete("a")
    #expect(list.state.items.isEmpty)
    #expect(try await home.library.maps.deletedMaps().map(\.id) == [map.id])
  }

  // MARK: - What comes back

  @Test func `A deleted map is named by its id, the beginning of it or its title, or is the last`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let (maps, storage) = (home.library.maps, home.library.storage)
    for id in ["alpha-1", "beta-2", "beta-3"] { try await maps.delete(home.store(id).id) }
    // The one that was deleted last is not the last on the list.
    for (map, hours) in zip(try await maps.deletedMaps(), [2.0, 1, 0]) {
      var map = map
      map.deleted = Self.day + hours * 3_600
      try await storage.save(map)
    }
    let list = try await list(home)
    for (name, id) in [
      (nil, "alpha-1"), ("alpha-1", "alpha-1"), ("ALPHA", "alpha-1"), ("Map beta-3", "beta-3"),
      ("beta-3", "beta-3"), (nil, "beta-2"),
    ] as [(String?, String)] {
      let restored = try await list.undoDeletion(of: name)
      #expect(restored == RestoredMap(id: id, title: "Map \(id)", origin: .trash))
      #expect(try list.item(named: id).canOpenOffline)
      // It is deleted once more, before all others.
      try await maps.delete(#require(MapID(id)))
    }
  }

  @Test func `A map that is not in the trash is reported so, or where it is instead`() async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let list = try await list(home)
    for name in ["zz", nil] {
      let problem = await #expect(throws: Problem.self) { try await list.undoDeletion(of: name) }
      #expect(problem == Problem(LibraryError.notInTrash(name)))
    }
    let map = try await home.store("a")
    try await home.library.maps.delete(map.id)
    // It may hold edits, for all that can be found out as it is stored again.
    home.isBlind.withLock { $0 = true }
    try await home.store("a")
    home.isBlind.withLock { $0 = false }
    let kept = Problem(LibraryError.deletedAndKept(map: "Map a", name: "a-deleted-1"))
    for name in ["a", "Map a"] {
      let problem = await #expect(throws: Problem.self) { try await list.undoDeletion(of: name) }
      #expect(problem == kept)
    }
    #expect(try await list.setAside(of: ["a", "b"]) == ["a"])
    #expect(try await list.unsentEdits(of: ["a", "..", "none"]) == [:])
  }

  @Test func `A map that was deleted is reported as one that can be restored`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let portal = try #require(URL(string: "https://portal.example"))
    try await home.library.storage.save(
      KnownMap(id: "w", portal: portal, title: "W", seen: Self.day))
    try await home.library.storage.save(
      [KnownArea(id: "a", webMap: "w", title: "A", status: .complete, seen: Self.day)], of: "w")
    let map = try await home.store("a")
    try await home.library.maps.delete(map.id)
    let screens = LibraryScreens(
      opener: OpenLibrary(library: home.library), portals: NoPortal(),
      monitor: FixedNetworkMonitor(.offline(.asked)))
    let app = AppModel(opener: home.library.packages, library: screens)
    let list = try await screens.maps()
    try await list.load()
    let item = try list.item(named: "a")
    let deleted = await #expect(throws: Problem.self) { _ = try await app.open(item) }
    #expect(deleted?.message == "\"A\" was deleted from this device.")
    #expect(deleted?.kind == .absence && deleted?.actions.map(\.kind) == [.listDeleted])
    let row = await #expect(throws: Problem.self) {
      _ = try await app.layer(named: "Towns", of: item)
    }
    #expect(row == deleted)
    try await home.library.maps.emptyTrash()
    let absent = await #expect(throws: Problem.self) { _ = try await app.open(item) }
    #expect(absent?.message == "\"A\" is not on this device.")
  }

  @Test func `A web map that is off the list leaves its area that is stored, and nothing else`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let storage = home.library.storage
    let portal = try #require(URL(string: "https://portal.example"))
    try await storage.save(KnownMap(id: "w", portal: portal, title: "W", seen: Self.day))
    let areas = ["stored", "other"].map {
      KnownArea(id: $0, webMap: "w", title: $0, status: .complete, seen: Self.day)
    }
    try await storage.save(areas, of: "w")
    try await storage.save(map("stored", .preplannedArea(webMap: "w", area: "stored")))
    let list = try await list(home)
    #expect(list.state.items.map(\.id) == ["w", "other", "stored"])
    try await list.remove(webMap: "w")
    #expect(list.state.items.map(\.id) == ["stored"])
    #expect(list.state.items.first?.canOpenOffline == true)
    #expect(try await storage.knownMaps().isEmpty)
  }

  // MARK: - Exporting

  @Test func `A map is exported with its files in order, without notes, links and half downloads`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let map = try await home.store("a")
    let place = home.library.maps.layout.place(of: map)
    for name in [".hidden", "p13/.note", "portolan.json", "p13/portolan.json", "p13/b.tpkx.part"] {
      try Data(name.utf8).write(to: place.appending(path: name))
    }
    try FileManager.default.createSymbolicLink(
      at: place.appending(path: "p13/link"), withDestinationURL: temporaryDirectory)
    let target = temporaryDirectory.appending(path: "out.mmpk")
    let export = try await list(home).export("a", to: target)
    let bytes = try Data(contentsOf: target).count
    #expect(
      export
        == MapExport(
          id: "a", title: "Map a", file: target.path(percentEncoded: false), byteCount: bytes))
    let archive = try ZIPArchive(at: target)
    #expect(
      archive.entries.map(\.name)
        == ["p13/data.geodatabase", "p13/portolan.json", "p13/tiles.tpkx"])
    #expect(
      try archive.data(named: "p13/data.geodatabase", limit: 100) == Data("features".utf8))
    let absence = Problem(LibraryError.noSuchMap("zz"))
    await #expect(throws: absence) {
      try await list(home).export("zz", to: temporaryDirectory.appending(path: "zz.mmpk"))
    }
    #expect(!FileSystem.live.exists(temporaryDirectory.appending(path: "zz.mmpk")))
  }

  // MARK: - Storage

  private func write(_ bytes: Int, to path: String, in home: SmallLibrary) throws {
    let url = home.library.maps.layout.home.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: bytes).write(to: url)
  }

  private func size(_ url: URL) -> StorageUsage.Size {
    let usage = DiskUsage(of: url)
    return StorageUsage.Size(
      byteCount: usage.byteCount, allocatedByteCount: usage.allocatedByteCount)
  }

  @Test func `Everything that takes space is measured, each for itself`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let layout = home.library.maps.layout
    let first = try await home.store("a")
    let second = try await home.store("a")
    let deleted = try await home.store("b")
    try await home.library.maps.delete(deleted.id)
    try write(5, to: "kept/x-1/file", in: home)
    try write(7, to: "staging/job-x/file", in: home)
    try write(11, to: "staging/import-x/file", in: home)
    for (number, name) in ["unpacked", "indexes", "search", "folders"].enumerated() {
      try write(10 * (number + 1), to: "\(name)/file", in: home)
    }
    func row(_ map: StoredMap, at place: URL, deleted: Date? = nil) -> StorageUsage.Map {
      StorageUsage.Map(
        id: map.id.text, title: map.title, size: size(place),
        reclaimableByteCount: DiskUsage.freed(byRemoving: place).allocatedByteCount,
        deleted: deleted, unsentEdits: 0)
    }
    let storage = StorageModel(library: home.library)
    try await storage.measure()
    let usage = try #require(storage.usage)
    #expect(
      usage.maps == [
        row(second, at: layout.place(of: second)),
        row(deleted, at: layout.trashPlace(of: deleted), deleted: Self.day),
      ])
    #expect(usage.earlierVersions == [row(first, at: layout.place(of: first))])
    #expect(usage.kept.byteCount == 5 && usage.downloads.byteCount == 7)
    #expect(usage.imports.byteCount == 11)
    #expect(usage.temporary.byteCount == 100 && usage.freeByteCount == nil)
    #expect(usage.total == size(layout.home))
  }

  @Test func `Maps that were set aside are listed, deleted and restored by name`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    try write(4, to: "kept/a-deleted-1/1/p13/data.geodatabase", in: home)
    try write(6, to: "kept/b-1/1/package.info", in: home)
    let folder = home.library.maps.layout.folder(.kept)
    let (first, second) = (
      folder.appending(path: "a-deleted-1", directoryHint: .isDirectory),
      folder.appending(path: "b-1", directoryHint: .isDirectory)
    )
    let storage = StorageModel(library: home.library)
    try await storage.listKept()
    let database = first.appending(path: "1/p13/data.geodatabase").path(percentEncoded: false)
    let kept = StorageModel.Kept(
      name: "a-deleted-1", mapID: "a", title: "1", isDeleted: true,
      path: first.path(percentEncoded: false), byteCount: 4, geodatabases: [database])
    let other = StorageModel.Kept(
      name: "b-1", mapID: "b", title: "1", isDeleted: false,
      path: second.path(percentEncoded: false), byteCount: 6, geodatabases: [])
    #expect(storage.kept == [kept, other])
    let problem = await #expect(throws: Problem.self) { try await storage.deleteKept("zz") }
    #expect(problem == Problem(LibraryError.notKept("zz")) && storage.kept == [kept, other])
    let freed = DiskUsage.freed(byRemoving: first).allocatedByteCount
    let removal = try await storage.deleteKept("a-deleted-1")
    #expect(removal == StorageModel.Removal(name: "a-deleted-1", byteCount: freed))
    #expect(storage.kept == [other])
    let restored = try await storage.putBackKept("b-1")
    #expect(restored == RestoredMap(id: "b", title: "1", origin: .kept) && storage.kept == [])
    #expect(try await home.library.maps.maps().map(\.id.text) == ["b"])
  }
}

/// A portal that says of every package that it was changed at one moment.
private struct DatedPortal: PortalConnecting {
  let modified: Date?
  /// The kinds of items that are no packages, by their ids.
  var kinds: [String: String] = [:]

  func portal(at _: URL?) async throws(PortalError) -> Portal {
    let date = modified.map { ", \"modified\": \(Int($0.timeIntervalSince1970 * 1_000))" } ?? ""
    let transport = StubTransport { request in
      let id = request.url.lastPathComponent
      let kind = kinds[id] ?? "Mobile Map Package"
      return .json(
        "{\"id\": \"\(id)\", \"type\": \"\(kind)\", \"title\": \"P\"\(date)}", to: request)
    }
    return Portal(
      url: URL(string: "https://portal.example") ?? URL(filePath: "/"),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }
}
