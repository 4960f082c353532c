internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanTransport

extension PartWork {
  /// Gives up what an earlier run has requested, or fetched, where the map wants something else of the
  /// service since, as it does when its author has changed it meanwhile.
  ///
  /// Files that come from a stored version were not asked for by this job, and stay.
  func unregisterOther() async throws {
    let question = try OnDemandCheckpoint.Question(part)
    guard let known = await book.question(of: part.id), known != question else { return }
    if let serverJob = await book.serverJob(of: part.id) {
      try await release(serverJob)
      try await book.set(nil, for: part.id)
    }
    try await Self.discard(target)
    try await book.note(nil, for: part.id)
  }

  /// Removes a file that is no part of the map any more, and the beginning of one.
  static func discard(_ file: URL) async throws {
    try await FileDownload.discard(beside: file)
    guard FileManager.default.fileExists(atPath: file.plainPath) else { return }
    try FileManager.default.removeItem(at: file)
  }

  /// Gives up what the service was asked for.
  func release(_ serverJob: OnDemandCheckpoint.ServerJob) async throws {
    try await environment.release(serverJob, of: job, portal: portal)
  }
}
