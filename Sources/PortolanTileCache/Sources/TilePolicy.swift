/// The policy of a source's operator.
///
/// Bulk downloads are forbidden unless they are allowed explicitly: most public servers
/// forbid them.
public struct TilePolicy: Hashable, Sendable {
  /// Whether regions may be downloaded.
  public var allowsBulk: Bool
  /// The highest level of a region; `nil` for that of the source.
  public var highestBulkLevel: Int?
  /// How many tiles a region may have.
  public var tileLimit: Int
  /// How many requests may begin in a second; `nil` for no limit.
  public var requestsPerSecond: Double?

  /// Creates a policy that forbids bulk downloads by default.
  public init(
    allowsBulk: Bool = false, highestBulkLevel: Int? = nil, tileLimit: Int = 10_000_000,
    requestsPerSecond: Double? = nil
  ) {
    self.allowsBulk = allowsBulk
    self.highestBulkLevel = highestBulkLevel
    self.tileLimit = tileLimit
    self.requestsPerSecond = requestsPerSecond
  }
}
