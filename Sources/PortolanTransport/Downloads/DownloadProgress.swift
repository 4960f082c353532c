/// The progress of a download.
public struct DownloadProgress: Hashable, Sendable {
  /// Bytes on the disk, those of earlier attempts included.
  public var received: Int

  /// Bytes of the whole file; `nil` where the server has not said.
  public var total: Int?

  /// Bytes that were there before and are not fetched again.
  public var resumedFrom: Int
}
