import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Several processes that use one home at the same time.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SharedHomeTests {
  private static let variable = "PORTOLAN_TEST_SHARED_HOME"
  private static let child = ProcessInfo.processInfo.environment[variable]
  private static let rounds = 6
  private static let names = ["one", "two", "three", "four"]

  private static func library(_ home: URL) async throws -> MapLibrary {
    let layout = HomeLayout(home: home)
    try layout.prepare()
    return MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { Date() }, unsentEdits: { _ in 0 })
  }

  private static func stage(_ text: String, _ name: String, _ library: MapLibrary) throws -> URL {
    let folder = library.layout.staging(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in ["package.info", "data"] {
      try Data(text.utf8).write(to: folder.appending(path: file))
    }
    return folder
  }

  private static func record(_ id: String) throws -> StoredMap {
    StoredMap(
      id: try #require(MapID(id)), origin: .imported(id), form: .folder, title: id,
      installed: Date(), byteCount: 1)
  }

  @Test(.enabled(if: child == nil))
  func `Processes that store, delete and take back at once lose nothing`() async throws {
    let home = temporaryDirectory.appending(path: "home")
    let library = try await Self.library(home)
    let children = try Self.names.map { try start($0, home) }
    // Whatever the others are at, each map on the list is whole.
    while children.contains(where: \.isRunning) {
      for map in try await library.maps() { try await look(at: map, in: library) }
    }
    for child in children { #expect(child.terminationStatus == 0) }
    try await library.recover()
    let maps = try await library.maps()
    #expect(Set(maps.map(\.title)) == Set(Self.names + ["shared"]))
    for map in maps { try await look(at: map, in: library) }
    let findings = try await LibraryAudit(
      library, check: { $0.lastPathComponent }, now: { Date() }, makeID: { MapID(UUID()) }
    ).findings()
    #expect(findings.isEmpty, "\(findings)")
  }

  /// A map that is open is not deleted; both of its files are there and of one version, unless
  /// another version has taken its place meanwhile.
  private func look(at map: StoredMap, in library: MapLibrary) async throws {
    // Another process may have deleted it since it was listed.
    guard let opened = try? await library.open(map.id) else { return }
    defer { withExtendedLifetime(opened) {} }
    let before = FileStatus(opened.url)?.identity
    let texts = ["package.info", "data"].map { name in
      // Compared below, also with none.
      try? String(contentsOf: opened.url.appending(path: name), encoding: .utf8)
    }
    guard before != nil, before == FileStatus(opened.url)?.identity else { return }
    #expect(texts[0] != nil && texts[0] == texts[1])
  }

  private func start(_ name: String, _ home: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--testing-library", "swift-testing", "--filter", "SharedHomeTests"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      Self.variable: "\(name) \(home.path(percentEncoded: false))"
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// The work of the other processes: each with a map of its own, and all with one.
  @Test(.enabled(if: child != nil))
  func `One of several processes works on the home`() async throws {
    let words = try #require(Self.child).split(separator: " ", maxSplits: 1).map(String.init)
    let library = try await Self.library(URL(filePath: words[1]))
    let own = try Self.record(words[0])
    let shared = try Self.record("shared")
    for round in 1...Self.rounds {
      try await library.install(Self.stage("\(round)", words[0], library), as: own)
      try await library.install(
        Self.stage("\(words[0]) \(round)", "\(words[0])-shared", library), as: shared)
      guard try await hasDeleted(own, from: library) else { continue }
      try await library.recover()
      try await library.undoDeletion(of: own.id)
    }
  }

  /// Whether the map is in the trash now; not while another process looks at it.
  private func hasDeleted(_ map: StoredMap, from library: MapLibrary) async throws -> Bool {
    do throws(LibraryError) { try await library.delete(map.id) } catch {
      guard case .inUse = error else { throw error }
      return false
    }
    return true
  }
}
