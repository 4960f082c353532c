import DemoPortal
import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Collections of features that stand in items of their own.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct EmbeddedCollectionTests {
  private static let failure = DemoFailure(code: 500, "Try again.", details: [])
  private static let refusal = DemoFailure(code: 403, "Not permitted.", details: [])

  /// Puts a collection on the portal.
  private func collection(_ bed: OfflineJobBed) async -> String {
    let id = await bed.bed.state.nextID()
    var item = DemoItem(
      id: id, owner: "demo", title: "Notes", type: "Feature Collection", created: DemoBed.day)
    item.content = .document(#"{"layers": [{"layerDefinition": {"name": "Notes"}}]}"#)
    await bed.bed.state.put(item)
    return id
  }

  private func parameters(
    _ bed: OfflineJobBed, showing collection: String
  ) async throws -> GenerateOfflineMapParameters {
    let notes: JSONValue = [
      "id": "notes", "title": "Notes", "layerType": "ArcGISFeatureLayer",
      "itemId": .string(collection), "type": "Feature Collection",
    ]
    return try await bed.parameters(
      operational: [OfflineJobBed.layer(1, "Lighthouses"), notes],
      basemap: [OfflineJobBed.pictures])
  }

  private func order(_ parameters: GenerateOfflineMapParameters) throws -> OfflineJobOrder {
    try OfflineJobOrder(GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
  }

  private func isEmbedded(
    _ bed: OfflineJobBed, _ parameters: GenerateOfflineMapParameters
  ) async throws -> Bool {
    let lease = try await bed.bed.library.open(try #require(MapID(parameters.mapID)))
    let package = try await MobileMapPackage.open(
      at: lease.url, unpackingInto: temporaryDirectory.appending(path: "u"), now: DemoBed.day)
    let map = try #require(package.maps.first?.webMap)
    return map.layer(withID: "notes")?.json["featureCollection"]?["layers"]?.array?.count == 1
  }

  @Test(arguments: ["", "/data"])
  func `A collection that could not be had once is asked for again`(
    _ path: String
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let id = await collection(bed)
    let parameters = try await parameters(bed, showing: id)
    let order = try order(parameters)
    let fault = await bed.bed.state.add(
      DemoFault(.failure(Self.failure), path: "*/items/\(id)\(path)"))
    let journal = OfflineJobBed.Journal()
    do {
      _ = try await bed.run(order, journal)
      Issue.record("The map was made without it.")
    } catch JobInterruption.failed(let failure) {
      #expect(failure.kind == .transient && failure.message.contains("Try again"))
    }
    await bed.bed.state.removeFaults(fault)
    #expect(try await bed.run(order, journal).outcome.isComplete)
    #expect(try await isEmbedded(bed, parameters))
    // Data that was here before it is not requested again.
    #expect(await bed.bed.transport.log.count(of: "/createReplica") == 1)
  }

  @Test(arguments: [
    GenerateOfflineMapParameters.OnlineOnlyServicesOption.exclude, .include,
  ])
  func `An inaccessible collection fails only its own layer`(
    _ option: GenerateOfflineMapParameters.OnlineOnlyServicesOption
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let id = await collection(bed)
    var parameters = try await parameters(bed, showing: id)
    parameters.onlineOnlyServicesOption = option
    await bed.bed.state.add(DemoFault(.failure(Self.refusal), path: "*/items/\(id)/data"))
    let outcome = try await bed.run(try order(parameters)).outcome
    #expect(outcome.failedItems.map(\.name) == ["Notes"])
    #expect(outcome.failedItems.first?.failure.kind == .signIn)
    #expect(outcome.failedItems.first?.failure.message.contains("Not permitted") == true)
  }

  @Test func `An item that is no collection does not tell where its features are`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let id = await bed.bed.state.nextID()
    await bed.bed.state.put(
      DemoItem(id: id, owner: "demo", title: "Notes", type: "Document", created: DemoBed.day))
    let outcome = try await bed.run(try order(try await parameters(bed, showing: id))).outcome
    #expect(outcome.failedItems.map(\.name) == ["Notes"])
    #expect(outcome.failedItems.first?.failure.kind == .absent)
  }
}
