/// The tiles to remove; tiles that a region keeps stay.
public enum TileClearingRequest: Hashable, Sendable, Codable {
  /// All.
  case everything
  /// The tiles that were fetched longer ago than so many seconds.
  case olderThan(seconds: Double)
  /// The tiles of a source.
  case source(String)
  /// The tiles of a source in an extent.
  case extent(TileRegionExtent, levels: ClosedRange<Int>, source: String)
  /// The tiles that were used least recently, until so many bytes are left.
  case capacity(bytes: Int)

  /// The name or address of the source that it is about; `nil` if it is about all.
  public var source: String? {
    switch self {
    case .source(let source), .extent(_, _, let source): source
    case .everything, .olderThan, .capacity: nil
    }
  }
}
