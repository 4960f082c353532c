/// The rows of one table, by id or in the order of their ids.
///
/// Looks at no more pages than the file has, so that pages which lead in a circle end in an error.
struct PageTree {
  private let file: PageFile
  private let root: Int

  /// Deeper than a file of 2^32 pages can be.
  private static let mostLevels = 20

  /// The longest row that is put together; SQLite reads what is longer.
  private static let longestRow = 16 << 20

  init(_ file: PageFile, root: Int) {
    self.file = file
    self.root = root
  }

  /// Hands out the rows in the order of their ids until `body` returns false.
  func forEachRow(
    _ body: (Int64, PageRecord) throws(PageError) -> Bool
  ) throws(PageError) {
    var left = file.header.pageCount
    _ = try visit(root, level: 0, &left, body)
  }

  /// The row with an id, or `nil` if there is none.
  func record(ofRow rowID: Int64) throws(PageError) -> PageRecord? {
    var number = root
    for _ in 0..<Self.mostLevels {
      let page = try TablePage(file.page(number))
      let cell = try page.cellNumber(for: rowID)
      guard page.isLeaf else {
        number = try page.child(cell)
        continue
      }
      guard cell < page.cellCount else { return nil }
      let row = try page.row(cell)
      return row.rowID == rowID ? try PageRecord(row, in: self) : nil
    }
    throw .damaged(page: number)
  }

  private func visit(
    _ number: Int, level: Int, _ left: inout Int,
    _ body: (Int64, PageRecord) throws(PageError) -> Bool
  ) throws(PageError) -> Bool {
    left -= 1
    guard left >= 0, level < Self.mostLevels else { throw .damaged(page: number) }
    let page = try TablePage(file.page(number))
    guard page.isLeaf else {
      for cell in 0...page.cellCount {
        guard try visit(page.child(cell), level: level + 1, &left, body) else { return false }
      }
      return true
    }
    for cell in 0..<page.cellCount {
      let row = try page.row(cell)
      guard try body(row.rowID, PageRecord(row, in: self)) else { return false }
    }
    return true
  }

  /// All bytes of a row, put together where parts of it lie on other pages.
  func whole(_ row: TablePage.Row) throws(PageError) -> PageBytes {
    guard row.local.count < row.length else { return row.local }
    guard row.length <= Self.longestRow else { throw .unusual }
    // Not reserved at once: the length is the file's word.
    var bytes = Array(row.local.slice)
    var next = row.overflow
    while bytes.count < row.length {
      let content = try file.continuationPage(next)
      let length = min(row.length - bytes.count, content.count - 4)
      bytes += try content.part(4, length).slice
      next = try content.uint32(at: 0)
    }
    return PageBytes(bytes[...], page: row.local.page)
  }
}
