/// The offsets of the parts of an index file.
///
/// A header of ``headerSize`` bytes, then the sections, each at a multiple of eight. All numbers have
/// their least significant byte first; Docs/SEARCH.md describes the sections.
struct IndexLayout: Hashable, Sendable {
  /// A part of the file.
  enum Section: Int, CaseIterable, Sendable {
    /// What the index was made of, as JSON.
    case origin
    case termOffsets, termBytes
    case postingOffsets, postings
    /// The terms with long lists, where the places of each begin, and the places: the document
    /// before a block of documents, and how far into the list the block is.
    case skipTerms, skipStarts, skips
    /// The first document of each term, and the least of each block of terms.
    case firstDocuments, blockMinima
    case pieceOffsets, pieceBytes, pieceTerms
    case documentOffsets, documents
    /// The first document with so many words.
    case wordCounts
  }

  static let magic: UInt64 = 0x3158_4449_5452_4F50  // "PORTIDX1"
  /// Changes with the file format, and with how texts are cut and folded.
  static let version: UInt32 = 10
  static let headerSize = 32 + 16 * Section.allCases.count
  /// How many terms share a minimum.
  static let blockSize = 64
  /// How many documents of a list are read to find one of them.
  static let postingBlock = 64
  /// How many documents a list has whose blocks have places.
  static let longList = 2 * postingBlock

  /// The sections, in the order of ``Section``.
  private(set) var sections = Array(repeating: 0..<0, count: Section.allCases.count)

  subscript(_ section: Section) -> Range<Int> {
    get { sections[section.rawValue] }
    set { sections[section.rawValue] = newValue }
  }

  /// The version of what an index begins with; `nil` if the bytes are none.
  static func version(of bytes: IndexBytes) -> UInt32? {
    guard bytes.count >= headerSize, bytes.long(at: 0) == magic else { return nil }
    return bytes.word(at: 8)
  }

  /// Creates a layout without contents.
  init() {}

  /// Reads the layout of an index, whose checksum is checked.
  ///
  /// - Returns: `nil` if the bytes are no whole index of this version.
  init?(of bytes: IndexBytes) {
    guard bytes.count >= Self.headerSize, bytes.long(at: 0) == Self.magic,
      bytes.word(at: 8) == Self.version, bytes.long(at: 16) == UInt64(bytes.count),
      bytes.long(at: 24) == bytes.checksum(from: 32)
    else { return nil }
    for section in Section.allCases {
      let place = 32 + 16 * section.rawValue
      let (start, length) = (bytes.long(at: place), bytes.long(at: place + 8))
      guard start <= UInt64(bytes.count), length <= UInt64(bytes.count) - start else { return nil }
      self[section] = Int(start)..<Int(start + length)
    }
  }
}
