import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct MobileMapPackageDownloadTests {
  private static let id = AreaPortal.package

  private func job(_ bed: OfflineBed, item: String = id, name: String = "job-1") throws -> Job {
    try bed.job(name, OfflineJobKind.mobileMapPackage.id, bed.package(item))
  }

  @Test func `A package becomes a file of the library`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(map.form == .file && map.title == "Harbor" && map.origin == .portalItem(Self.id))
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package".utf8))
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }

  @Test func `An item of another type is refused by name`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let error = OfflineMapError.wrongItemType(
      item: "Explore", type: "Web Map", expected: "Mobile Map Package")
    #expect(
      try await bed.run(job(bed, item: AreaPortal.webMap))
        == .failure(.failed(JobFailure(error, kind: .refused))))
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }

  @Test func `A package that is here in the portal's version is not fetched again`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    #expect(try await bed.run(job(bed, name: "job-2")) == .success(JobOutcome()))
    #expect(bed.server.downloads(of: Self.id) == 1)
  }

  @Test func `A new version takes the place of the one before`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    bed.server.renew(Self.id)
    #expect(try await bed.run(job(bed, name: "job-2")) == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package 2".utf8))
    #expect(bed.layout.contents(of: .staging).isEmpty && bed.layout.contents(of: .trash).isEmpty)
  }

  @Test func `An update that fails leaves the version before`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    bed.server.renew(Self.id)
    bed.server.answer(data: Self.id, with: [.bytes(Data("BAD".utf8)), .bytes(Data("BAD".utf8))])
    let update = try job(bed, name: "job-2")
    guard case .failure(.failed(let failure)) = await bed.run(update) else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .damaged)
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package".utf8))
    try await OfflineJobRunner(bed.environment).discard(update)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package".utf8))
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }

  @Test func `A job of a kind that is not known is told, not guessed`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let job = try bed.job("job-1", "teleportation", bed.package())
    let error = OfflineMapError.unknownJobKind("teleportation")
    #expect(await bed.run(job) == .failure(.failed(JobFailure(error, kind: .refused))))
  }
}
