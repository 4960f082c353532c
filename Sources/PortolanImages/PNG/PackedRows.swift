internal import PortolanArchives

/// Some rows of a picture as a part of a PNG file.
package struct PackedRows: Sendable {
  /// The part with its length, name and sum.
  let part: [UInt8]
  /// The sum of the bytes that were packed.
  let sum: StreamSum

  /// The rows that are packed as one: as many as make a part worth its while.
  ///
  /// They depend on the picture only, so that the file is the same however the rows are divided
  /// among tasks.
  package static func rowCount(width: Int) -> Int { max(1, (1 << 16) / width) }

  /// Packs rows, fast rather than small; `nil` if that fails.
  init?(_ rows: [UInt8], with deflater: borrowing FastDeflater) {
    guard let packed = deflater.part(rows) else { return nil }
    part = PNGFileWriter.part(PNGChunks.Name.data, packed)
    sum = StreamSum(of: rows)
  }
}

/// Compresses the rows of a picture, some at a time.
package struct RowPacker: ~Copyable {
  private let writer: PNGSampleWriter
  private let width: Int
  private let deflater = FastDeflater()

  package init(width: Int, hasAlpha: Bool) {
    writer = PNGSampleWriter(width: width, hasAlpha: hasAlpha)
    self.width = width
  }

  /// Packs rows whose pixels follow each other; `nil` if that fails.
  package borrowing func pack(_ pixels: UnsafeBufferPointer<UInt32>) -> [PackedRows]? {
    let count = PackedRows.rowCount(width: width) * width
    var parts: [PackedRows] = []
    for start in stride(from: 0, to: pixels.count, by: count) {
      let end = min(start + count, pixels.count)
      let rows = unsafe writer.rows(UnsafeBufferPointer(rebasing: pixels[start..<end]))
      guard let part = PackedRows(rows, with: deflater) else { return nil }
      parts.append(part)
    }
    return parts
  }
}
