internal import CWebP
internal import Foundation

/// WebP files, through libwebp.
enum WebPDecoder {
  static func decode(_ data: Data) throws(ImageDecodingError) -> PixelImage {
    let bytes = Array(data)
    var (width, height) = (Int32(0), Int32(0))
    guard unsafe WebPGetInfo(bytes, bytes.count, &width, &height) != 0 else { throw .damaged }
    let (columns, rows) = (Int(width), Int(height))
    guard ImageDecoder.allows(width: columns, height: rows) else {
      throw .tooLarge(width: columns, height: rows)
    }
    var pixels = [UInt32](repeating: 0, count: columns * rows)
    let isDecoded = unsafe pixels.withUnsafeMutableBytes { buffer in
      unsafe WebPDecodeBGRAInto(
        bytes, bytes.count, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, width * 4)
        != nil
    }
    guard isDecoded else { throw .damaged }
    for index in pixels.indices { pixels[index] = pixels[index].premultiplied }
    guard let image = PixelImage(width: columns, height: rows, pixels: pixels) else {
      throw .damaged
    }
    return image
  }
}

extension UInt32 {
  /// A pixel whose colours are multiplied by its alpha.
  @inlinable package var premultiplied: UInt32 {
    let alpha = self >> 24
    if alpha == 255 { return self }
    func part(_ shift: UInt32) -> UInt32 {
      (((self >> shift & 255) * alpha + 127) / 255) << shift
    }
    return alpha << 24 | part(16) | part(8) | part(0)
  }
}
