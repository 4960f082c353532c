import Foundation
import PortolanFeatures
import PortolanJobs
import Testing

@testable import PortolanGeodatabase
@testable import PortolanOffline

/// The sums in the summary of a synchronization over its runs.
@Suite struct SyncResultTests {
  private func issue(_ kind: SyncIssue.Kind) -> SyncIssue {
    SyncIssue(
      id: 1, kind: kind, table: "Huts", layerID: 1, objectID: 7, globalID: "{A}", edit: "update",
      theirs: nil, isGoneThere: false)
  }

  private var first: GeodatabaseSyncTask.Result {
    var result = GeodatabaseSyncTask.Result()
    for _ in 1...2 { result.sentEdits.add(toLayer: 1) }
    (result.received.adds, result.received.updates, result.received.deletes) = (3, 4, 5)
    result.received.attachments = 6
    result.received.note(since: SyncReceipt(), ofLayer: 1)
    result.tables = [1: "Huts", 0: "Roads"]
    result.issues = [issue(.rejected), issue(.conflict), issue(.conflict), issue(.unstorable)]
    result.staying = 7
    result.isRegisteredAgain = true
    return result
  }

  private var second: GeodatabaseSyncTask.Result {
    var result = GeodatabaseSyncTask.Result()
    result.sentEdits.add(toLayer: 0)
    result.received.adds = 1
    result.received.note(since: SyncReceipt(), ofLayer: 1)
    result.tables = [1: "Huts", 0: "Roads"]
    result.issues = [issue(.conflict)]
    return result
  }

  @Test func `A run is reported table by table in the order of their ids`() {
    var result = OfflineMapSyncResult()
    result.add(first, path: "b", layers: ["Roads", "Huts"], titles: ["Huts": "Shelters"])
    var huts = OfflineMapSyncResult.Layer(table: "Huts")
    huts.title = "Shelters"
    (huts.sent, huts.added, huts.updated, huts.removed) = (2, 3, 4, 5)
    (huts.rejected, huts.conflicts, huts.withheld) = (1, 2, 1)
    var part = OfflineMapSyncResult.Part(path: "b", layers: ["Roads", "Huts"])
    (part.sent, part.added, part.updated, part.removed) = (2, 3, 4, 5)
    (part.waiting, part.withheld, part.staying) = (3, 1, 7)
    part.receivedAttachments = 6
    part.isRegisteredAgain = true
    part.tables = [OfflineMapSyncResult.Layer(table: "Roads"), huts]
    #expect(result.parts == [part])
  }

  @Test func `Later runs add what they have done, and what waits is what waits then`() {
    var result = OfflineMapSyncResult()
    result.add(first, path: "b", layers: ["Roads", "Huts"])
    result.add(second, path: "b", layers: ["Roads", "Huts"])
    result.add(second, path: "a", layers: ["Roads"])
    var (roads, huts) = (
      OfflineMapSyncResult.Layer(table: "Roads"), OfflineMapSyncResult.Layer(table: "Huts")
    )
    roads.sent = 1
    (huts.added, huts.conflicts) = (1, 1)
    var other = OfflineMapSyncResult.Part(path: "a", layers: ["Roads"])
    (other.sent, other.added, other.waiting, other.tables) = (1, 1, 1, [roads, huts])
    (huts.sent, huts.added, huts.updated, huts.removed) = (2, 4, 4, 5)
    var part = OfflineMapSyncResult.Part(path: "b", layers: ["Roads", "Huts"])
    (part.sent, part.added, part.updated, part.removed) = (3, 4, 4, 5)
    part.waiting = 1
    part.receivedAttachments = 6
    part.isRegisteredAgain = true
    part.tables = [roads, huts]
    #expect(result.parts == [other, part])
    #expect(result.sent == 4 && result.added == 5 && result.updated == 4 && result.removed == 5)
    #expect(result.receivedAttachments == 6)
    #expect(result.waiting == 2 && result.staying == 0 && result.withheld == 0)
    #expect(result.isRegisteredAgain && result.layers.count == 4)
  }

  @Test func `Only the job of a synchronization has such a summary, and one that can be read`()
    throws
  {
    var result = OfflineMapSyncResult()
    result.add(first, path: "b", layers: ["Roads"])
    let data = try JSONEncoder().encode(result)
    func read(_ kind: String, _ checkpoint: Data?) throws -> OfflineMapSyncResult? {
      var job = Job(
        id: try #require(JobID("a")), kind: kind, subject: "s", title: "S", parameters: Data(),
        created: Date(timeIntervalSince1970: 0), position: 0)
      job.checkpoint = checkpoint
      return OfflineMapSyncResult(of: job)
    }
    #expect(try read("sync-offline-map", data) == result)
    #expect(try read("on-demand-map", data) == nil)
    #expect(try read("sync-offline-map", Data("?".utf8)) == nil)
    #expect(try read("sync-offline-map", nil) == nil)
  }

  @Test func `Waiting decisions count the users' edits, not what the file cannot hold`() {
    #expect(first.waiting == 3 && first.withheld == 1 && first.sent == 2)
    #expect(second.waiting == 1 && second.withheld == 0 && second.sent == 1)
  }
}
