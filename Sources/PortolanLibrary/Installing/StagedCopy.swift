public import Foundation

/// A file or folder of this device that was copied into the folder of a job.
public struct StagedCopy: Sendable {
  /// The copy.
  public let url: URL
  /// Its files, with the digests that were computed while they were written.
  public let files: [StoredFile]
  /// Whether it was examined while it was copied.
  public let isInspected: Bool
  /// Keeps the folder from counting as abandoned.
  let hold: StagingHold?

  init(url: URL, files: [StoredFile], isInspected: Bool, hold: StagingHold?) {
    self.url = url
    self.files = files
    self.isInspected = isInspected
    self.hold = hold
  }

  /// The bytes in it.
  public var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }
}
