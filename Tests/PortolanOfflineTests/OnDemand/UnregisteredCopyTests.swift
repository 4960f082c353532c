import DemoPortal
import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Copies that are not to be synchronized, of services that keep every copy.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UnregisteredCopyTests {
  private static func service(_ root: String) -> String {
    "https://demo.test/\(root)/rest/services/ExploreMaine/FeatureServer"
  }

  @Test(arguments: ["enterprise", "server102"])
  func `A copy without updates is unregistered where the service keeps it, and forgotten here`(
    _ root: String
  ) async throws {
    let heard = Locked<[String]>([])
    let bed = try await OfflineJobBed(in: temporaryDirectory) { transport in
      LyingTransport(
        transport,
        hearing: { text in
          heard.withLock { $0.append(text) }
          return text
        })
    }
    var parameters = try await bed.parameters(operational: [
      [
        "id": "Towns", "title": "Towns", "layerType": "ArcGISFeatureLayer",
        "url": .string(Self.service(root) + "/0"),
      ]
    ])
    parameters.updateMode = .noUpdates
    let made = try await bed.make(parameters)
    #expect(made.outcome.isComplete)
    #expect(try await made.count("Towns") > 0)
    #expect(!heard.withLock { $0.contains { $0.contains("syncModel=none") } })
    let id = try #require(MapID(parameters.mapID))
    #expect(try await !OfflineMapSyncTask(bed.bed.environment).isSynchronized(id))
    let task = ReplicaTask(
      service: FeatureService(
        url: try #require(URL(string: Self.service(root))), client: bed.bed.portal.client))
    #expect(try await task.replicas().count == 1)
    let portal = bed.bed.portal
    let delivery = PortalOutboxDelivery(connect: { _ in portal }, now: { DemoBed.day })
    for message in try await bed.bed.storage.outgoingMessages() {
      try await delivery.deliver(message)
    }
    #expect(try await task.replicas().isEmpty)
  }

  @Test(arguments: [
    (GenerateGeodatabaseParameters.SyncModel.none, true, false), (.none, false, true),
    (.perLayer, false, false), (.perGeodatabase, false, false),
  ])
  func `Only a service that does not know of such copies is asked for another kind`(
    _ model: GenerateGeodatabaseParameters.SyncModel, _ isKnown: Bool, _ isRegistered: Bool
  ) {
    let options = GenerateGeodatabaseParameters(
      layerOptions: [], extent: DemoBed.casco, returnsAttachments: true,
      attachmentSyncDirection: .upload, syncModel: model)
    let service: JSONValue = [
      "supportsPerLayerSync": true, "supportsSyncModelNone": .bool(isKnown),
    ]
    #expect(options.isRegistered(byServiceWith: service) == isRegistered)
    #expect((options.asked(ofServiceWith: service) == options) == !isRegistered)
    #expect(options.asked(ofServiceWith: service).syncModel == (isRegistered ? .perLayer : model))
  }
}
