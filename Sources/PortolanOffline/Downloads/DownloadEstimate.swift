internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary
internal import PortolanPortal

/// The space that a download needs and the space available, before anything is written.
public struct DownloadEstimate: Hashable, Sendable {
  /// A file of the download.
  public struct File: Hashable, Sendable {
    /// The name for people.
    public var title: String
    /// Its size in bytes, if the portal says so.
    public var byteCount: Int?
    /// The bytes of it that are here already, of the version that the portal has.
    public var presentBytes: Int

    /// The bytes that are still to be fetched, as far as is known.
    public var bytesToFetch: Int { max((byteCount ?? 0) - presentBytes, 0) }
  }

  /// The files, in the order in which they are fetched.
  public var files: [File]
  /// The bytes that are free on the disk; `nil` if that is unknown.
  public var freeBytes: Int?
  /// The bytes of the version before, which stays until the new one is whole; 0 if there is none.
  public var replacedBytes: Int
  /// The bytes of the version before that are copied: of its geodatabases, since people edit them, and of all its
  /// files where the disk knows no second names.
  public var copiedBytes = 0

  /// The bytes that are still to be fetched; at least so many if ``isExact`` is false.
  public var bytesToFetch: Int { files.reduce(0) { $0 + $1.bytesToFetch } }

  /// The bytes that are here already and are not fetched again.
  public var presentBytes: Int { files.reduce(0) { $0 + $1.presentBytes } }

  /// Whether the portal says how large each file is.
  public var isExact: Bool { files.allSatisfy { $0.byteCount != nil } }

  /// The bytes that are taken at most while it is installed, beyond what is taken now: what is
  /// fetched or copied, beside the version before, with a reserve for documents.
  public var peakBytes: Int { bytesToFetch + copiedBytes + reserve }

  /// A fiftieth of what is fetched, at least a megabyte.
  private var reserve: Int { max(bytesToFetch / 50, 1 << 20) }

  /// How many bytes of space are missing; 0 if it fits, or if the free space is unknown.
  public var shortfall: Int { freeBytes.map { max(peakBytes - $0, 0) } ?? 0 }

  /// Whether it fits, as far as is known.
  public var fits: Bool { shortfall == 0 }
}

extension DownloadEstimate {
  /// Compares a plan with what is on the device.
  ///
  /// - Parameters:
  ///   - plan: What is to be fetched.
  ///   - staging: The folder of the job, if it has begun.
  ///   - installed: Where the version before is, if there is one.
  ///   - installedVersion: What the portal said of the version before, for one that is a file.
  ///   - freeBytes: The bytes that are free on the disk.
  init(
    _ plan: DownloadPlan, staging: URL?, installed: URL?, installedVersion: FileVersion?,
    freeBytes: Int?
  ) {
    let folder = staging ?? (plan.form == .folder ? installed : nil)
    // What cannot be read is estimated as if it were to be fetched.
    let versions = folder.flatMap { try? FileVersions(in: $0) }
    files = plan.files.map { file in
      var present = 0
      if let folder, versions?[file.path] == file.version {
        present = Self.size(of: folder.appending(path: file.path))
      } else if plan.form == .file, let installed, installedVersion == file.version {
        present = Self.size(of: installed)
      }
      return File(
        title: file.title, byteCount: file.byteCount, presentBytes: present)
    }
    self.freeBytes = freeBytes
    replacedBytes = installed.map { DiskUsage(of: $0).byteCount } ?? 0
    if staging == nil, plan.form == .folder, let installed {
      copiedBytes = MapLibrary.byteCountCopied(reusing: installed)
    }
  }

  /// The bytes of a file, or of the part received so far.
  private static func size(of file: URL) -> Int {
    for url in [file, file.appendingPathExtension("part")] {
      // What is not there has no size.
      let values = try? url.resourceValues(forKeys: [.fileSizeKey])
      if let size = values?.fileSize { return size }
    }
    return 0
  }
}
