internal import CCairo
internal import Foundation

/// PNG files: the usual kinds here, through libdeflate, the others through cairo, which uses libpng.
enum PNGPicture {
  static func decode(_ data: Data) throws(PictureFault) -> PixelImage {
    guard let raster = try raster(data) else { return try decodeWithCairo(data) }
    guard let image = raster.image else { throw .damaged }
    return image
  }

  /// The samples of a file of the usual kinds; `nil` for others.
  static func raster(_ data: Data) throws(PictureFault) -> PNGRaster? {
    do {
      return try unsafe data.withUnsafeBytes { bytes in
        try unsafe PNGRaster(PNGChunks(of: bytes), in: bytes)
      }
    } catch let fault as PictureFault {
      throw fault
    } catch {
      throw .damaged
    }
  }

  /// Decodes a file of any kind.
  static func decodeWithCairo(_ data: Data) throws(PictureFault) -> PixelImage {
    let reader = PNGReader(data)
    let surface = unsafe cairo_image_surface_create_from_png_stream(
      { reader, bytes, count in
        guard let reader = unsafe reader, let bytes = unsafe bytes else {
          return CAIRO_STATUS_READ_ERROR
        }
        let source = unsafe Unmanaged<PNGReader>.fromOpaque(reader).takeUnretainedValue()
        let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        return unsafe source.read(into: target) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR
      }, Unmanaged.passUnretained(reader).toOpaque())
    defer { unsafe cairo_surface_destroy(surface) }
    guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let image = unsafe PixelImage(copying: surface)
    else { throw .damaged }
    return image
  }
}

/// Hands bytes to cairo as it asks for them.
private final class PNGReader {
  private let data: Data
  private var position: Data.Index

  init(_ data: Data) {
    self.data = data
    position = data.startIndex
  }

  /// Fills the buffer; false at the end of the data.
  func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
    guard data.endIndex - position >= target.count else { return false }
    unsafe target.copyBytes(from: data[position..<(position + target.count)])
    position += target.count
    return true
  }
}

extension PixelImage {
  /// Copies the pixels of an image surface; opaque ones get full alpha.
  init?(copying surface: OpaquePointer?) {
    guard let surface = unsafe surface else { return nil }
    unsafe cairo_surface_flush(surface)
    let width = unsafe Int(cairo_image_surface_get_width(surface))
    let height = unsafe Int(cairo_image_surface_get_height(surface))
    let stride = unsafe Int(cairo_image_surface_get_stride(surface))
    let format = unsafe cairo_image_surface_get_format(surface)
    guard format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24,
      let bytes = unsafe cairo_image_surface_get_data(surface), width > 0, height > 0
    else { return nil }
    let opaque: UInt32 = format == CAIRO_FORMAT_RGB24 ? 0xFF00_0000 : 0
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      for row in 0..<height {
        let source = unsafe UnsafeRawPointer(bytes + row * stride)
          .assumingMemoryBound(to: UInt32.self)
        for column in 0..<width {
          unsafe buffer[row * width + column] = source[column] | opaque
        }
      }
      count = width * height
    }
    self.init(width: width, height: height, pixels: pixels)
  }
}
