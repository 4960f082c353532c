import Foundation
import PortolanApp
import PortolanLibrary
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanComposition

/// A stored map that may not be used any more.
@MainActor
@Suite(.temporaryDirectory) struct ExpiredMapTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_500_000_000)

  /// Stores a package that has expired.
  private func store(in layout: HomeLayout) async throws {
    try layout.prepare()
    let library = MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { Self.day }, unsentEdits: { _ in 0 })
    let staged = layout.home.appending(path: "staging/job/1.mmpk")
    try FileManager.default.createDirectory(
      at: staged.deletingLastPathComponent(), withIntermediateDirectories: true)
    try MobileMapPackageWriter(
      MobileMapPackageDescription(
        name: "soon", title: "Soon", guid: UUID(), created: Self.day,
        expiration: PackageExpiration(
          date: Self.day + 1, message: "Ask for more.", policy: .preventAccess)), maps: []
    ).writeArchive(to: staged)
    try await library.install(
      staged,
      as: StoredMap(
        id: try #require(MapID("soon")), origin: .imported("soon.mmpk"), form: .file,
        title: "Soon", summary: nil, installed: Self.day, byteCount: 1))
    try FileManager.default.removeItem(at: staged.deletingLastPathComponent())
  }

  @Test func `A map that has expired is not damaged, is kept, and says so`() async throws {
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    try await store(in: HomeLayout(home: home.url))
    let account = LiveAccount(home: home, environment: [:], isOffline: true)
    let app = LiveApp(home: home).model(for: account)
    let library = try #require(app.library)
    let storage = try await library.storage()
    try await storage.audit(.deep) { _ in }
    #expect(storage.findings == [])
    let maps = try await library.maps()
    try await maps.load()
    await maps.readContents()
    let row = try #require(maps.state.items.first)
    #expect(row.canOpenOffline && !row.canOpen && row.copy?.isExpired == true)
    let problem = await #expect(throws: Problem.self) { try await app.contents(ofStored: "soon") }
    #expect(problem?.message == "\"Soon\" expired on 2017-07-14. Ask for more.")
    await app.close()
  }

  @Test
  func `A package that may not be used any more is looked at, and neither read nor converted`()
    async throws
  {
    let file = temporaryDirectory.appending(path: "soon.mmpk")
    try MobileMapPackageWriter(
      MobileMapPackageDescription(
        name: "soon", title: "Soon", guid: UUID(), created: Self.day,
        expiration: PackageExpiration(
          date: Self.day + 1, message: nil, policy: .preventAccess)), maps: []
    ).writeArchive(to: file)
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    let app = LiveApp(home: home).model()
    _ = try await app.files.inspect(file)
    await #expect(throws: PackageError.self) { try await app.files.layer(named: "a", in: file) }
    let problem = await #expect(throws: Problem.self) {
      try await app.conversion.convert(
        .init(file, to: temporaryDirectory.appending(path: "open.gpkg")))
    }
    #expect(problem?.code == .expired)
  }
}
