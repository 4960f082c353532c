import Foundation
import PortolanFeatures
import PortolanFiles
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanPackages
import PortolanPortal
import PortolanTransport
import Testing

@testable import PortolanOffline

@Suite struct JobInterruptionTests {
  private static let errors: [any Error] = [
    TransportError.storage(file: "a.part.json", reason: "Input/output error"),
    FileError.unwritable(file: "a", reason: "Input/output error"),
    CocoaError(.fileWriteUnknown), FeatureEditError.fileReadOnly(file: "a"),
    FeatureEditError.writeFailed(file: "a", reason: "Input/output error"),
    FeatureStoreError.unreadable(file: "a", reason: "too many open files"),
    GeodatabaseWriterError.notWritable(file: "a", reason: "Input/output error"),
    PackageError.unreadable(file: "a", reason: "too many open files"),
    JobError.journal(file: "a", reason: "Input/output error"),
    JobError.busyJournal(file: "a", by: nil),
  ]

  @Test(arguments: errors.indices)
  func `A disk that fails ends the job, and is no fault of the file at hand`(_ number: Int) {
    guard case .failed(let failure) = JobInterruption(Self.errors[number]) else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.kind == .device)
  }

  private static let full: [any Error] = [
    TransportError.diskFull(file: "a", needed: 7), FileError.diskFull(file: "a"),
    CocoaError(.fileWriteOutOfSpace), FeatureEditError.diskFull(file: "a"),
    GeodatabaseWriterError.diskFull(file: "a"),
    PackageError.noSpace(file: "a", needed: 9, available: 2), LibraryError.diskFull(file: "a"),
  ]

  @Test(arguments: full.indices) func `A full disk is waited for`(_ number: Int) {
    let missing = [0, 5].contains(number) ? 7 : 0
    #expect(JobInterruption(Self.full[number]) == .waiting(.space(missing: missing)))
  }

  @Test func `Busy work is retried, and cancelled work has not failed`() {
    for error in [
      FeatureEditError.locked(file: "a", holder: nil) as any Error,
      FeatureStoreError.busy(file: "a", holder: nil), PackageError.busy(file: "a", holder: nil),
      LibraryError.busyCatalogue(file: "a", by: nil), LibraryError.inUse(map: "a", by: nil),
    ] {
      guard case .failed(let failure) = JobInterruption(error) else {
        Issue.record("it did not fail")
        continue
      }
      #expect(failure.kind == .transient)
    }
    #expect(JobInterruption(FeatureEditError.cancelled) == .stopped)
    #expect(JobInterruption(FeatureStoreError.cancelled) == .stopped)
  }

  @Test func `Who is to stop has not failed for what cannot be written down any more`() async {
    let work = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return JobInterruption(JobError.journal(file: "a", reason: "the work was cancelled"))
    }
    #expect(await work.value == .stopped)
  }

  private static let answers: [(PortalError, Bool?)] = [
    (.transport(.unreachable(host: "a.example", reason: "refused")), true),
    (.part("Roads", .transport(.timedOut("https://a.example", phase: .connect))), true),
    (.server("https://a.example", ErrorEnvelope(code: 503, message: "")), nil),
    (.rateLimited(host: "a.example", retryAfter: .seconds(3)), nil),
  ]

  @Test(arguments: answers)
  func `A failure without an answer is told apart from one that a server reports`(
    _ error: PortalError, _ isUnanswered: Bool?
  ) {
    guard case .failed(let failure) = JobInterruption(error) else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.kind == .transient && failure.isUnanswered == isUnanswered)
  }

  @Test func `What keeps a part from being fetched now keeps the whole waiting`() {
    let causes: [(PortalError, JobInterruption)] = [
      (.transport(.offline), .waiting(.network)), (.cancelled, .stopped),
      (.signInNeeded(host: "portal.example"), .waiting(.signIn(host: "portal.example"))),
    ]
    for (cause, interruption) in causes {
      #expect(JobInterruption(cause) == interruption)
      #expect(JobInterruption(PortalError.part("Roads", cause)) == interruption)
    }
  }
}
