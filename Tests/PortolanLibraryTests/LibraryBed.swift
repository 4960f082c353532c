import Foundation
import PortolanFiles
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// A home whose maps have real databases, in which edits are rows that can be counted.
struct LibraryBed {
  static let day = Date(timeIntervalSince1970: 1_795_000_000)
  static let path = "p13/data.geodatabase"
  /// The databases that people may edit, in a version.
  static let editablePaths = [path, "p13/data.gpkg"]

  /// The path of the database of each map.
  let path: String
  let layout: HomeLayout
  let storage: any MapStorage

  init(in folder: URL, path: String = Self.path) async throws {
    self.path = path
    layout = HomeLayout(home: folder.appending(path: "home"))
    try layout.prepare()
    storage = try await SQLiteMapStorage.open(at: layout.catalogue)
  }

  func library(
    now: Date = day, retention: Int = MapLibrary.standardRetentionDays,
    clock: any Clock<Duration> = ContinuousClock(),
    tell: @escaping @Sendable (HomeLockNotice) -> Void = { _ in },
    files: FileSystem = .live, report: @escaping @Sendable (LibraryStep) -> Void = { _ in },
    releases: @escaping MapLibrary.Releases = { _, _, _ in [] },
    unsentEdits: @escaping MapLibrary.UnsentEdits = { try Edits.count(in: $0) }
  ) -> MapLibrary {
    MapLibrary(
      layout: layout, storage: storage, now: { now }, clock: clock, retentionDays: retention,
      tell: tell, releases: releases, unsentEdits: unsentEdits, files: files, report: report)
  }

  func audit(_ library: MapLibrary) -> LibraryAudit {
    LibraryAudit(
      library,
      check: { url in
        guard FileStatus(url)?.kind == .folder else { return url.lastPathComponent }
        return try String(contentsOf: url.appending(path: "package.info"), encoding: .utf8)
      }, now: { Self.day }, makeID: { MapID(UUID()) })
  }

  func record(_ id: String = "a") throws -> StoredMap {
    StoredMap(
      id: try #require(MapID(id)), origin: .portalItem(id), form: .folder, title: "Map \(id)",
      installed: Self.day, byteCount: 10)
  }

  /// The folder of a job with a map in it.
  func staged(
    _ job: String = "job", info: String = "one", hasGeodatabase: Bool = true
  ) throws -> URL {
    let folder = layout.staging(job)
    try Self.write(folder, info: info, database: hasGeodatabase ? path : nil)
    return folder
  }

  static func write(_ folder: URL, info: String = "one", database: String? = path) throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    try Data(info.utf8).write(to: folder.appending(path: "package.info"))
    try Data("{\"map\": {}}".utf8).write(to: folder.appending(path: "p13/mobile_map.mmap"))
    try Data(repeating: 7, count: 5_000).write(to: folder.appending(path: "p13/tiles.tpkx"))
    if let database { try Edits.makeDatabase(at: folder.appending(path: database)) }
  }

  @discardableResult
  func install(
    _ id: String = "a", info: String = "one", in library: MapLibrary
  ) async throws -> StoredMap {
    try await library.install(staged("job-\(id)", info: info), as: record(id))
  }

  /// Stores a version of a map as one file, beside what is there of it.
  @discardableResult
  func installFile(
    _ id: String = "a", _ text: String = "package", in library: MapLibrary
  ) async throws -> StoredMap {
    let file = layout.staging("job-\(id)").appending(path: "new.mmpk")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    var map = try record(id)
    map.form = .file
    map = try await library.install(file, as: map)
    try await library.removeStaged("job-\(id)")
    return map
  }

  /// Adds a text to the geodatabase of a map, as a user edits it.
  func edit(_ map: StoredMap, _ text: String = "mine", in library: MapLibrary) async throws {
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    try Edits.add(text, to: geodatabase(of: map))
    lease.endEditing()
  }

  /// Moves a folder elsewhere, and puts a link in its place.
  func replaceWithLink(_ folder: URL, to elsewhere: URL) throws {
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: folder.plainPath, withDestinationPath: elsewhere.plainPath)
  }

  func geodatabase(of map: StoredMap) -> URL { layout.place(of: map).appending(path: path) }

  func info(of map: StoredMap) throws -> String {
    try String(
      contentsOf: layout.place(of: map).appending(path: "package.info"), encoding: .utf8)
  }
}

/// Edits that are rows of a table.
enum Edits {
  static func makeDatabase(at url: URL) throws {
    let connection = try Connection(at: url, access: .create)
    try connection.execute("CREATE TABLE edit (text TEXT NOT NULL)")
  }

  static func add(_ text: String, to url: URL) throws {
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("INSERT INTO edit VALUES (?1)", .text(text))
  }

  /// Sends all edits: they are what the service has from then on.
  static func send(in url: URL) throws {
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("CREATE TABLE IF NOT EXISTS sent (text TEXT NOT NULL)")
    try connection.execute("INSERT INTO sent SELECT text FROM edit")
    try connection.execute("DELETE FROM edit")
  }

  /// The edits that were sent, or came from the service.
  static func sent(in url: URL) throws -> [String] {
    let connection = try Connection(at: url, access: .readOnly)
    let query = try connection.query("SELECT text FROM sent ORDER BY rowid")
    var texts: [String] = []
    while try query.step() { texts.append(query.text(at: 0)) }
    return texts
  }

  static func texts(in url: URL) throws -> [String] {
    try texts(in: Connection(at: url, access: .readOnly))
  }

  static func texts(in connection: borrowing Connection) throws -> [String] {
    let query = try connection.query("SELECT text FROM edit ORDER BY rowid")
    var texts: [String] = []
    while try query.step() { texts.append(query.text(at: 0)) }
    return texts
  }

  /// Counts those in a database, or in all of a map.
  static func count(in place: URL) throws -> Int {
    if StoredFile.isEditableDatabase(place.path()) { return try texts(in: place).count }
    return try GeodatabaseState.paths(in: place).reduce(0) {
      $0 + (try texts(in: place.appending(path: $1)).count)
    }
  }
}
