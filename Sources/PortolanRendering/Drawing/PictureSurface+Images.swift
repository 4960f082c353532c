internal import CCairo
internal import Foundation
internal import PortolanGeometry

extension PictureSurface {
  /// Draws a picture into an area.
  ///
  /// The edges of the area are hard, so that pictures side by side meet without a seam.
  func draw(_ image: PixelImage, _ placement: ImagePlacement) {
    guard !placement.area.isEmpty, let matrix = placement.transform.inverse else { return }
    unsafe withPattern(of: image) { pattern in
      var matrix = matrix
      unsafe cairo_pattern_set_matrix(pattern, &matrix)
      unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      let isExact = placement.transform.keepsPixels
      let filter = isExact || !placement.isSmooth ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD
      unsafe cairo_pattern_set_filter(pattern, filter)
      unsafe cairo_save(context)
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
      trace(placement.area)
      if placement.opacity >= 1 {
        unsafe cairo_fill(context)
      } else {
        unsafe cairo_clip(context)
        unsafe cairo_paint_with_alpha(context, placement.opacity)
      }
      unsafe cairo_restore(context)
    }
  }

  /// Fills areas with copies of a picture, which begin at the corner of the whole picture.
  func fill(_ path: PixelPath, with tile: FillStyle.PictureTile) {
    guard tile.width > 0.5, tile.height > 0.5 else { return }
    var placed = PixelTransform.identity
    let angle = -tile.angle * .pi / 180
    let across = tile.width / Double(tile.image.width)
    let down = tile.height / Double(tile.image.height)
    placed.xx = cos(angle) * across
    placed.yx = sin(angle) * across
    placed.xy = -sin(angle) * down
    placed.yy = cos(angle) * down
    placed.x0 = tile.offset.x
    placed.y0 = tile.offset.y
    guard let matrix = placed.inverse else { return }
    unsafe withPattern(of: tile.image) { pattern in
      var matrix = matrix
      unsafe cairo_pattern_set_matrix(pattern, &matrix)
      unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
      unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      unsafe cairo_save(context)
      unsafe cairo_set_source(context, pattern)
      trace(path)
      unsafe cairo_clip(context)
      unsafe cairo_paint_with_alpha(context, tile.opacity)
      unsafe cairo_restore(context)
    }
  }

  /// Draws a picture into a box around the origin of a marker.
  func draw(_ image: PixelImage, in box: Envelope, opacity: Double) {
    guard box.width > 0, box.height > 0, box.width.isFinite, box.height.isFinite else { return }
    unsafe withPattern(of: image) { pattern in
      unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      unsafe cairo_save(context)
      unsafe cairo_translate(context, box.xMin, box.yMin)
      unsafe cairo_scale(
        context, box.width / Double(image.width), box.height / Double(image.height))
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_paint_with_alpha(context, opacity)
      unsafe cairo_restore(context)
    }
  }

  /// Lends the pixels to cairo, which copies them if it still needs them afterwards.
  private func withPattern(of image: PixelImage, _ draw: (OpaquePointer) -> Void) {
    unsafe image.pixels.withUnsafeBytes { bytes in
      // Cairo only reads from a surface that is a source.
      let start = unsafe UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      let surface = unsafe cairo_image_surface_create_for_data(
        start, CAIRO_FORMAT_ARGB32, Int32(image.width), Int32(image.height),
        Int32(image.width * 4))
      defer {
        unsafe cairo_surface_finish(surface)
        unsafe cairo_surface_destroy(surface)
      }
      guard let pattern = unsafe cairo_pattern_create_for_surface(surface) else { return }
      unsafe draw(pattern)
      // The context would keep the pattern, and with it the pixels, as its source.
      unsafe cairo_set_source_rgb(context, 0, 0, 0)
      unsafe cairo_pattern_destroy(pattern)
    }
  }
}

extension PixelTransform {
  /// The way back, as cairo wants it; `nil` if everything falls on a line.
  fileprivate var inverse: cairo_matrix_t? {
    var matrix = cairo_matrix_t(
      xx: xx, yx: yx, xy: xy, yy: yy, x0: x0 - xx * origin.x - xy * origin.y,
      y0: y0 - yx * origin.x - yy * origin.y)
    return unsafe cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS ? matrix : nil
  }
}
