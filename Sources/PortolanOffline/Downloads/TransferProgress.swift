internal import Foundation
internal import PortolanJobs
internal import PortolanTransport

/// Sums up the progress of the files of a download.
actor TransferProgress {
  /// The most bytes that a file can have, a petabyte.
  private static let mostBytes = 1 << 50

  private let reporter: JobReporter
  private let count: Int
  /// The sizes of the files, as far as the portal or the transfer reports them.
  private var totals: [PlannedFile.ID: Int] = [:]
  private var bytes: [PlannedFile.ID: Int] = [:]
  private var finished: Set<PlannedFile.ID> = []

  init(_ files: [PlannedFile], reporter: JobReporter) {
    self.reporter = reporter
    count = files.count
    for file in files { totals[file.id] = file.byteCount }
  }

  func follow(_ updates: AsyncStream<DownloadProgress>, of file: PlannedFile) async {
    for await update in updates {
      bytes[file.id] = update.received
      // Servers may say anything; the sum has to be a number.
      if let total = update.total { totals[file.id] = min(total, Self.mostBytes) }
      await report()
    }
  }

  func done(_ file: PlannedFile, at url: URL) async {
    // A file that has just been opened has a size.
    let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
    bytes[file.id] = size ?? totals[file.id]
    totals[file.id] = bytes[file.id]
    finished.insert(file.id)
    await report()
  }

  /// Everything has been verified and is in its place.
  func finish() async { await reporter.progress(progress(isVerified: true)) }

  private func report() async { await reporter.progress(progress(isVerified: false)) }

  private func progress(isVerified: Bool) -> JobProgress {
    JobProgress(
      bytes: bytes.values.reduce(0, +), totalBytes: totals.values.reduce(0, +),
      isTotalExact: totals.count == count, items: finished.count, totalItems: count,
      isVerified: isVerified)
  }
}
