/// The samples of a PNG file of the kinds that maps are made of: a byte each, in rows from the top.
struct PNGRaster: Sendable {
  let width: Int
  let height: Int
  let colorKind: PNGHeader.ColorKind
  /// The colours that samples name, if they do.
  let palette: PNGPalette?
  /// The rows, each behind a byte that means nothing.
  let rows: [UInt8]

  /// The bytes from row to row.
  var stride: Int { 1 + width * colorKind.samples }

  /// Unpacks a file; `nil` for kinds that are left to libpng: interlaced ones, those of 16 bits,
  /// greys of few bits and colours that stand for clear.
  ///
  /// - Throws: ``ImageDecodingError/damaged``.
  init?(_ chunks: PNGChunks, in bytes: UnsafeRawBufferPointer) throws(ImageDecodingError) {
    let header = chunks.header
    guard let kind = header.colorKind, !header.isInterlaced else { return nil }
    let isPalette = kind == .palette
    guard header.bitDepth == 8 || isPalette && [1, 2, 4].contains(header.bitDepth),
      isPalette || chunks.transparency == nil
    else { return nil }
    width = header.width
    height = header.height
    colorKind = kind
    palette = isPalette ? try unsafe Self.palette(chunks, in: bytes) : nil
    let size = (width * kind.samples * header.bitDepth + 7) / 8
    var packed = try unsafe Self.inflated(chunks, in: bytes, count: height * (1 + size))
    let isSound = unsafe packed.withUnsafeMutableBytes {
      unsafe PNGFilter.undo(in: $0, rows: header.height, size: size, distance: kind.samples)
    }
    guard isSound else { throw .damaged }
    rows =
      header.bitDepth == 8
      ? packed : Self.unpacked(packed, width: width, height: height, depth: header.bitDepth)
  }

  private static func palette(
    _ chunks: PNGChunks, in bytes: UnsafeRawBufferPointer
  ) throws(ImageDecodingError) -> PNGPalette {
    guard let colors = chunks.palette, colors.count.isMultiple(of: 3),
      (1...256).contains(colors.count / 3), (chunks.transparency?.count ?? 0) <= colors.count / 3
    else { throw .damaged }
    return PNGPalette(
      colors: unsafe Array(bytes[colors]),
      alphas: chunks.transparency.map { unsafe Array(bytes[$0]) } ?? [])
  }

  /// The greatest number of bytes that one compressed byte can stand for.
  private static let greatestRatio = 1032

  private static func inflated(
    _ chunks: PNGChunks, in bytes: UnsafeRawBufferPointer, count: Int
  ) throws(ImageDecodingError) -> [UInt8] {
    let compressed = chunks.data.reduce(0) { $0 + $1.count }
    // Without this, a few bytes could ask for the memory of millions of pixels.
    guard compressed > 0, compressed >= count / greatestRatio else { throw .damaged }
    guard let inflater = Inflater() else { throw .damaged }
    var isWhole = false
    let rows = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      if chunks.data.count == 1 {
        let stream = unsafe UnsafeRawBufferPointer(rebasing: bytes[chunks.data[0]])
        unsafe isWhole = inflater.inflate(stream, into: target)
      } else {
        var stream: [UInt8] = []
        stream.reserveCapacity(compressed)
        for part in chunks.data { unsafe stream.append(contentsOf: bytes[part]) }
        unsafe stream.withUnsafeBytes { unsafe isWhole = inflater.inflate($0, into: target) }
      }
      initialized = isWhole ? count : 0
    }
    guard isWhole else { throw .damaged }
    return rows
  }

  /// Samples of 1, 2 or 4 bits as bytes.
  private static func unpacked(
    _ packed: [UInt8], width: Int, height: Int, depth: Int
  ) -> [UInt8] {
    let size = (width * depth + 7) / 8
    let perByte = 8 / depth
    let mask = UInt8((1 << depth) - 1)
    var rows = [UInt8](repeating: 0, count: height * (1 + width))
    for row in 0..<height {
      let source = row * (1 + size) + 1
      let target = row * (1 + width) + 1
      for column in 0..<width {
        let shift = 8 - depth * (column % perByte + 1)
        rows[target + column] = packed[source + column / perByte] >> UInt8(shift) & mask
      }
    }
    return rows
  }
}
