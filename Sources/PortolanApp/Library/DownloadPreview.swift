internal import PortolanOffline

/// The size of a download, to decide on it.
public struct DownloadPreview: Hashable, Sendable, Codable {
  /// A file of the download.
  public struct File: Hashable, Sendable, Codable {
    /// The name for people.
    public var title: String
    /// Its size in bytes, if the portal says so.
    public var byteCount: Int?
  }

  /// The title of the map.
  public var title: String
  /// The files, in the order in which they are downloaded.
  public var files: [File]
  /// The bytes that are still to be downloaded; at least so many if ``isExact`` is false.
  public var bytesToFetch: Int
  /// Whether the portal says how large each file is.
  public var isExact: Bool
  /// The bytes that are here already and are not downloaded again.
  public var presentBytes: Int
  /// The most bytes that are taken while it is installed, beyond what is taken now.
  public var peakBytes: Int
  /// The bytes that are free on the disk; `nil` if that is unknown.
  public var freeBytes: Int?
  /// The bytes that are missing on the disk; 0 if it fits.
  public var missingBytes: Int

  /// Whether it fits, as far as is known.
  public var fits: Bool { missingBytes == 0 }
}

extension DownloadPreview {
  init(title: String, _ estimate: DownloadEstimate) {
    self.init(
      title: title,
      files: estimate.files.map { File(title: $0.title, byteCount: $0.byteCount) },
      bytesToFetch: estimate.bytesToFetch, isExact: estimate.isExact,
      presentBytes: estimate.presentBytes, peakBytes: estimate.peakBytes,
      freeBytes: estimate.freeBytes, missingBytes: estimate.shortfall)
  }
}
