import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The messages to services about the replicas in maps that are deleted, and in those that come
/// back.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct CopyDeletionTests {
  private static let replica = UUID()

  /// A geodatabase that a service knows as a copy of its own, made for one map.
  private func writeCopy(to url: URL) throws {
    let schema = FeatureTableSchema(
      name: "Sites", geometryType: .point, spatialReference: .wgs84,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("GlobalID", .globalID, isNullable: false, isEditable: false),
      ], globalIDField: "GlobalID", serviceLayerID: 0)
    let definition = GeodatabaseDefinition(
      name: "Sites", capabilities: "Create,Delete,Query,Sync,Update", tables: [.init(schema)],
      syncReplica: SyncReplica(
        name: "portolan_sites", replicaID: Self.replica,
        serviceURL: "https://demo.test/arcgis/rest/services/Sites/FeatureServer", owner: "me",
        created: SmallLibrary.day, layers: [.init(layerID: 0, serverGeneration: 1)]))
    try GeodatabaseWriter(at: url, definition, now: SmallLibrary.day) { UUID() }.finish()
  }

  private func storedMap(
    _ library: HomeLibrary, from portal: URL? = URL(string: "https://demo.test")
  ) async throws -> StoredMap {
    let folder = library.maps.layout.staging("job")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try writeCopy(to: folder.appending(path: "sites.geodatabase"))
    return try await library.maps.install(
      folder,
      as: StoredMap(
        id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
        title: "Map", portal: portal, installed: SmallLibrary.day, byteCount: 10))
  }

  private func bed(
    from portal: URL? = URL(string: "https://demo.test")
  ) async throws -> (HomeLibrary, MapListModel) {
    let library = try SmallLibrary(in: temporaryDirectory).library
    _ = try await storedMap(library, from: portal)
    let list = MapListModel(
      library: library, portals: NoPortal(), monitor: SwitchableNetworkMonitor())
    try await list.load()
    return (library, list)
  }

  @Test func `A deleted map's copy is unregistered at its service, but not once it is restored`()
    async throws
  {
    let (library, list) = try await bed()
    try await list.delete("a")
    let messages = try await library.storage.outgoingMessages()
    #expect(messages.map { $0.fields["replicaID"] } == [Self.replica.uuidString.lowercased()])
    _ = try await list.undoDeletion(of: "a")
    #expect(try await library.storage.outgoingMessages().isEmpty)
  }

  @Test
  func `A map made by services is distinguished from maps with newer portal versions`()
    async throws
  {
    let (_, list) = try await bed()
    let update = try #require(try await list.checkUpdates().first)
    #expect(update.freshness == .untracked && update.comesWithSync == true)
    #expect(try await list.startUpdates().map(\.message?.isEmpty) == [false])
  }

  @Test func `A service takes the edits of a map whose portal is not known, as of any other`()
    async throws
  {
    let (_, list) = try await bed(from: nil)
    #expect(await list.takesEdits(of: "a"))
    #expect(try await list.checkUpdates().first?.comesWithSync == true)
  }

  @Test func `A copy is not unregistered at its service if the map could not be deleted`()
    async throws
  {
    let (library, list) = try await bed()
    // Somebody reads it, in another process for all that the library knows.
    let reader = try await library.maps.open(#require(MapID("a")))
    await #expect(throws: Problem.self) { try await list.delete("a") }
    #expect(try await library.storage.outgoingMessages().isEmpty)
    #expect(try await library.maps.maps().map(\.id) == [reader.map.id])
  }
}
