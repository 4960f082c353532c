internal import Synchronization

/// The files that jobs have made for their clients to fetch.
final class ServiceOutputs: Sendable {
  /// The most jobs whose files are kept; the oldest go first.
  private static let limit = 64

  private struct Kept {
    var files: [String: [String: ServiceFile]] = [:]
    var order: [String] = []
  }

  private let kept = Mutex(Kept())

  /// Keeps a file of a job.
  func keep(_ file: ServiceFile, named name: String, of job: String) {
    kept.withLock { kept in
      if kept.files[job] == nil { kept.order.append(job) }
      kept.files[job, default: [:]][name] = file
      if kept.order.count > Self.limit { kept.files[kept.order.removeFirst()] = nil }
    }
  }

  /// The names of a job's files.
  func names(of job: String) -> [String] { kept.withLock { ($0.files[job] ?? [:]).keys.sorted() } }

  /// A file of a job.
  func file(named name: String, of job: String) -> ServiceFile? {
    kept.withLock { $0.files[job]?[name] }
  }
}
