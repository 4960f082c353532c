internal import CPNG
internal import Foundation

/// PNG files: the common kinds here, through libdeflate, the others through libpng.
enum PNGDecoder {
  static func decode(_ data: Data) throws(ImageDecodingError) -> PixelImage {
    guard let raster = try raster(data) else { return try decodeWithLibpng(data) }
    guard let image = raster.image else { throw .damaged }
    return image
  }

  /// The samples of a file of the common kinds; `nil` for others.
  static func raster(_ data: Data) throws(ImageDecodingError) -> PNGRaster? {
    do {
      return try unsafe data.withUnsafeBytes { bytes in
        try unsafe PNGRaster(PNGChunks(of: bytes), in: bytes)
      }
    } catch let fault as ImageDecodingError {
      throw fault
    } catch {
      throw .damaged
    }
  }

  /// Decodes a file of any kind.
  static func decodeWithLibpng(_ data: Data) throws(ImageDecodingError) -> PixelImage {
    let (width, height) = try sides(data)
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
      let isRead = unsafe data.withUnsafeBytes { bytes in
        unsafe portolan_png_read(
          bytes.baseAddress, bytes.count, UInt32(width), UInt32(height), target.baseAddress)
      }
      count = isRead ? width * height : 0
    }
    let image = PixelImage(width: width, height: height, pixels: pixels.map(\.premultiplied))
    guard let image else { throw .damaged }
    return image
  }

  private static func sides(_ data: Data) throws(ImageDecodingError) -> (width: Int, height: Int) {
    do {
      let header = try unsafe data.withUnsafeBytes { try unsafe PNGHeader(of: $0) }
      return (header.width, header.height)
    } catch let fault as ImageDecodingError {
      throw fault
    } catch {
      throw .damaged
    }
  }
}
