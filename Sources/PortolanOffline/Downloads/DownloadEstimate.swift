/// What a download needs and what there is, before anything is written.
public struct DownloadEstimate: Hashable, Sendable {
  /// A file of the download.
  public struct File: Hashable, Sendable {
    /// The name for people.
    public var title: String
    /// Its size in bytes, if the portal says so.
    public var byteCount: Int?
  }

  /// The files.
  public var files: [File]
  /// The bytes that are here already.
  public var presentBytes: Int
  /// The bytes that are free on the disk; `nil` if that cannot be told.
  public var freeBytes: Int?

  /// The bytes that are still to be fetched; at least so many if ``isExact`` is false.
  public var bytesToFetch: Int {
    max(files.reduce(0) { $0 + ($1.byteCount ?? 0) } - presentBytes, 0)
  }

  /// Whether the portal says how large each file is.
  public var isExact: Bool { files.allSatisfy { $0.byteCount != nil } }

  /// The bytes that are taken at most while it is installed, beyond what is taken now.
  public var peakBytes: Int { bytesToFetch + max(bytesToFetch / 50, 1 << 20) }

  /// The bytes that are too few; 0 if it fits, and if nobody can tell what is free.
  public var shortfall: Int { freeBytes.map { max(peakBytes - $0, 0) } ?? 0 }

  /// Whether it fits, as far as is known.
  public var fits: Bool { shortfall == 0 }
}
