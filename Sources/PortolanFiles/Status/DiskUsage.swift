public import Foundation

/// The space that files take.
public struct DiskUsage: Hashable, Sendable {
  /// The bytes in the files.
  public var byteCount = 0
  /// The bytes that files and folders take on the disk.
  public var allocatedByteCount = 0

  /// No space at all.
  public init() {}

  /// The space of a file or of a folder with all that is in it; links are not followed, and a file
  /// with several names is counted once.
  public init(of url: URL) {
    self.init(of: [url])
  }

  /// The space of several files and folders together.
  public init(of urls: [URL]) { self.init(of: urls) { _ in true } }

  /// The space that removing a file or folder would free: not that of files with other hard links.
  public static func freed(byRemoving url: URL) -> DiskUsage {
    DiskUsage(of: [url]) { $0.kind == .folder || $0.nameCount == 1 }
  }

  private init(of urls: [URL], where counts: (FileStatus) -> Bool) {
    var seen: Set<FileIdentity> = []
    var usage = DiskUsage()
    for url in urls {
      FileTree.visit(url) { _, status in
        guard counts(status), seen.insert(status.identity).inserted else { return }
        usage.byteCount += status.byteCount
        usage.allocatedByteCount += status.allocatedByteCount
      }
    }
    self = usage
  }
}
