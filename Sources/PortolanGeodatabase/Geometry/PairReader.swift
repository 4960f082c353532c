/// Walks along the pairs of numbers in a geometry blob.
@safe
struct PairReader {
  /// The present pair.
  private(set) var x: Int64 = 0
  private(set) var y: Int64 = 0

  private var reader: VarintReader
  private var remaining: Int

  init(_ bytes: UnsafeRawBufferPointer, _ header: GeometryBlobHeader) {
    unsafe self.init(VarintReader(bytes, in: header.stream), count: header.pairCount)
  }

  init(_ reader: VarintReader, count: Int) {
    self.reader = reader
    remaining = count
  }

  /// Whether the present pair parts two runs of vertices; no vertex has negative numbers.
  @inline(__always) var isSeparator: Bool { x == -1 && y == 0 }

  /// What reads on after the last pair.
  var rest: VarintReader { reader }

  /// Moves to the next pair; returns `false` after the last one.
  @inline(__always)
  mutating func advance() throws(GeometryBlobError) -> Bool {
    guard remaining > 0 else { return false }
    remaining -= 1
    let (newX, xOverflows) = x.addingReportingOverflow(try reader.next())
    let (newY, yOverflows) = y.addingReportingOverflow(try reader.next())
    guard !xOverflows, !yOverflows else { throw .malformedNumber(offset: reader.offset) }
    x = newX
    y = newY
    return true
  }
}
