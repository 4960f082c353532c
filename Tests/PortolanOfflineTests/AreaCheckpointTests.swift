import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct AreaCheckpointTests {
  @Test func `A job has stored its map if that is newer and nothing is staged any more`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    let kind = OfflineJobKind.preplannedArea.id
    #expect(try await bed.run(bed.job("job-1", kind, bed.area)).get().isComplete)
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(map.version == 1)
    let job = try bed.job("job-2", kind, bed.area)
    var answers: [Bool] = []
    for version in 0...1 {
      let checkpoint = AreaCheckpoint(version: version, failedItems: [])
      answers.append(try await checkpoint.isStored(map.id, by: job, in: bed.library))
    }
    #expect(answers == [true, false])
    let isTakenBack = try await AreaCheckpoint(version: 0, failedItems: []).isTakenBack(
      map.id, by: job, in: bed.library)
    #expect(!isTakenBack)
    // Another job has stored the map meanwhile; what this one has is still to be stored.
    try FileManager.default.createDirectory(
      at: bed.layout.staging(job.id.text), withIntermediateDirectories: true)
    let isStored = try await AreaCheckpoint(version: 0, failedItems: []).isStored(
      map.id, by: job, in: bed.library)
    #expect(!isStored)
  }
}
