import Foundation
import Glibc
import PortolanJobs
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

@Suite(.temporaryDirectory) struct FileJobClaimsTests {
  private var claims: FileJobClaims {
    FileJobClaims(url: HomeLayout(home: temporaryDirectory).claims)
  }

  @Test func `A job is claimed by one at a time, until the claim is let go of`() throws {
    let id = try #require(JobID("job-1"))
    do {
      let claim = try #require(try claims.claim(id))
      #expect(try claims.claim(id) == nil)
      #expect(try claims.isClaimed(id))
      withExtendedLifetime(claim) {}
    }
    #expect(try !claims.isClaimed(id))
    #expect(try claims.claim(id) != nil)
  }

  @Test func `Jobs are claimed apart`() throws {
    let held = try (1...50).map { number in
      try claims.claim(#require(JobID("job-\(number)")))
    }
    #expect(held.allSatisfy { $0 != nil })
  }

  @Test func `Whoever works on jobs is named for as long as that lasts`() throws {
    let own = JobWorker(name: "this program", isThisProcess: true)
    #expect(try claims.workers().isEmpty)
    var first: JobClaim? = try claims.attend()
    #expect(first != nil)
    do {
      let second = try claims.attend()
      // Jobs are claimed apart from that, by this and other processes.
      #expect(try claims.claim(#require(JobID("job-1"))) != nil)
      #expect(try claims.workers() == [own])
      withExtendedLifetime(second) {}
    }
    #expect(try claims.workers() == [own])
    first = nil
    #expect(try claims.workers().isEmpty)
  }

  @Test func `A file that is left behind names nobody`() throws {
    let id = try #require(JobID("job-1"))
    // As editors and copies of a home leave it.
    try Data("4711".utf8).write(to: claims.url)
    #expect(try claims.workers().isEmpty)
    #expect(try !claims.isClaimed(id))
  }

  @Test(.needsTool("python3"))
  func `Another process is named while it works on jobs, until it is killed`() async throws {
    let claims = claims
    let (process, during, afterwards) = try await onOwnThread {
      let worker = try WorkingProcess(claims.url)
      let during = Result { try claims.workers() }
      worker.kill()
      return (worker.number, try during.get(), try claims.workers())
    }
    #expect(during.count == 1 && during.first?.isThisProcess == false)
    #expect(during.first?.name.hasPrefix("process \(process) (") == true)
    #expect(afterwards.isEmpty)
    #expect(FileManager.default.fileExists(atPath: claims.url.path(percentEncoded: false)))
  }

  @Test func `The reason why no file can be made is reported`() throws {
    let id = try #require(JobID("job-1"))
    let nowhere = FileJobClaims(url: temporaryDirectory.appending(path: "none/jobs.lock"))
    #expect(throws: JobError.self) { try nowhere.claim(id) }
    #expect(throws: JobError.self) { try nowhere.isClaimed(id) }
    #expect(throws: JobError.self) { try nowhere.attend() }
    #expect(throws: JobError.self) { try nowhere.workers() }
  }
}

/// Another program that holds the lock of a process that works on jobs, and waits to be killed.
private final class WorkingProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts it; it has the lock then.
  init(_ url: URL) throws {
    process.executableURL = URL(filePath: Tool.path(of: "python3") ?? "python3")
    process.arguments = [
      "-c",
      """
      import fcntl, os, struct, sys
      file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
      place = (1 << 62) + os.getpid()
      fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, place, 1, 0))
      print("locked", flush=True)
      sys.stdin.read()
      """, url.path(percentEncoded: false),
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Its word that it has the lock.
    _ = output.fileHandleForReading.availableData
  }

  var number: Int32 { process.processIdentifier }

  func kill() {
    Glibc.kill(number, SIGKILL)
    process.waitUntilExit()
  }
}
