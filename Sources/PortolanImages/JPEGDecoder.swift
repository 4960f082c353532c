internal import CTurboJPEG
internal import Foundation

/// JPEG files, through TurboJPEG.
enum JPEGDecoder {
  static func decode(_ data: Data) throws(ImageDecodingError) -> PixelImage {
    guard let handle = unsafe tjInitDecompress() else { throw .damaged }
    defer { unsafe tjDestroy(handle) }
    let bytes = Array(data)
    var (width, height, subsampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let header = unsafe tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colors)
    guard header == 0 else { throw .damaged }
    guard colors != TJCS_CMYK.rawValue, colors != TJCS_YCCK.rawValue else {
      throw .unsupported("JPEG in print colours")
    }
    let (columns, rows) = (Int(width), Int(height))
    guard ImageDecoder.allows(width: columns, height: rows) else {
      throw .tooLarge(width: columns, height: rows)
    }
    var pixels = [UInt32](repeating: 0, count: columns * rows)
    let decoded = unsafe pixels.withUnsafeMutableBytes { buffer in
      unsafe tjDecompress2(
        handle, bytes, UInt(bytes.count), buffer.bindMemory(to: UInt8.self).baseAddress, width,
        width * 4, height, Int32(TJPF_BGRA.rawValue), 0)
    }
    // Files cut short are shown as far as they go, which the library calls a warning.
    guard unsafe decoded == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue),
      let image = PixelImage(width: columns, height: rows, pixels: pixels)
    else { throw .damaged }
    return image
  }
}
