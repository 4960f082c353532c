internal import Foundation
internal import PortolanFiles
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal

/// One run of an export of tiles.
struct TileExportRun {
  private static let pieceSize = 1 << 20

  let order: ExportTilesJobParameters
  let job: Job
  let reporter: JobReporter
  let environment: OfflineEnvironment

  func run() async throws -> JobOutcome {
    let portal = try await environment.connect(order.portal)
    let source = try await TileServiceInfo(order.service, portal).source
    let book = OnDemandBook(job, reporter)
    let part = OnDemandPart(
      id: order.part.id, url: source.exportURL, work: order.part.work, affects: order.part.affects)
    let work = PartWork(
      part: part, features: nil, tiles: source, client: portal.client,
      book: book, job: job, environment: environment, portal: order.portal)
    let folder = work.target.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LibraryError(writing: folder, error)
    }
    if try await !work.isThere() {
      do {
        try await work.submit()
        await reporter.progress(JobProgress(items: 0, totalItems: 1))
        try await work.finish()
      } catch {
        try await abandon(work, book, after: error)
        throw error
      }
    }
    try place(work.target)
    try await environment.library.removeStaged(job.id.text)
    await reporter.progress(JobProgress(items: 1, totalItems: 1, isVerified: true))
    return JobOutcome()
  }

  /// Gives up a job of the service that has failed for good, so that a retry asks again.
  private func abandon(
    _ work: PartWork, _ book: OnDemandBook, after error: any Error
  ) async throws {
    guard case .failed(let failure) = JobInterruption(error), failure.kind != .transient,
      failure.kind != .device, let serverJob = await book.serverJob(of: work.part.id)
    else { return }
    try await work.release(serverJob)
    try await book.set(nil, for: work.part.id)
  }

  /// Copies the file to its place, where it appears once it is whole.
  private func place(_ file: URL) throws {
    let source: FileHandle
    do { source = try FileHandle(forReadingFrom: file) } catch {
      throw LibraryError(writing: file, error)
    }
    var staged = try StagedFile(replacing: order.file)
    while let piece = try source.read(upToCount: Self.pieceSize), !piece.isEmpty {
      try Task.checkCancellation()
      try staged.write(piece)
    }
    try staged.commit()
  }
}
