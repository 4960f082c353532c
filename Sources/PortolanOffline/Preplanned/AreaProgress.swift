internal import Foundation
internal import PortolanJobs
internal import PortolanTransport

/// Adds up how far the packages of an area are.
actor AreaProgress {
  private let reporter: JobReporter
  private let count: Int
  /// The sizes of the packages, as far as the portal or the transfer tells.
  private var totals: [String: Int] = [:]
  private var bytes: [String: Int] = [:]
  private var finished: Set<String> = []

  init(_ packages: [AreaPackage], reporter: JobReporter) {
    self.reporter = reporter
    count = packages.count
    for package in packages { totals[package.id] = package.byteCount }
  }

  func follow(_ updates: AsyncStream<DownloadProgress>, of package: AreaPackage) async {
    for await update in updates {
      bytes[package.id] = update.received
      if let total = update.total { totals[package.id] = total }
      await report()
    }
  }

  func done(_ package: AreaPackage, _ file: URL) async {
    // A file that has just been opened has a size.
    let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
    bytes[package.id] = size ?? totals[package.id]
    totals[package.id] = bytes[package.id]
    finished.insert(package.id)
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
