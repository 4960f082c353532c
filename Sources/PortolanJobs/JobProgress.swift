/// The progress of a job, as facts.
///
/// It never goes back: ``advanced(to:)`` keeps the larger of each figure, also after a restart.
public struct JobProgress: Hashable, Sendable, Codable {
  /// Bytes that are here and checked as far as a part can be.
  public var bytes: Int
  /// Bytes in all, as far as known.
  public var totalBytes: Int?
  /// Whether ``totalBytes`` is all, not only what is known so far.
  public var isTotalExact: Bool
  /// Things that are done: files, layers, tiles.
  public var items: Int
  /// Things in all, as far as known.
  public var totalItems: Int?
  /// Whether everything fetched has been checked as a whole.
  public var isVerified: Bool

  /// Creates a progress; nothing is done by default.
  public init(
    bytes: Int = 0, totalBytes: Int? = nil, isTotalExact: Bool = false, items: Int = 0,
    totalItems: Int? = nil, isVerified: Bool = false
  ) {
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.isTotalExact = isTotalExact
    self.items = items
    self.totalItems = totalItems
    self.isVerified = isVerified
  }

  /// The part that is done, from 0 to 1; `nil` while the whole is not known.
  ///
  /// It is 1 only once everything has been verified, and at most 0.99 before.
  public var fraction: Double? {
    if isVerified { return 1 }
    guard isTotalExact, let totalBytes, totalBytes > 0 else { return nil }
    return min(Double(bytes) / Double(totalBytes), 0.99)
  }

  /// This progress and a later report of the same job in one, without going back.
  public func advanced(to report: JobProgress) -> JobProgress {
    JobProgress(
      bytes: max(bytes, report.bytes),
      totalBytes: report.totalBytes.map { max($0, totalBytes ?? 0) } ?? totalBytes,
      isTotalExact: isTotalExact || report.isTotalExact,
      items: max(items, report.items),
      totalItems: report.totalItems.map { max($0, totalItems ?? 0) } ?? totalItems,
      isVerified: isVerified || report.isVerified)
  }
}
