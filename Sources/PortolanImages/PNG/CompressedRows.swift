internal import PortolanArchives

/// Some rows of a picture as a chunk of a PNG file.
package struct CompressedRows: Sendable {
  /// The chunk with its length, type and checksum.
  let chunk: [UInt8]
  /// The checksum of the bytes that were compressed.
  let checksum: Adler32

  /// The rows that are compressed as one: as many as make a chunk worth its while.
  ///
  /// They depend on the picture only, so that the file is the same however the rows are divided
  /// among tasks.
  package static func rowCount(width: Int) -> Int { max(1, (1 << 16) / width) }

  /// Compresses rows, fast rather than small; `nil` if that fails.
  init?(_ rows: [UInt8], with deflater: borrowing FastDeflater) {
    guard let compressed = deflater.part(rows) else { return nil }
    chunk = PNGFileWriter.chunk(PNGChunks.Name.data, compressed)
    checksum = Adler32(of: rows)
  }
}

/// Compresses the rows of a picture, some at a time.
package struct RowCompressor: ~Copyable {
  private let writer: PNGSampleWriter
  private let width: Int
  private let deflater = FastDeflater()

  package init(width: Int, hasAlpha: Bool) {
    writer = PNGSampleWriter(width: width, hasAlpha: hasAlpha)
    self.width = width
  }

  /// Compresses rows whose pixels follow each other; `nil` if that fails.
  package borrowing func compress(_ pixels: UnsafeBufferPointer<UInt32>) -> [CompressedRows]? {
    let count = CompressedRows.rowCount(width: width) * width
    var parts: [CompressedRows] = []
    for start in stride(from: 0, to: pixels.count, by: count) {
      let end = min(start + count, pixels.count)
      let rows = unsafe writer.rows(UnsafeBufferPointer(rebasing: pixels[start..<end]))
      guard let part = CompressedRows(rows, with: deflater) else { return nil }
      parts.append(part)
    }
    return parts
  }
}
