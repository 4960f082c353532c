import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The outcome of maps, and of the files of jobs, when the jobs are cancelled.
@Suite(.temporaryDirectory) struct CancelledJobTests {
  /// Stores a second version in a task that is cancelled after a step.
  private func install(
    cancelledAfter last: LibraryStep, _ bed: LibraryBed
  ) async throws -> StoredMap {
    let library = bed.library(report: { step in
      if step == last { withUnsafeCurrentTask { $0?.cancel() } }
    })
    let (staged, record) = (try bed.staged("update", info: "two"), try bed.record())
    return try await Task { try await library.install(staged, as: record) }.value
  }

  @Test(arguments: [LibraryStep.installMoved, .installRecorded])
  func `A version that has its place is recorded, though the job is cancelled by then`(
    _ step: LibraryStep
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let second = try await install(cancelledAfter: step, bed)
    #expect(try await bed.storage.installations().isEmpty)
    #expect(try await bed.library().maps() == [second])
    #expect(try second.version == 2 && bed.info(of: second) == "two")
  }

  @Test func `A job that is cancelled before that stores nothing, now or later`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    await #expect(throws: LibraryError.cancelled) {
      try await install(cancelledAfter: .installSynced, bed)
    }
    try await bed.library().discardStaged("update")
    try await bed.library().recover()
    #expect(try await bed.library().maps() == [first])
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }

  /// Leaves what a process has copied for a job that died before it was done.
  private func leaveDraft(_ bed: LibraryBed) throws {
    let draft = bed.layout.draft(of: "update")
    try LibraryBed.write(draft)
    try Edits.add("mine", to: draft.appending(path: LibraryBed.path))
  }

  @Test func `What was being copied for a job that is cancelled goes with it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    try leaveDraft(bed)
    try await bed.library().discardStaged("update")
    #expect(bed.layout.contents(of: .staging).isEmpty)
    #expect(try await bed.library().keptMaps().isEmpty)
  }

  @Test func `What was being copied of a map that is deleted goes when its job continues`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try leaveDraft(bed)
    try await bed.library().delete(map.id)
    let hold = try await bed.library().reuse(map.id, in: "update")
    #expect(hold == nil)
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }
}
