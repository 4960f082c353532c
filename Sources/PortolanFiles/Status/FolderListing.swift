public import Foundation

/// The entries of a folder, with what distinguishes one state of a file from another.
public struct FolderListing: Sendable {
  /// A file or a folder.
  public struct Item: Hashable, Sendable {
    /// The name in the folder.
    public let name: String
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Its state; of a link, that of what it leads to.
    public let stamp: FileStamp
  }

  /// The files and folders by name; hidden ones, pipes and the like are left out.
  public let items: [Item]

  /// Lists a folder.
  ///
  /// - Throws: ``FileError/absent(file:)``, ``FileError/unreadable(file:reason:)``.
  public init(of url: URL) throws(FileError) {
    let folder = url.plainPath
    items = try FolderNames(of: folder).names.compactMap { name in
      name.hasPrefix(".") ? nil : Item(name, at: "\(folder)/\(name)")
    }
  }
}

extension FolderListing.Item {
  /// Looks at a name; `nil` if it no longer exists, or no file and no folder.
  fileprivate init?(_ name: String, at path: String) {
    // What cannot be looked at cannot be opened either.
    guard let status = try? FileStatus(path: path, links: .followed),
      status.kind == .file || status.kind == .folder
    else { return nil }
    self.name = name
    isFolder = status.kind == .folder
    stamp = status.stamp
  }
}
