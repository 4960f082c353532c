import DemoPortal
import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

/// Everything that can go wrong with a download, and how each ends.
///
/// One after the other: two hundred portals at once would keep each other waiting.
@Suite(.serialized, .temporaryDirectory, .timeLimit(.minutes(5))) struct FaultTests {
  static let rows = FaultRow.statuses + FaultRow.transfers + FaultRow.answers + FaultRow.device

  /// A portal on this machine is reached without a network.
  static let cases = FaultNetwork.allCases.flatMap { network in
    rows.filter { network == .inProcess || $0.end != .waitsForNetwork }.map { ($0, network) }
  }

  @Test(arguments: cases)
  func `Each fault ends in its documented state, and the download resumes once it is over`(
    _ row: FaultRow, _ network: FaultNetwork
  ) async throws {
    let bed = try await FaultBed(in: temporaryDirectory, over: network)
    do { try await expectEnds(of: row, bed) } catch {
      await bed.stop()
      throw error
    }
    await bed.stop()
  }

  private func expectEnds(of row: FaultRow, _ bed: FaultBed) async throws {
    try await row.arrange(bed)
    let queue = try bed.makeQueue()
    let id = try await bed.submit(row.phase.isOfArea, to: queue)
    let work = Task { await queue.run() }
    defer { work.cancel() }

    let job = try await Self.standing(id, in: queue)
    #expect(FaultEnd(job) == row.end, "\(job.state)")
    #expect(Self.reason(job, bed) == Self.expectedReason(row))
    #expect(bed.clock.now.offset >= .seconds(row.waits))
    try await Self.expectWhole(bed, isStored: row.end.isStored)
    #expect((job.progress.fraction == 1) == (row.end == .stored))

    await bed.state.removeFaults()
    try await row.heal(bed)
    try await Self.goOn(job, in: queue)
    let end = try await Self.standing(id, in: queue)
    #expect(FaultEnd(end) == row.afterwards, "\(end.state)")
    #expect(end.progress.bytes >= job.progress.bytes)
    try await Self.expectWhole(bed, isStored: row.afterwards.isStored)
  }

  /// A folder on a file system of at most some megabytes, to be filled:
  /// `mount -t tmpfs -o size=1m tmpfs FOLDER`.
  private static let smallDisk = ProcessInfo.processInfo.environment["PORTOLAN_SMALL_DISK"]

  @Test(.enabled(if: smallDisk != nil, "needs PORTOLAN_SMALL_DISK, a folder that may be filled"))
  func `A disk that fills up while a map arrives is waited for`() async throws {
    let disk = URL(filePath: try #require(Self.smallDisk)).appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: disk) }  // The disk is thrown away.
    let bed = try await FaultBed(in: disk)
    let filler = disk.appending(path: "filler")
    try Self.fill(filler, leaving: 32 << 10)
    let queue = try bed.makeQueue()
    let id = try await bed.submit(true, to: queue)
    let work = Task { await queue.run() }
    defer { work.cancel() }
    #expect(FaultEnd(try await Self.standing(id, in: queue)) == .waitsForSpace)
    try await Self.expectWhole(bed, isStored: false)
    try FileManager.default.removeItem(at: filler)
    await queue.conditionsHaveChanged(.space)
    #expect(FaultEnd(try await Self.standing(id, in: queue)) == .stored)
  }

  /// Writes a file until the disk is full, then makes it a little shorter.
  private static func fill(_ file: URL, leaving room: Int) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    var count = 0
    do {
      while true {
        try handle.write(contentsOf: Data(repeating: 1, count: 4 << 10))
        count += 4 << 10
      }
    } catch {
      try handle.truncate(atOffset: UInt64(max(count - room, 0)))
    }
    try handle.close()
  }

  @Test func `The table in the documentation says what the tests say`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Docs/FAULTS.md").standardizedFileURL
    let table = FaultTable.text(Self.rows)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(table.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == table)
    #expect(Self.rows.count >= 40)
  }

  /// Waits until nothing more happens by itself.
  private static func standing(_ id: JobID, in queue: JobQueue) async throws -> Job {
    for await jobs in await queue.updates() {
      guard let job = jobs.first(where: { $0.id == id }) else { continue }
      switch job.state {
      case .succeeded, .succeededInPart, .failed, .waiting(.network), .waiting(.signIn),
        .waiting(.space):
        return job
      default: continue
      }
    }
    throw CancellationError()
  }

  /// Lets a job go on as people would.
  private static func goOn(_ job: Job, in queue: JobQueue) async throws {
    switch job.state {
    case .waiting:
      for condition in JobCondition.allCases { await queue.conditionsHaveChanged(condition) }
    case .failed: try await queue.resume(job.id)
    case .succeededInPart: try await queue.retryFailedItems(job.id)
    default: break
    }
  }

  /// The message to people, with places in the home by their names.
  private static func reason(_ job: Job, _ bed: FaultBed) -> String {
    let root = bed.root.absoluteString
    let host = bed.root.host() ?? ""
    return withoutDetails(
      sentence(job).replacing(root, with: "https://demo.test").replacing(host, with: "demo.test"))
  }

  private static func expectedReason(_ row: FaultRow) -> String { withoutDetails(row.reason) }

  /// The message without the wording of a connection's end, which depends on who noticed it.
  private static func withoutDetails(_ text: String) -> String {
    text.components(separatedBy: " broke off: ").first.map {
      $0 == text ? text : $0 + " broke off"
    } ?? text
  }

  private static func sentence(_ job: Job) -> String {
    switch job.state {
    case .failed(let failure):
      failure.kind == .device ? "staging cannot be written." : failure.message
    case .succeededInPart: job.failedItems.first { $0.isFailure }?.failure.message ?? ""
    case .waiting(.network): "A network is missing."
    case .waiting(.signIn(let host)): "\(host) requires a sign-in."
    case .waiting(.space(let missing)): "\(missing) bytes are missing."
    default: ""
    }
  }

  /// A map is in the library as a whole or not at all.
  private static func expectWhole(_ bed: FaultBed, isStored: Bool) async throws {
    let maps = try await bed.library.maps()
    #expect(maps.count == (isStored ? 1 : 0))
    for map in maps {
      let place = bed.layout.place(of: map).path(percentEncoded: false)
      #expect(FileManager.default.fileExists(atPath: place))
    }
  }
}
