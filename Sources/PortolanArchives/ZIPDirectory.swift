internal import Foundation

/// The directory of an archive, read and checked.
///
/// - SeeAlso: [APPNOTE.TXT, 4.3.12](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT)
struct ZIPDirectory {
  /// The limits beyond which an archive is refused.
  struct Limits {
    var entryCount = 2_000_000
    var directorySize = 512 << 20
  }

  /// The entries, in the order of the directory.
  private(set) var entries: [ZIPEntry] = []
  /// The raw directory; ``ZIPEntry/nameRange`` counts in it.
  let bytes: Data
  /// The offset of the directory, where the content of entries ends.
  let start: Int

  /// How many bytes precede the archive, which its own offsets do not count.
  let shift: Int
  /// Whether the format leaves readers no choice in this archive, so that all of them see these entries.
  private(set) var isPlain: Bool
  private let file: String

  private static let signature: UInt32 = 0x0201_4B50
  /// The size of the header before each entry's content, without its name.
  static let localHeaderSize = 30

  init(of source: any ByteSource, limits: Limits = Limits()) throws(ArchiveError) {
    let end = try ZIPEndRecord(of: source)
    guard end.directory.count <= limits.directorySize else {
      throw .tooLarge(file: source.name, entry: "its directory", limit: limits.directorySize)
    }
    file = source.name
    shift = end.shift
    isPlain = end.isPlain
    start = end.directory.lowerBound
    bytes = try source.read(end.directory)
    try readEntries(limit: limits.entryCount)
    // Some writers keep the lower bits of larger numbers where there are 16 bits.
    let mask = end.isWide ? Int.max : 0xFFFF
    guard entries.count & mask == end.entryCount & mask else {
      throw .damaged(
        file: file, entry: nil,
        reason: "the number of its entries is \(entries.count), not \(end.entryCount) as announced")
    }
    try checkOverlaps()
  }

  /// The name of an entry as written in the directory.
  func rawName(of entry: ZIPEntry) -> Data {
    let start = bytes.startIndex
    return bytes[start + entry.nameRange.lowerBound..<start + entry.nameRange.upperBound]
  }

  private mutating func readEntries(limit: Int) throws(ArchiveError) {
    let found = try unsafe bytes.lend { [shift, start, file] directory throws(ArchiveError) in
      var entries: [ZIPEntry] = []
      var isPlain = true
      var position = 0
      while position < directory.count {
        guard entries.count < limit else {
          throw .tooLarge(file: file, entry: "its directory", limit: limit)
        }
        guard
          let record = unsafe ZIPDirectoryRecord(directory, at: position),
          record.signature == Self.signature
        else { throw .truncated(file: file, offset: start + position) }
        let entry = try unsafe record.entry(
          from: directory, number: entries.count, shift: shift, directoryStart: start, file: file)
        entries.append(entry)
        unsafe isPlain = isPlain && record.isPlain(in: directory)
        position = record.end
      }
      return (entries: entries, isPlain: isPlain)
    }
    entries = found.entries
    isPlain = isPlain && found.isPlain
  }

  /// Refuses archives in which entries share bytes: a few KB could unpack to anything.
  ///
  /// - SeeAlso: [A better zip bomb](https://www.bamsoftware.com/hacks/zipbomb/)
  private func checkOverlaps() throws(ArchiveError) {
    let isInOrder = zip(entries, entries.dropFirst()).allSatisfy {
      $0.headerOffset < $1.headerOffset
    }
    let ordered = isInOrder ? entries : entries.sorted { $0.headerOffset < $1.headerOffset }
    var end = 0
    for entry in ordered {
      guard entry.headerOffset >= end else {
        throw .damaged(
          file: file, entry: entry.name, reason: "its bytes belong to another entry too")
      }
      end =
        entry.headerOffset + Self.localHeaderSize + entry.nameRange.count + entry.compressedSize
    }
  }
}
