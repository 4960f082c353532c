internal import PortolanFiles

public import struct Foundation.URL

/// Words and where they occur: what a map can be searched by, without the map.
///
/// The file is mapped, so that opening reads it once for its checksum and a search touches only what
/// it needs. A value may be used by any number of tasks at once.
public final class SearchIndex: Sendable {
  let bytes: IndexBytes
  let layout: IndexLayout
  /// How many different words there are.
  let termCount: Int
  /// How many labels can be found.
  public let documentCount: Int

  /// Opens an index.
  ///
  /// - Throws: ``SearchError/damagedIndex(file:)`` if the file is no whole index of this version,
  ///   ``SearchError/unreadable(file:reason:)`` if it cannot be read.
  public convenience init(at url: URL) throws(SearchError) {
    let path = url.path(percentEncoded: false)
    let mapping: FileMapping?
    do {
      mapping = try RegularFile(at: url).mapped()
    } catch {
      throw .unreadable(file: path, reason: error.reason)
    }
    guard let mapping else { throw .damagedIndex(file: path) }
    try self.init(IndexBytes(mapping), name: path)
  }

  init(_ bytes: IndexBytes, name: String) throws(SearchError) {
    guard let layout = IndexLayout(of: bytes) else { throw .damagedIndex(file: name) }
    self.bytes = bytes
    self.layout = layout
    termCount = max(0, layout[.termOffsets].count / 4 - 1)
    documentCount = max(0, layout[.documentOffsets].count / 4 - 1)
  }

  /// Whether a file is an index of another version, older or newer.
  static func isOfOtherVersion(_ url: URL) -> Bool {
    version(of: url).map { $0 != IndexLayout.version } ?? false
  }

  /// Whether a file is an index of an older version.
  static func isOfOlderVersion(_ url: URL) -> Bool {
    version(of: url).map { $0 < IndexLayout.version } ?? false
  }

  /// The version of an index; `nil` if the file cannot be read or is none.
  private static func version(of url: URL) -> UInt32? {
    // What cannot be read is of no known version.
    guard let mapping = try? RegularFile(at: url).mapped() else { return nil }
    return IndexLayout.version(of: IndexBytes(mapping))
  }

  /// What the index was made of, as its maker wrote it.
  var origin: [UInt8] { bytes.copy(layout[.origin]) }

  /// The number at a place of a section of numbers.
  @inline(__always)
  func number(_ section: IndexLayout.Section, _ index: Int) -> Int {
    Int(bytes.word(at: layout[section].lowerBound + 4 * index))
  }

  /// The bytes between two neighbouring offsets of a section, within another.
  @inline(__always)
  func slice(
    _ offsets: IndexLayout.Section, _ index: Int, of section: IndexLayout.Section
  ) -> Range<Int> {
    let range = layout[section]
    let start = min(range.lowerBound + number(offsets, index), range.upperBound)
    let end = min(range.lowerBound + number(offsets, index + 1), range.upperBound)
    return start..<max(start, end)
  }
}
