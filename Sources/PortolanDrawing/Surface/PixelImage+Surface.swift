internal import CCairo
internal import PortolanImages

extension PixelImage {
  /// Copies the pixels of an image surface; opaque ones get full alpha.
  package init?(copying surface: OpaquePointer?) {
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
