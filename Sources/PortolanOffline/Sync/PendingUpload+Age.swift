internal import Foundation
internal import PortolanGeodatabase
internal import PortolanPortal

/// The time for which the result of an upload may remain unknown.
extension PendingUpload {
  /// After how many seconds a job is no longer expected to end.
  private static let longestJob: TimeInterval = 6 * 3600

  /// Whether a service may still work on its edits.
  func mayBeUnderWay(at now: Date) -> Bool {
    submitted.map { now.timeIntervalSince($0) < Self.longestJob } ?? false
  }
}

extension EditableGeodatabase {
  /// The upload whose result is still unknown.
  func unsettledUpload(at now: Date) async throws -> PendingUpload? {
    guard var pending = try await pendingUpload() else { return nil }
    if let submitted = pending.submitted, submitted > now {
      // The clock was set back since: how long ago that was is unknown, and its time starts over.
      pending.submitted = now
      try await setPendingUpload(pending)
    }
    return pending
  }

  /// Leaves an upload for the next synchronization, since nothing readable came when the service was asked
  /// what it has of it.
  ///
  /// After some hours its edits are sent again: services know them by their ids.
  ///
  /// - Throws: The error, before that.
  func keep(_ pending: PendingUpload, after error: PortalError, at now: Date) async throws {
    if pending.submitted == nil {
      var pending = pending
      pending.submitted = now
      try await setPendingUpload(pending)
      throw error
    }
    guard !pending.mayBeUnderWay(at: now) else { throw error }
    try await setPendingUpload(nil)
  }
}
