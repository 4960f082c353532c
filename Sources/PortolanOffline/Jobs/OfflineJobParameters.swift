public import Foundation

/// The parameters of a job that takes maps offline; stored with the job.
public protocol OfflineJobParameters: Hashable, Sendable, Codable {
  /// The kind of job that they are for.
  static var kind: OfflineJobKind { get }

  /// The root of the portal that is asked.
  var portal: URL { get }

  /// The subject of the job. Of the jobs on one subject, one runs at a time; two of one kind are
  /// one job.
  var subject: String { get }
}
