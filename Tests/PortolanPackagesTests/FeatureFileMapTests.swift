import Foundation
import PortolanFeatures
import PortolanMap
import PortolanPackages
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Files of features that come without a map open as one.
@Suite(.temporaryDirectory, .needsSharedFiles) struct FeatureFileMapTests {
  private func map(_ name: String) async throws -> MobileMap {
    let package = try await MobileMapPackage.open(
      at: SharedFiles.url("samples/" + name), unpackingInto: temporaryDirectory, now: .now)
    return try #require(package.maps.first)
  }

  @Test(arguments: [
    ("geopackage/raster_and_vector.gpkg", ["poly"], [] as [String], ["byte"]),
    ("geopackage/domains.gpkg", [], ["test"], []),
    ("geodatabases/LA_Trails.geodatabase", ["Trailheads"], [], []),
  ])
  func `Each table is a layer, over the tiles of the same file`(
    _ name: String, _ layers: [String], _ tables: [String], _ tiles: [String]
  ) async throws {
    let map = try await map(name)
    #expect(map.webMap.operationalLayers.map(\.title) == layers)
    #expect(map.webMap.tables.map(\.title) == tables)
    #expect(map.webMap.basemap.layers.map(\.title) == tiles)
    for layer in map.webMap.operationalLayers + map.webMap.tables {
      #expect(await map.contents.content(of: layer).features.count == 1)
    }
    for layer in map.webMap.basemap.layers {
      guard case .tiles = await map.contents.content(of: layer) else {
        Issue.record("\(layer.title) has no tiles")
        continue
      }
    }
  }

  @Test func `A map that was closed leaves nothing beside its file, and opens it again`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "copy.geodatabase")
    try SharedFiles.copy("samples/geodatabases/LA_Trails.geodatabase", to: url)
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.execute("PRAGMA journal_mode = WAL")
    }
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: .now)
    let map = try #require(package.maps.first)
    let layer = try #require(map.webMap.operationalLayers.first)
    let content = try #require(await map.contents.content(of: layer).features.first)
    let log = url.path(percentEncoded: false) + "-wal"
    #expect(FileManager.default.fileExists(atPath: log))
    await map.contents.close()
    #expect(!FileManager.default.fileExists(atPath: log))
    let again = try #require(await map.contents.content(of: layer).features.first)
    #expect(again.schema == content.schema)
  }

  @Test func `A GeoPackage is edited where it is`() async throws {
    let url = temporaryDirectory.appending(path: "copy.gpkg")
    try SharedFiles.copy("samples/geopackage/raster_and_vector.gpkg", to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: .now,
      editing: EditingEnvironment(now: { .now }, makeID: { UUID() }))
    let map = try #require(package.maps.first)
    let layer = try #require(map.webMap.operationalLayers.first)
    try await map.contents.openForEditing(layer)
    let content = try #require(await map.contents.content(of: layer).features.first)
    let store = try #require(content.store as? any EditableFeatureStore)
    let table = content.schema.name
    let id = try #require(
      try await store.features(in: table, matching: .init()).collect().first?.objectID)
    let count = try await store.count(in: table, matching: .init())
    _ = try await store.apply([.delete(.objectID(id), table: table)])
    #expect(try await store.count(in: table, matching: .init()) == count - 1)
    await map.contents.endEditing()
    let again = try #require(await map.contents.content(of: layer).features.first)
    #expect(try await again.store.count(in: table, matching: .init()) == count - 1)
    let changes = try await (again.store as? any ChangeTrackingStore)?.localChanges().changes
    #expect(changes?.map(\.kind) == [.delete])
  }

  @Test func `A file that was opened for reading only is not edited`() async throws {
    let map = try await map("geodatabases/LA_Trails.geodatabase")
    let layer = try #require(map.webMap.operationalLayers.first)
    await #expect(throws: FeatureEditError.self) {
      try await map.contents.openForEditing(layer)
    }
  }
}
