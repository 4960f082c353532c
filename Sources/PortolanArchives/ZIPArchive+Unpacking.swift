public import Foundation
internal import PortolanFiles

extension ZIPArchive {
  /// Unpacks one entry to a file, which appears only when it is whole, checked and on the disk.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``, of kind ``ZIPEntry/Kind/file``.
  ///   - url: The file to make or to replace; its folder must exist.
  ///   - limit: How many bytes the entry may have.
  /// - Throws: ``ArchiveError/tooLarge(file:entry:limit:)`` and
  ///   ``ArchiveError/noSpace(file:entry:needed:available:)`` before anything is written, and any other
  ///   ``ArchiveError``; nothing is left behind then.
  public func unpack(_ entry: ZIPEntry, to url: URL, limit: Int) throws(ArchiveError) {
    try checkSize(of: entry, limit: limit)
    try checkSpace(for: entry, at: url.deletingLastPathComponent())
    var file = try ArchiveError.wrapping { () throws(FileError) in try StagedFile(replacing: url) }
    try unsafe read(entry) { bytes throws(ArchiveError) in
      do throws(FileError) { try unsafe file.write(bytes) } catch { throw ArchiveError(error) }
    }
    do { try file.commit() } catch { throw ArchiveError(error) }
  }

  /// Refuses an entry that is larger than the limit, or a ZIP bomb.
  ///
  /// - Throws: ``ArchiveError/tooLarge(file:entry:limit:)``.
  public func checkSize(of entry: ZIPEntry, limit: Int) throws(ArchiveError) {
    let (expanded, overflows) = entry.compressedSize.multipliedReportingOverflow(
      by: Self.largestRatio)
    let plausible = overflows ? Int.max : max(expanded, Self.harmless)
    guard entry.size <= min(limit, plausible) else {
      throw .tooLarge(file: source.name, entry: entry.name, limit: min(limit, plausible))
    }
  }

  /// How many bytes one compressed byte may stand for where an entry is large: databases of much empty
  /// space come to fifty, bombs to a thousand.
  private static let largestRatio = 100
  /// Up to this size, in bytes, the ratio is not checked.
  private static let harmless = 256 << 20
  /// The space that stays free on the disk beside a large entry, in bytes.
  private static let reserve = 16 << 20

  private func checkSpace(for entry: ZIPEntry, at folder: URL) throws(ArchiveError) {
    // A disk that does not say is tried.
    guard let free = FreeSpace.byteCount(at: folder) else { return }
    guard entry.size <= free - min(Self.reserve, entry.size) else {
      throw .noSpace(file: source.name, entry: entry.name, needed: entry.size, available: free)
    }
  }
}
