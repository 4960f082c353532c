public import Foundation
internal import Glibc

/// What lies directly in a folder, with what tells one state of a file from another.
public struct FolderListing: Sendable {
  /// What changes when somebody writes to a file, or puts another in its place.
  public struct Stamp: Hashable, Sendable {
    /// The size in bytes.
    public var size: Int64
    /// The number of the file on its disk.
    public var number: UInt64
    /// When its bytes were written last, in nanoseconds since 1970.
    public var modified: Int64
    /// When anything about it was changed last, in nanoseconds since 1970.
    public var changed: Int64

    /// Creates a stamp.
    public init(size: Int64, number: UInt64, modified: Int64, changed: Int64) {
      self.size = size
      self.number = number
      self.modified = modified
      self.changed = changed
    }
  }

  /// A file or a folder.
  public struct Item: Hashable, Sendable {
    /// The name in the folder.
    public let name: String
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Its state; of a link, that of what it leads to.
    public let stamp: Stamp
  }

  /// The files and folders by name; hidden ones, pipes and the like are left out.
  public let items: [Item]

  /// Lists a folder.
  ///
  /// - Throws: ``ArchiveError/unreadable(file:reason:)``.
  public init(of url: URL) throws(ArchiveError) {
    let path = url.path(percentEncoded: false)
    guard let folder = unsafe opendir(path) else {
      throw .unreadable(file: path, reason: SystemCall.failure())
    }
    defer { unsafe closedir(folder) }
    let descriptor = unsafe dirfd(folder)
    var items: [Item] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard !name.hasPrefix("."), let item = Item(name, in: descriptor) else { continue }
      items.append(item)
    }
    self.items = items.sorted { $0.name < $1.name }
  }
}

extension FolderListing.Item {
  /// Looks at a name in an open folder; `nil` if it is gone, or no file and no folder.
  fileprivate init?(_ name: String, in folder: Int32) {
    var status = stat()
    guard unsafe fstatat(folder, name, &status, 0) == 0 else { return nil }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG || type == S_IFDIR else { return nil }
    self.name = name
    isFolder = type == S_IFDIR
    stamp = FolderListing.Stamp(
      size: Int64(status.st_size), number: UInt64(status.st_ino),
      modified: Self.nanoseconds(status.st_mtim), changed: Self.nanoseconds(status.st_ctim))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
