internal import CCairo
internal import Foundation

/// Writes PNG files, through cairo, which uses libpng.
enum PNGEncoder {
  static func encode(_ image: PixelImage) throws(RenderingError) -> Data {
    let sink = PNGSink()
    let status = unsafe image.pixels.withUnsafeBytes { bytes in
      // Cairo only reads from a surface that it writes as a file.
      let start = unsafe UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      let surface = unsafe cairo_image_surface_create_for_data(
        start, CAIRO_FORMAT_ARGB32, Int32(image.width), Int32(image.height),
        Int32(image.width * 4))
      defer { unsafe cairo_surface_destroy(surface) }
      return unsafe sink.write(surface)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      throw .notEncoded(reason: unsafe String(cString: cairo_status_to_string(status)))
    }
    return sink.data
  }
}

/// Collects what cairo writes.
final class PNGSink {
  private(set) var data = Data()

  /// Writes the pixels of a surface as a PNG file.
  func write(_ surface: OpaquePointer?) -> cairo_status_t {
    unsafe cairo_surface_write_to_png_stream(
      surface,
      { sink, bytes, count in
        guard let sink = unsafe sink, let bytes = unsafe bytes else {
          return CAIRO_STATUS_WRITE_ERROR
        }
        let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
        unsafe Unmanaged<PNGSink>.fromOpaque(sink).takeUnretainedValue().data.append(buffer)
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
