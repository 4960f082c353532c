public import Foundation

/// The condition that a runnable job is waiting for.
public enum JobWait: Hashable, Sendable, Codable {
  /// A place among those that run; how many jobs are before it.
  case slot(ahead: Int)
  /// A network.
  case network
  /// A sign-in to that host.
  case signIn(host: String)
  /// So many bytes more of free space.
  case space(missing: Int)
  /// The end of editing that map; the process, if it is known.
  case editing(map: String, by: String?)
  /// The time to try again, after so many failures in a row.
  case retry(at: Date, attempt: Int)
}
