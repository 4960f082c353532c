/// A page of the b-tree that holds a table.
///
/// - SeeAlso: [B-tree Pages](https://www.sqlite.org/fileformat2.html#b_tree_pages)
struct TablePage {
  /// A row: its id, and its record, of which a part may lie on other pages.
  struct Row {
    let rowID: Int64
    /// The length of the whole record.
    let length: Int
    /// What lies on this page.
    let local: PageBytes
    /// The page with the rest; 0 if there is none.
    let overflow: Int
  }

  /// Whether the page holds rows; else it holds the numbers of pages below.
  let isLeaf: Bool
  /// How many cells it has; above the leaves there is one page more than there are cells.
  let cellCount: Int

  private let bytes: PageBytes
  private let headerOffset: Int
  private let firstPointer: Int

  /// Reads the page's own header, which on the first page stands behind that of the file.
  init(_ bytes: PageBytes) throws(PageError) {
    self.bytes = bytes
    headerOffset = bytes.page == 1 ? DatabaseHeader.length : 0
    switch try bytes.uint8(at: headerOffset) {
    case 0x0D: isLeaf = true
    case 0x05: isLeaf = false
    default: throw .damaged(page: bytes.page)
    }
    firstPointer = headerOffset + (isLeaf ? 8 : 12)
    cellCount = try bytes.uint16(at: headerOffset + 3)
    guard firstPointer + 2 * cellCount <= bytes.count else { throw .damaged(page: bytes.page) }
  }

  /// A row of a leaf, counted from 0.
  func row(_ number: Int) throws(PageError) -> Row {
    let start = try cell(number)
    let (length, rowIDStart) = try bytes.varint(at: start)
    let (rowID, content) = try bytes.varint(at: rowIDStart)
    guard length >= 0, length <= Int32.max else { throw .damaged(page: bytes.page) }
    let local = localLength(ofRecord: Int(length))
    return Row(
      rowID: rowID, length: Int(length), local: try bytes.part(content, local),
      overflow: local < Int(length) ? try bytes.uint32(at: content + local) : 0)
  }

  /// The page below with the rows up to a cell's key; that after the last cell is the rightmost.
  func child(_ number: Int) throws(PageError) -> Int {
    guard number < cellCount else { return try bytes.uint32(at: headerOffset + 8) }
    return try bytes.uint32(at: cell(number))
  }

  /// The number of the first cell whose key is not less than a row's id; `cellCount` if none is.
  func cellNumber(for rowID: Int64) throws(PageError) -> Int {
    var (low, high) = (0, cellCount)
    while low < high {
      let middle = (low + high) / 2
      if try key(middle) < rowID { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func key(_ number: Int) throws(PageError) -> Int64 {
    let start = try cell(number)
    guard isLeaf else { return try bytes.varint(at: start + 4).value }
    return try bytes.varint(at: bytes.varint(at: start).end).value
  }

  private func cell(_ number: Int) throws(PageError) -> Int {
    try bytes.uint16(at: firstPointer + 2 * number)
  }

  /// How much of a record lies on a leaf itself.
  ///
  /// - SeeAlso: [Cell Payload Overflow](https://www.sqlite.org/fileformat2.html#ovflpgs)
  private func localLength(ofRecord length: Int) -> Int {
    let most = bytes.count - 35
    guard length > most else { return length }
    let least = (bytes.count - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (bytes.count - 4)
    return fitting <= most ? fitting : least
  }
}
