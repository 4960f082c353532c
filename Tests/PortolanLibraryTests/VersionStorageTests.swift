import Foundation
import PortolanFiles
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The contract of every storage for versions, for announcements, and for days of use.
@Suite(.temporaryDirectory) struct VersionStorageTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)
  private static let options = StoredAreaOptions(
    basemap: .ofMap, continuesOnErrors: true, updateMode: "noUpdates")

  private func storage(_ kind: MapStorageTests.Kind) async throws -> any MapStorage {
    switch kind {
    case .memory: InMemoryMapStorage()
    case .sqlite:
      try await SQLiteMapStorage.open(at: temporaryDirectory.appending(path: "library.sqlite"))
    }
  }

  private func map(_ id: String, _ version: Int) throws -> StoredMap {
    StoredMap(
      id: try #require(MapID(id)), origin: .portalItem(id), form: .folder, title: "Map \(id)",
      installed: Self.day, byteCount: 10, version: version)
  }

  /// A version of which every field says something.
  private func version(_ id: String, _ number: Int) throws -> MapVersion {
    var version = MapVersion(
      map: try map(id, number),
      files: [
        StoredFile(path: "a", byteCount: number, modified: 7, digest: Data([UInt8(number)])),
        StoredFile(path: "b/c", byteCount: 0, modified: 1_795_000_000_123_456_789, digest: nil),
      ])
    (version.hasCarried, version.carried) = (true, ["a", "b/c"])
    (version.replacedOn, version.replacedBy) = (number + 1, number + 2)
    return version
  }

  private func installation(_ id: String, _ number: Int) throws -> MapInstallation {
    MapInstallation(
      map: try map(id, number), staged: "job-\(id)/a.mmpk",
      file: FileIdentity(device: 66_306, number: UInt64(number)), version: try version(id, number),
      previous: number > 1 ? try version(id, number - 1) : nil)
  }

  @Test(arguments: MapStorageTests.Kind.allCases)
  func `Versions are kept whole, by their numbers, and the one before with the next`(
    _ kind: MapStorageTests.Kind
  ) async throws {
    let storage = try await storage(kind)
    var (first, second) = (try version("a", 1), try version("a", 2))
    try await storage.install(first, replacing: nil)
    #expect(try await storage.versions(of: first.map.id) == [first])
    #expect(try await storage.storedMaps() == [first.map])
    (first.replacedOn, first.isEdited) = (9, true)
    second.isEdited = true
    try await storage.install(second, replacing: first)
    #expect(try await storage.versions(of: first.map.id) == [first, second])
    #expect(try await storage.storedMap(first.map.id) == second.map)
    // A second record takes the place of the first, but for who has edited it.
    let bare = MapVersion(map: first.map, files: [])
    try await storage.install(bare, replacing: nil)
    first = bare
    first.isEdited = true
    #expect(try await storage.versions(of: first.map.id) == [first, second])
    #expect(try await storage.storedMap(first.map.id) == first.map)
    // Nobody has edited what is not there.
    try await storage.markEdited(7, of: first.map.id)
    try await storage.markEdited(1, of: #require(MapID("b")))
    #expect(try await storage.versions(of: first.map.id).count == 2)
    #expect(try await storage.versions(of: #require(MapID("b"))).isEmpty)
  }

  @Test(arguments: MapStorageTests.Kind.allCases)
  func `Earlier are the versions of maps on the list that are not the current ones`(
    _ kind: MapStorageTests.Kind
  ) async throws {
    let storage = try await storage(kind)
    for (id, numbers) in [("c", [2, 3, 1]), ("a", [1, 2]), ("b", [1, 2]), ("d", [1])] {
      for number in numbers { try await storage.install(version(id, number), replacing: nil) }
    }
    var deleted = try map("b", 2)
    deleted.deleted = Self.day
    try await storage.save(deleted)
    let earlier = try await storage.earlierVersions().map { "\($0.map.id.text)\($0.number)" }
    #expect(earlier == ["a1", "c2", "c3"])
    // Those of a deleted map are kept for when it comes back.
    #expect(try await storage.versions(of: deleted.id).map(\.number) == [1, 2])
    try await storage.removeVersion(2, of: #require(MapID("c")))
    let left = try await storage.earlierVersions().map { "\($0.map.id.text)\($0.number)" }
    #expect(left == ["a1", "c3"])
  }

  @Test(arguments: MapStorageTests.Kind.allCases)
  func `With a map goes all that is known of it, and nothing of others`(
    _ kind: MapStorageTests.Kind
  ) async throws {
    let storage = try await storage(kind)
    for id in ["a", "b"] {
      try await storage.install(version(id, 1), replacing: nil)
      try await storage.setThumbnail(Data(id.utf8), of: id)
      try await storage.save(packageDate: Self.day, of: id)
    }
    let other = try version("b", 1)
    try await storage.removeStoredMap(#require(MapID("a")))
    #expect(try await storage.storedMaps() == [other.map])
    #expect(try await storage.versions(of: #require(MapID("a"))).isEmpty)
    #expect(try await storage.versions(of: other.map.id) == [other])
    #expect(try await storage.thumbnail(of: "a") == nil)
    #expect(try await storage.thumbnail(of: "b") == Data("b".utf8))
    #expect(try await storage.packageDates() == ["b": Self.day])
  }

  @Test(arguments: MapStorageTests.Kind.allCases)
  func `What is announced stays until it is recorded or withdrawn, whatever becomes of others`(
    _ kind: MapStorageTests.Kind
  ) async throws {
    let storage = try await storage(kind)
    let (first, second) = (try installation("b", 1), try installation("a", 2))
    let third = try installation("c", 3)
    for installation in [first, second, third] { try await storage.announce(installation) }
    #expect(try await storage.installations() == [second, first, third])
    #expect(try await storage.storedMaps().isEmpty)
    // The last one of a map counts.
    let newer = try installation("a", 4)
    try await storage.announce(newer)
    #expect(try await storage.installations() == [newer, first, third])
    try await storage.withdraw(third)
    #expect(try await storage.installations() == [newer, first])
    try await storage.install(version("a", 4), replacing: nil)
    #expect(try await storage.installations() == [first])
    try await storage.removeStoredMap(#require(MapID("a")))
    #expect(try await storage.installations() == [first])
    try await storage.save(map("b", 1))
    #expect(try await storage.installations().isEmpty)
  }

  @Test(arguments: MapStorageTests.Kind.allCases)
  func `Days of use are counted once each, whichever way the clock goes`(
    _ kind: MapStorageTests.Kind
  ) async throws {
    let storage = try await storage(kind)
    for (day, count) in [(5, 1), (5, 1), (6, 2), (9, 3), (9, 3), (-4, 4), (9, 4), (5, 4), (10, 5)] {
      #expect(try await storage.recordUse(onDay: day) == count, "day \(day)")
    }
    // Those that were counted long ago are not remembered.
    for day in 11...80 { #expect(try await storage.recordUse(onDay: day) == day - 5) }
    #expect(try await storage.recordUse(onDay: 17) == 75)
    #expect(try await storage.recordUse(onDay: 5) == 76)
  }

  @Test func `Records that cannot be read are named, whatever they are of, and hide no other`()
    async throws
  {
    let storage = try await storage(.sqlite)
    let good = try version("good", 1)
    try await storage.install(good, replacing: nil)
    try await storage.announce(installation("good", 2))
    do {
      let connection = try Connection(
        at: temporaryDirectory.appending(path: "library.sqlite"), access: .readWrite)
      for statement in [
        "stored_map (id, title, record) VALUES ('m', 'M', x'00')",
        "known_map (id, title, record) VALUES ('k', 'K', x'00')",
        "known_area (id, web_map, title, record) VALUES ('a', 'k', 'A', x'00')",
        "job (id, position, record) VALUES ('j', 1, x'00')",
        "installation (id, record) VALUES ('i', x'00')",
        "map_version (map, number, record) VALUES ('v', 1, x'00')",
        "outbox (id, record) VALUES ('o', x'00')",
      ] {
        try connection.execute("INSERT INTO \(statement)")
      }
    }
    #expect(
      try await storage.unreadableRecords() == [
        "stored_map m", "known_map k", "known_area a", "job j", "installation i", "map_version v",
        "outbox o",
      ])
    #expect(try await storage.storedMaps() == [good.map])
    #expect(try await storage.versions(of: good.map.id) == [good])
    #expect(try await storage.installations() == [installation("good", 2)])
    #expect(try await storage.knownMaps().isEmpty)
    #expect(try await storage.jobs().isEmpty)
    #expect(try await storage.outgoingMessages().isEmpty)
  }

  @Test(arguments: MapStorageTests.Kind.allCases)
  func `A map whose download options are unknown removes nothing`(
    _ kind: MapStorageTests.Kind
  ) async throws {
    let storage = try await storage(kind)
    var map = try map("a", 1)
    map.options = Self.options
    try await storage.keepOptions(of: map)
    map.options = nil
    try await storage.keepOptions(of: map)
    #expect(try await storage.lostOptions(of: map.id) == Self.options)
    #expect(try await storage.lostOptions(of: #require(MapID("b"))) == nil)
  }
}
