/// The first 100 bytes of a SQLite file.
///
/// - SeeAlso: [The Database Header](https://www.sqlite.org/fileformat2.html#the_database_header)
struct DatabaseHeader: Hashable, Sendable {
  /// The size of a page in bytes: a power of two from 512 to 65,536.
  let pageSize: Int
  /// The bytes of a page that hold content; others may lie at its end.
  let usableSize: Int
  /// How many pages the file has.
  let pageCount: Int
  /// The four bytes that name the file format, 0 when unset.
  let applicationID: UInt32

  /// The length of the header in bytes.
  static let length = 100

  /// The bytes that every SQLite file begins with.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: The beginning of the file.
  ///   - fileSize: The size of the file in bytes.
  /// - Throws: ``PageError``: `unreadable` if it is no SQLite file, `damaged` if it is cut short,
  ///   `unusual` if it is not in UTF-8 or of a version that is not known.
  init(_ bytes: PageBytes, fileSize: Int) throws(PageError) {
    guard bytes.count >= Self.length, bytes.starts(with: Self.magic) else { throw .unreadable }
    let stored = try bytes.uint16(at: 16)
    let pageSize = stored == 1 ? 65_536 : stored
    let usableSize = pageSize - (try bytes.uint8(at: 20))
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else {
      throw .damaged(page: 1)
    }
    // Version 2 reads as 1 does where nothing is left in a log; the three after it are constants.
    guard (1...2).contains(try bytes.uint8(at: 19)), try bytes.uint8(at: 21) == 64,
      try bytes.uint8(at: 22) == 32, try bytes.uint8(at: 23) == 32,
      (1...4).contains(try bytes.uint32(at: 44)), try bytes.uint32(at: 56) == 1
    else { throw .unusual }
    self.pageSize = pageSize
    self.usableSize = usableSize
    pageCount = try Self.pageCount(bytes, inFile: (fileSize + pageSize - 1) / pageSize)
    applicationID = UInt32(truncatingIfNeeded: try bytes.uint32(at: 68))
  }

  /// The count in the header, which only counts if the last writer knew of it.
  private static func pageCount(
    _ bytes: PageBytes, inFile actual: Int
  ) throws(PageError) -> Int {
    let declared = try bytes.uint32(at: 28)
    guard declared > 0, try bytes.uint32(at: 24) == bytes.uint32(at: 92) else { return actual }
    guard declared <= actual else { throw .damaged(page: 1) }
    return declared
  }
}
