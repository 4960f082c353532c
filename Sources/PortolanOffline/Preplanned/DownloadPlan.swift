/// What a download would bring, and whether there is room for it.
public struct DownloadPlan: Hashable, Sendable {
  /// A file that would be downloaded.
  public struct Part: Hashable, Sendable {
    /// The title of its item.
    public var title: String
    /// Its size in bytes; `nil` if the portal does not say.
    public var byteCount: Int?

    /// Creates a part.
    public init(title: String, byteCount: Int?) {
      self.title = title
      self.byteCount = byteCount
    }
  }

  /// Room for documents and the file system beside the files, in bytes.
  private static let reserve = 1 << 20

  /// The title of the map.
  public var title: String
  /// The files.
  public var parts: [Part]
  /// The bytes of them that are on this device already.
  public var presentByteCount: Int
  /// The bytes that are free where maps are stored; `nil` if that cannot be told.
  public var freeByteCount: Int?

  /// Creates a plan.
  public init(title: String, parts: [Part], presentByteCount: Int, freeByteCount: Int?) {
    self.title = title
    self.parts = parts
    self.presentByteCount = presentByteCount
    self.freeByteCount = freeByteCount
  }

  /// The bytes of all files whose size is known.
  public var byteCount: Int { parts.reduce(0) { $0 + ($1.byteCount ?? 0) } }

  /// Whether the sizes of all files are known.
  public var isExact: Bool { !parts.contains { $0.byteCount == nil } }

  /// The most bytes that are taken at a time in addition to what is taken now, while the map is
  /// put together; files take their place without being copied.
  public var peakByteCount: Int {
    let coming = max(byteCount - presentByteCount, 0)
    return coming + max(coming / 50, Self.reserve)
  }

  /// The bytes that are missing; none if there is room enough, or nobody can tell.
  public var missingByteCount: Int { freeByteCount.map { max(peakByteCount - $0, 0) } ?? 0 }

  /// Whether there is room enough, as far as anybody can tell.
  public var fits: Bool { missingByteCount == 0 }
}
