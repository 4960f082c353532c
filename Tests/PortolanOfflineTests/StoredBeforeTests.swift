import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// What a job makes of a map that is stored already.
@Suite(.temporaryDirectory) struct StoredBeforeTests {
  @Test func `A package that is here but damaged is fetched again`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    func run(_ name: String) async throws -> Result<JobOutcome, JobInterruption> {
      try await bed.run(bed.job(name, OfflineJobKind.mobileMapPackage.id, bed.package()))
    }
    #expect(try await run("job-1") == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    let good = try Data(contentsOf: bed.layout.place(of: map))
    try Data("EVIL package".utf8).write(to: bed.layout.place(of: map))
    #expect(try await run("job-2") == .success(JobOutcome()))
    #expect(bed.server.downloads(of: AreaPortal.package) == 2)
    let next = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: next)) == good)
  }

  @Test func `What an update takes over stays as it was taken, whichever home it names`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.bed.parameters())
    let (library, environment) = (bed.bed.library, bed.bed.environment)
    let map = made.lease.map
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let file = made.url.appending(path: path)
    try await OfflineMapSyncTask.using(file, environment.surroundings) { store in
      try await store.setHome("another")
      let table = try #require(try await store.schemas().first?.name)
      let feature = try #require(
        try await store.features(in: table, matching: QueryParameters(limit: 1)).collect().first)
      _ = try await store.apply([.delete(.objectID(feature.objectID), table: table)])
    }
    try await library.reuse(map.id, in: "update")
    let reporter = JobReporter(progress: { _ in }, message: { _, _ in }, checkpoint: { _ in })
    try await environment.store(
      library.layout.staging("update"), as: map, telling: reporter)
    let next = try await library.open(map.id)
    #expect(next.map.version == map.version + 1)
    #expect(try await UnsentEdits.count(in: next.url) == 1)
  }
}
