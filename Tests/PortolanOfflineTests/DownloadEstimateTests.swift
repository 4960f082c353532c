import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct DownloadEstimateTests {
  private static let reserve = 1 << 20

  @Test func `The size of an area is reported before anything is written`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory, free: 5)
    let estimate = try await bed.environment.estimate(bed.order(bed.area))
    #expect(estimate.files.map(\.title) == ["Features", "Tiles"])
    #expect(estimate.bytesToFetch == 23 && estimate.isExact && estimate.presentBytes == 0)
    #expect(estimate.peakBytes == 23 + Self.reserve)
    #expect(estimate.shortfall == 23 + Self.reserve - 5 && !estimate.fits)
    #expect(bed.layout.contents(of: .staging).isEmpty)
    #expect(bed.server.downloads(of: AreaPortal.features) == 0)
  }

  @Test func `A package is estimated the same way, and fits where free space is unknown`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    let estimate = try await bed.environment.estimate(bed.order(bed.package()))
    #expect(estimate.bytesToFetch == 12 && estimate.fits && estimate.freeBytes == nil)
  }

  @Test func `An update counts what has changed, beside the version before`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    _ = await bed.run(try bed.job("job-1", OfflineJobKind.preplannedArea.id, bed.area))
    bed.server.renew(AreaPortal.tiles)
    let estimate = try await bed.environment.estimate(bed.order(bed.area))
    #expect(estimate.files.map(\.bytesToFetch) == [0, 12])
    #expect(estimate.presentBytes == 13)
    // The geodatabase is copied, the rest gets a second name.
    #expect(estimate.copiedBytes == 13)
    #expect(estimate.replacedBytes > 23 && estimate.peakBytes == 12 + 13 + Self.reserve)
  }

  @Test func `A job counts no copies that it has made already`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    _ = await bed.run(try bed.job("job-1", OfflineJobKind.preplannedArea.id, bed.area))
    let map = try #require(try await bed.library.maps().first)
    let plan = DownloadPlan(mapID: map.id, form: .folder, files: [])
    #expect(try await bed.environment.estimate(plan, job: "job-2").copiedBytes == 13)
    try await bed.library.reuse(map.id, in: "job-2")
    #expect(try await bed.environment.estimate(plan, job: "job-2").copiedBytes == 0)
  }

  @Test func `Without the basemap its packages are not fetched`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    var parameters = try bed.area
    parameters.includesBasemap = false
    let estimate = try await bed.environment.estimate(bed.order(parameters))
    #expect(estimate.files.map(\.title) == ["Features"])
    let outcome = try await bed.run(bed.job("job-1", OfflineJobKind.preplannedArea.id, parameters))
      .get()
    #expect(outcome.isComplete && bed.server.downloads(of: AreaPortal.tiles) == 0)
  }

  @Test func `A size that the portal does not know is a lower bound`() {
    let estimate = DownloadEstimate(
      files: [
        .init(title: "a", byteCount: nil, presentBytes: 0),
        .init(title: "b", byteCount: 200 << 20, presentBytes: 100 << 20),
      ], freeBytes: 50 << 20, replacedBytes: 0)
    #expect(!estimate.isExact && estimate.bytesToFetch == 100 << 20)
    #expect(estimate.shortfall == 52 << 20)
  }

  @Test func `The version before gives its space to the next one, before a job waits for more`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    func run(_ number: Int) async throws -> Result<JobOutcome, JobInterruption> {
      await bed.run(
        try bed.job("job-\(number)", OfflineJobKind.mobileMapPackage.id, bed.package()))
    }
    for number in 1...2 {
      #expect(try await run(number).get().isComplete)
      bed.server.renew(AreaPortal.package)
    }
    let id = try #require(try await bed.library.maps().first).id
    #expect(try await bed.library.earlierVersions(of: id).map(\.number) == [1])
    bed.free.withLock { $0 = 5 }
    guard case .failure(.waiting(.space)) = try await run(3) else {
      Issue.record("there was room")
      return
    }
    #expect(try await bed.library.earlierVersions(of: id).isEmpty)
    #expect(try await bed.library.maps().map(\.version) == [2])
  }

  @Test func `A job continues at once in the space of the previous version`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    for number in 1...3 {
      let job = try bed.job("job-\(number)", OfflineJobKind.mobileMapPackage.id, bed.package())
      #expect(try await bed.run(job).get().isComplete)
      bed.server.renew(AreaPortal.package)
      let map = try #require(try await bed.library.maps().first)
      #expect(map.version == number)
      guard number == 2 else { continue }
      let before = try #require(try await bed.library.earlierVersions(of: map.id).first)
      bed.filling.withLock { $0 = bed.layout.place(of: before.map) }
    }
  }

  @Test func `The job refuses what does not fit, before anything is written`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory, free: 5)
    let result = await bed.run(
      try bed.job("job-1", OfflineJobKind.mobileMapPackage.id, bed.package()))
    #expect(result == .failure(.waiting(.space(missing: 12 + Self.reserve - 5))))
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }
}
