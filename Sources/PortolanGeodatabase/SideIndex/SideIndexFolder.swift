public import Foundation
internal import PortolanArchives

/// The folder of ours in which side indexes are kept: caches that make taps fast.
///
/// An index belongs to one state of one file. Nothing of it is used once the file has been written
/// to; what is damaged, or of files that are gone, is removed or made anew. The files are mapped
/// when they are read, so nobody else may write to the folder; Portolan replaces them by renaming
/// and never cuts one.
///
/// - SeeAlso: Docs/SIDE-INDEX.md
public struct SideIndexFolder: Hashable, Sendable {
  /// Where it is, or will be when the first index is made.
  public let url: URL

  /// Names a folder, which need not be there.
  public init(_ url: URL) { self.url = url }

  private static let pathExtension = "sideindex"

  /// Removes the indexes of files that were changed or are gone, and what is no index.
  public func removeStale() {
    // A folder that is not there holds nothing.
    let urls = try? FileManager.default.contentsOfDirectory(
      at: url, includingPropertiesForKeys: nil)
    for file in urls ?? [] where file.pathExtension == Self.pathExtension {
      guard !isCurrent(file) else { continue }
      // One that cannot be removed is never used, and is tried again the next time.
      try? FileManager.default.removeItem(at: file)
    }
  }

  private func isCurrent(_ file: URL) -> Bool {
    guard let header = SideIndex(at: file)?.header else { return false }
    return header.source.isStateOfFile(at: header.path)
  }

  /// The index of a table in the state that its file is in; `nil` if there is none.
  func index(of table: String, in source: SideIndexSource) -> SideIndex? {
    guard let index = SideIndex(at: file(of: table, in: source)), index.header.table == table,
      index.header.source == source
    else { return nil }
    return index
  }

  /// Where the index of a table is.
  ///
  /// States of one file share a name, so that the newer index replaces the older one.
  func file(of table: String, in source: SideIndexSource) -> URL {
    var checksum = CRC32()
    unsafe Array(table.utf8).withUnsafeBytes { unsafe checksum.add($0) }
    let parts = source.fileNumbers.map { String($0, radix: 16) }
    let name = (parts + [String(checksum.value, radix: 16)]).joined(separator: "-")
    return url.appending(path: "\(name).\(Self.pathExtension)")
  }

  /// Makes the folder, for its owner only.
  func create() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    StagedFile.removeAbandoned(in: url)
  }
}
