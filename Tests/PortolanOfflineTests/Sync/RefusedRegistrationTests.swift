import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import DemoPortal
@testable import PortolanOffline

/// Areas whose services register nothing, or do not know them at all.
@Suite(.temporaryDirectory) struct RefusedRegistrationTests {
  @Test
  func `An area that its service does not register is stored, and says so when it is synchronized`()
    async throws
  {
    let area = try await UpdatedArea(in: temporaryDirectory, .syncWithFeatureServices)
    let state = area.bed.bed.state
    #expect(await area.bed.bed.transport.log.count(of: "/createReplica") == 0)
    try await area.rename(try await area.first(), to: "Mine")
    let refusal = DemoFailure(code: 400, "Sync is not enabled.", details: [])
    let fault = await state.add(DemoFault(.failure(refusal), path: "*/createReplica"))
    let error = await #expect(throws: JobInterruption.self) { try await area.sync() }
    guard case .failed(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.kind == .refused && failure.message.contains("registers no replica"))
    #expect(failure.message.hasSuffix("Sync is not enabled."))
    #expect(failure.advice?.contains("another update mode") == true)
    #expect(try await area.using { try await $0.localChanges().changes.count } == 1)
    #expect(try await area.using { try await $0.syncState()?.isRegistered } == false)
    // As where its owner has enabled that.
    await state.removeFaults(fault)
    #expect(try await area.sync().sent == 1)
  }

  private static let notes = FeatureTableSchema(
    name: "Notes",
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("TEXT", .string, length: 20),
    ])

  @Test(arguments: DownloadPreplannedOfflineMapParameters.UpdateMode.allCases)
  func `An area that was packaged without synchronization has no service, whatever its mode`(
    _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode
  ) async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let folder = bed.library.layout.staging("packaged")
    let data = folder.appending(path: "p13")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let definition = GeodatabaseDefinition(name: "Notes", tables: [.init(Self.notes)])
    try GeodatabaseWriter(
      at: data.appending(path: "notes.geodatabase"), definition, now: DemoBed.day
    ) { UUID() }.finish()
    let record: JSONValue = [
      "packages": [
        ["path": "file:./notes.geodatabase", "preplannedUpdateMode": .string(mode.rawValue)]
      ]
    ]
    try record.encoded().write(to: data.appending(path: "mobile_map.marea"))
    let id = try #require(MapID("a"))
    let map = StoredMap(
      id: id, origin: .preplannedArea(webMap: "w", area: "a"), form: .folder, title: "Casco",
      installed: DemoBed.day, byteCount: 1)
    _ = try await bed.library.install(folder, as: map)
    let task = OfflineMapSyncTask(bed.environment)
    #expect(try await !task.isSynchronized(id))
    #expect(try await !task.takesEdits(id))
  }
}
