import Foundation
import PortolanFiles
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPackages
import PortolanPortal
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

  @Test func `A package that a dead process has put in its place is not fetched again`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    // As if another process had died before it recorded what it had moved.
    let map = try #require(await bed.storage.storedMaps().first)
    let version = try #require(await bed.storage.versions(of: map.id).first)
    let file = try #require(try FileStatus(at: bed.layout.place(of: map))?.identity)
    await bed.storage.removeStoredMap(map.id)
    await bed.storage.announce(
      MapInstallation(map: map, staged: "job-1", file: file, version: version))
    let staged = bed.layout.staging("job-2")
    try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: true)
    try Data("GOOD".utf8).write(to: staged.appending(path: "begun"))
    #expect(try await bed.run(job(bed, name: "job-2")) == .success(JobOutcome()))
    #expect(bed.server.downloads(of: Self.id) == 1)
    #expect(bed.layout.contents(of: .staging).isEmpty)
    #expect(await bed.storage.storedMaps() == [map])
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

  @Test func `A package of no use leaves the version before, and is fetched once`() async throws {
    let isUseless = Locked(false)
    let error = OfflineMapError.unusablePackage(reason: "\"Harbor\" contains no maps.")
    let bed = try OfflineBed(
      in: temporaryDirectory,
      checkPackage: { _ in
        if isUseless.withLock(\.self) { throw error }
        return []
      })
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    bed.server.renew(Self.id)
    isUseless.withLock { $0 = true }
    let update = try job(bed, name: "job-2")
    #expect(await bed.run(update) == .failure(.failed(JobFailure(error, kind: .refused))))
    #expect(bed.server.downloads(of: Self.id) == 2)
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package".utf8))
    isUseless.withLock { $0 = false }
    #expect(await bed.run(update) == .success(JobOutcome()))
    #expect(bed.server.downloads(of: Self.id) == 3)
  }

  @Test func `A package that has expired did not arrive damaged`() async throws {
    let error = PackageError.expired(title: "Harbor", on: OfflineBed.day, message: "Ask for more.")
    let bed = try OfflineBed(in: temporaryDirectory, checkPackage: { _ in throw error })
    let failure = JobFailure(error, kind: .refused)
    #expect(failure.message.hasSuffix("Ask for more."))
    #expect(try await bed.run(job(bed)) == .failure(.failed(failure)))
    #expect(await bed.storage.storedMaps().isEmpty)
  }

  @Test func `A stored package that has expired is not fetched once more`() async throws {
    let hasExpired = Locked(false)
    let error = PackageError.expired(title: "Harbor", on: OfflineBed.day, message: nil)
    let bed = try OfflineBed(
      in: temporaryDirectory,
      checkPackage: { _ in
        if hasExpired.withLock(\.self) { throw error }
        return []
      })
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    hasExpired.withLock { $0 = true }
    let failure = JobFailure(error, kind: .refused)
    #expect(try await bed.run(job(bed, name: "job-2")) == .failure(.failed(failure)))
    #expect(bed.server.downloads(of: Self.id) == 1)
    #expect(await bed.storage.storedMaps().count == 1)
  }

  @Test func `An incomplete package is stored, and says what it lacks`() async throws {
    let lacks = ["The map \"Old\" cannot be opened.", "The file \"a\" is missing."]
    let bed = try OfflineBed(in: temporaryDirectory, checkPackage: { _ in lacks })
    for name in ["job-1", "job-2"] {
      let outcome = try #require(try? await bed.run(job(bed, name: name)).get())
      #expect(!outcome.isComplete)
      #expect(outcome.failedItems.map(\.name) == ["Harbor"])
      #expect(outcome.failedItems.first?.failure.message == lacks.joined(separator: " "))
    }
    #expect(await bed.storage.storedMaps().count == 1)
  }

  /// Whether the portal reports a newer version of the package than the stored one.
  private func isOutOfDate(_ bed: OfflineBed) async throws -> Bool {
    let map = try #require(await bed.storage.storedMaps().first)
    let item = try await bed.server.portal.item(try PortalItem.ID(Self.id))
    return try #require(map.sourceModified) < (try #require(item.modified))
  }

  @Test func `A package that is renamed has its new name with its next version`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    bed.server.rename(Self.id, to: "Hafen/..//\u{202E}水")
    #expect(try await bed.run(job(bed, name: "job-2")) == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(map.title == "Hafen/..//\u{202E}水" && map.id.text == Self.id)
    #expect(bed.layout.place(of: map).path.hasPrefix(bed.layout.home.path))
  }

  @Test func `A package that is replaced before its bytes come is offered as an update`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.beforeData(of: Self.id) { [server = bed.server] in server.renew(Self.id) }
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package 2".utf8))
    // The date is that of the version before, so nobody takes the newer one for known.
    #expect(try await isOutOfDate(bed))
    #expect(try await bed.run(job(bed, name: "job-2")) == .success(JobOutcome()))
    #expect(try await isOutOfDate(bed) == false)
  }

  @Test func `A package that is replaced after it broke off is never pieced together`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    let first = try job(bed)
    bed.server.stopData(of: Self.id, after: 5)
    guard case .failure = await bed.run(first) else {
      Issue.record("it did not break off")
      return
    }
    let part = bed.layout.staging(first.id.text).appending(path: "\(Self.id).mmpk.part")
    #expect(try Data(contentsOf: part) == Data("GOOD ".utf8))
    bed.server.renew(Self.id)
    #expect(await bed.run(first) == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package 2".utf8))
    #expect(try await isOutOfDate(bed) == false)
  }

  @Test(arguments: [
    #"{"error": {"code": 400, "messageCode": "CONT_0001", "message": "Item does not exist or is inaccessible.", "details": []}}"#,
    #"{"error": {"code": 403, "message": "You do not have permissions.", "details": []}}"#,
    #"{"id": "c0000000000000000000000000000001", "type": "Web Map", "title": "Other"}"#,
    #"{"id": "c0000000000000000000000000000009", "type": "Mobile Map Package", "title": "Other"}"#,
    "<html>Moved</html>", "",
  ])
  func `A missing, moved or replaced item leaves the version that is here`(
    _ answer: String
  ) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    bed.server.answer(
      path: "/content/items/\(Self.id)", with: Array(repeating: .json(answer), count: 10))
    let update = try job(bed, name: "job-2")
    guard case .failure = await bed.run(update) else {
      Issue.record("it was downloaded")
      return
    }
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(map.title == "Harbor" && map.version == 1)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package".utf8))
    #expect(bed.server.downloads(of: Self.id) == 1)
  }

  @Test func `A package that is deleted while it comes leaves the version that is here`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(try await bed.run(job(bed)) == .success(JobOutcome()))
    bed.server.renew(Self.id)
    let gone = #"{"error": {"code": 400, "message": "Item does not exist.", "details": []}}"#
    bed.server.answer(data: Self.id, with: Array(repeating: .json(gone), count: 10))
    guard case .failure(.failed(let failure)) = await bed.run(try job(bed, name: "job-2")) else {
      Issue.record("it was downloaded")
      return
    }
    #expect(failure.message.contains("Item does not exist"))
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("GOOD package".utf8))
  }

  @Test func `A job of an unknown kind is reported, not guessed`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let job = try bed.job("job-1", "teleportation", bed.package())
    let error = OfflineMapError.unknownJobKind("teleportation")
    #expect(await bed.run(job) == .failure(.failed(JobFailure(error, kind: .refused))))
  }
}
