import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The workflows that the return of attachments and the direction of their exchange make.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct AttachmentWorkflowTests {
  /// A workflow: what is asked for, and what follows.
  struct Workflow: Sendable, CustomTestStringConvertible {
    let returned: GenerateOfflineMapParameters.ReturnLayerAttachmentOption
    let direction: GenerateOfflineMapParameters.AttachmentSyncDirection
    /// Whether attachments come with the map.
    let comesAlong: Bool
    /// Whether those go to the service that are attached here.
    let goesUp: Bool
    /// Whether those come in that others have attached since.
    let comesIn: Bool

    var testDescription: String { "\(returned), \(direction)" }
  }

  private static let workflows = [
    Workflow(
      returned: .allLayers, direction: .bidirectional, comesAlong: true, goesUp: true,
      comesIn: true),
    Workflow(
      returned: .allLayers, direction: .upload, comesAlong: true, goesUp: true, comesIn: false),
    Workflow(
      returned: .none, direction: .upload, comesAlong: false, goesUp: true, comesIn: false),
  ]

  @Test(arguments: workflows)
  func `Attachments are downloaded, uploaded and received as the workflow says`(
    _ workflow: Workflow
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var parameters = try await bed.parameters(
      operational: [OfflineJobBed.layer(1, "Lighthouses")])
    parameters.returnLayerAttachmentOption = workflow.returned
    parameters.attachmentSyncDirection = workflow.direction
    let made = try await bed.make(parameters)
    let count = try await made.attachments("Lighthouses")
    #expect((count > 0) == workflow.comesAlong)
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let table = try await FeatureService(url: url, client: bed.bed.portal.client).table(1)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let store = try EditableGeodatabase.open(
      at: made.url.appending(path: path), now: { DemoBed.day }, makeID: { UUID() })
    let feature = try #require(
      try await store.features(in: "Lighthouses", matching: QueryParameters()).collect().first)
    let globalID = try #require(SyncCopy.text("GlobalID", feature))
    var query = ServiceQueryParameters()
    query.whereClause = "GlobalID = '\(globalID)'"
    let there = try #require(try await table.objectIDs(matching: query).first)
    let file = NewAttachment(name: "mine.txt", contentType: "text/plain", data: Data("m".utf8))
    let edit = FeatureEdit.addAttachment(
      file, to: .objectID(feature.objectID), table: "Lighthouses")
    _ = try await store.apply([edit])
    await store.close()
    let others = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    let theirs = NewAttachment(name: "theirs.txt", contentType: "text/plain", data: Data("t".utf8))
    _ = try await others.apply([
      .addAttachment(
        theirs, to: .objectID(there), table: try #require(table.info.schema?.name))
    ])
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: parameters.portal, map: parameters.mapID), title: "Casco")
    #expect(try await bed.run(order).outcome.isComplete)
    let up = try await table.attachments(of: there).map(\.name)
    #expect(up.contains("mine.txt") == workflow.goesUp)
    let after = try Geodatabase.open(at: made.url.appending(path: path))
    let here = try await after.attachments(of: feature.objectID, in: "Lighthouses").map(\.name)
    #expect(here.contains("theirs.txt") == workflow.comesIn)
    #expect(try await after.localChanges().changes.isEmpty)
  }
}
