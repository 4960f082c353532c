public import Foundation
internal import PortolanFiles

/// A cache in small files, one for each folder that was looked at.
///
/// A file that is not as it should be counts as none. Those of folders that were not looked at for
/// long go.
public struct PackageSummaryCacheFile: PackageSummaryCache {
  private let home: URL
  private let prepare: @Sendable () throws -> Void

  /// The most folders that are remembered.
  static let mostFolders = 64

  /// The most that is read of a file: some hundred thousand packages.
  private static let largest = 64 << 20

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - home: The folder for its files.
  ///   - prepare: Makes that folder; called when the first thing is remembered.
  public init(in home: URL, prepare: @escaping @Sendable () throws -> Void) {
    self.home = home
    self.prepare = prepare
  }

  public func records(of folder: String) -> [String: PackageRecord] {
    do {
      let data = try FileSystem.live.read(file(of: folder), limit: Self.largest)
      guard let document = PackageSummaryCacheDocument(data),
        document.folder == folder
      else { return [:] }
      return document.records
    } catch {
      // Without a file nothing is known.
      return [:]
    }
  }

  public func keep(_ records: [String: PackageRecord], of folder: String) {
    let data = PackageSummaryCacheDocument(folder: folder, records: records).data
    do {
      try prepare()
      try FileSystem.live.write(data, to: file(of: folder), permissions: 0o600)
      try forget()
    } catch {
      // A home that cannot be written to only means that files are looked at again.
    }
  }

  private func file(of folder: String) -> URL {
    // FNV-1a, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo: the folder is in the file too.
    let hash = folder.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return home.appending(path: "\(String(hash, radix: 16)).packages")
  }

  /// Removes the files that were written first, beyond those that may be.
  private func forget() throws {
    let files = try FolderListing(of: home).items.filter { $0.name.hasSuffix(".packages") }
    let old = files.sorted { $0.stamp.modified > $1.stamp.modified }.dropFirst(Self.mostFolders)
    for file in old { try FileSystem.live.erase(home.appending(path: file.name)) }
  }
}
