package import Foundation
internal import PortolanArchives

/// Writes PNG files: small ones for tiles and swatches, fast ones for pictures of maps.
package enum PNGEncoder {
  /// The compression level of libdeflate; higher ones gain hardly anything.
  private static let level = 6

  /// A file of a small picture, as small as can be had in little time: with a palette if there are
  /// no more colours than one has, without opacity if there is none.
  ///
  /// Bits of colours that are 0 in `mask` need not be kept if that gives few enough for a palette.
  package static func encode(
    _ image: PixelImage, mask: UInt32 = .max
  ) throws(RenderingError) -> Data {
    if let indexed = IndexedPixels(image, mask: mask) { return try encode(indexed) }
    let hasAlpha = !image.isOpaque
    let samples = PNGSampleWriter(width: image.width, hasAlpha: hasAlpha)
    let rows = unsafe image.pixels.withUnsafeBufferPointer { unsafe samples.rows($0) }
    var file = PNGFileWriter(
      width: image.width, height: image.height, hasAlpha ? .rgbWithAlpha : .rgb)
    file.append(PNGChunks.Name.data, try deflated(rows, level: level))
    file.finish()
    return file.data
  }

  private static func encode(_ indexed: IndexedPixels) throws(RenderingError) -> Data {
    try encode(
      rows: indexed.rows, palette: indexed.palette, width: indexed.width, height: indexed.height,
      level: level)
  }

  /// A file of numbers of colours, in rows behind the numbers of their filters.
  static func encode(
    rows: [UInt8], palette: PNGPalette, width: Int, height: Int, level: Int
  ) throws(RenderingError) -> Data {
    var file = PNGFileWriter(width: width, height: height, .palette)
    file.append(PNGChunks.Name.palette, palette.colors)
    if !palette.alphas.isEmpty { file.append(PNGChunks.Name.transparency, palette.alphas) }
    file.append(PNGChunks.Name.data, try deflated(rows, level: level))
    file.finish()
    return file.data
  }

  private static func deflated(_ rows: [UInt8], level: Int) throws(RenderingError) -> [UInt8] {
    guard let bytes = Deflater(level: level)?.deflate(rows), !bytes.isEmpty else {
      throw .outOfMemory
    }
    return bytes
  }

  /// A file of a picture, made in little time.
  static func encodeFast(_ image: PixelImage) throws(RenderingError) -> Data {
    let hasAlpha = !image.isOpaque
    let compressor = RowCompressor(width: image.width, hasAlpha: hasAlpha)
    let rows = unsafe image.pixels.withUnsafeBufferPointer { unsafe compressor.compress($0) }
    guard let rows else { throw .outOfMemory }
    return file(rows, width: image.width, height: image.height, hasAlpha: hasAlpha)
  }

  /// A file of rows that were compressed already, from the top.
  package static func file(
    _ rows: [CompressedRows], width: Int, height: Int, hasAlpha: Bool
  ) -> Data {
    var file = PNGFileWriter(width: width, height: height, hasAlpha ? .rgbWithAlpha : .rgb)
    file.append(PNGChunks.Name.data, FastDeflater.opening)
    var checksum = Adler32()
    for row in rows {
      file.append(row.chunk)
      checksum.append(row.checksum)
    }
    file.append(
      PNGChunks.Name.data, FastDeflater.ending + PNGFileWriter.bytes(of: checksum.value))
    file.finish()
    return file.data
  }
}

extension PixelImage {
  /// Whether no pixel is clear, not even a little.
  package var isOpaque: Bool { pixels.allSatisfy { $0 >= 0xFF00_0000 } }
}
