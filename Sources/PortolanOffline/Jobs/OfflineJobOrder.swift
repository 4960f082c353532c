public import Foundation
public import PortolanJobs

/// A job that takes a map offline, before it is in the queue.
public struct OfflineJobOrder: Hashable, Sendable {
  /// The kind of job, as it is kept.
  public let kind: String
  /// The subject of the job.
  public let subject: String
  /// The name for people.
  public let title: String
  /// The parameters as they are kept: the same for the same parameters.
  public let parameters: Data

  /// Describes a job.
  ///
  /// - Throws: `EncodingError` for parameters that JSON cannot hold.
  public init<Parameters: OfflineJobParameters>(_ parameters: Parameters, title: String) throws {
    kind = Parameters.kind.id
    subject = parameters.subject
    self.title = title
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    self.parameters = try encoder.encode(parameters)
  }
}

extension JobQueue {
  /// Asks for a job, or finds the unfinished one of the same kind and subject.
  ///
  /// - Parameter order: The job.
  /// - Returns: The job, and whether it begins now; if not, it was under way already.
  /// - Throws: ``PortolanJobs/JobError/journal(file:reason:)``; then there is no job.
  public func submit(_ order: OfflineJobOrder) async throws(JobError) -> (job: Job, isNew: Bool) {
    try await submit(
      kind: order.kind, subject: order.subject, title: order.title, parameters: order.parameters)
  }
}
