public import Foundation
internal import PortolanFiles

extension ZIPArchive {
  /// Unpacks one entry to a file, which appears only when it is whole, checked and on the disk.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``, of kind ``ZIPEntry/Kind/file``.
  ///   - url: The file to make or to replace; its folder must exist.
  ///   - limit: How many bytes the entry may have.
  /// - Throws: ``ArchiveError``; nothing is left behind then.
  public func unpack(_ entry: ZIPEntry, to url: URL, limit: Int) throws(ArchiveError) {
    guard entry.size <= limit else {
      throw .tooLarge(file: source.name, entry: entry.name, limit: limit)
    }
    var file = try ArchiveError.wrapping { () throws(FileError) in try StagedFile(replacing: url) }
    try unsafe read(entry) { bytes throws(ArchiveError) in
      do throws(FileError) { try unsafe file.write(bytes) } catch { throw ArchiveError(error) }
    }
    do { try file.commit() } catch { throw ArchiveError(error) }
  }

  /// Unpacks all files into a folder, below which their paths lie.
  ///
  /// - Parameters:
  ///   - folder: Made if it does not exist. What it holds is replaced where names are the same.
  ///   - limit: How many bytes all entries together may have.
  /// - Throws: ``ArchiveError`` before anything is written if an entry cannot be unpacked safely;
  ///   later if one is damaged, and then what was unpacked before it is there.
  public func unpackAll(to folder: URL, limit: Int) throws(ArchiveError) {
    var total = 0
    for entry in entries {
      guard entry.kind == .folder || entry.path != nil else {
        throw .unsafeName(file: source.name, entry: entry.name)
      }
      let (sum, overflows) = total.addingReportingOverflow(entry.size)
      guard !overflows, sum <= limit else {
        throw .tooLarge(file: source.name, entry: entry.name, limit: limit)
      }
      total = sum
      if entry.kind != .folder { _ = try contentRange(of: entry) }
    }
    for entry in entries where entry.kind == .file {
      guard let path = entry.path else { continue }
      let url = folder.appending(path: path, directoryHint: .notDirectory)
      try ArchiveError.wrapping { () throws(FileError) in
        try FileSystem.live.createFolder(url.deletingLastPathComponent())
      }
      try unpack(entry, to: url, limit: entry.size)
    }
  }
}
