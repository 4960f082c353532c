internal import CCairo
internal import PortolanImages
internal import PortolanMap

extension PictureSurface {
  /// Fills an area without cairo, which is slower and less exact; false where only cairo can do it:
  /// in documents, inside of areas that are no upright boxes, and where something is turned.
  func fillPixels(_ path: PixelPath, _ color: RGBAColor, edge: AreaEdge = .exact) -> Bool {
    guard !isVector, !isTurned, let clip else { return false }
    unsafe withPixels { pixels in
      unsafe rasterizer.fill(
        path, color, in: pixels.clamped(columns: clip.columns, rows: clip.rows), edge: edge)
    }
    return true
  }

  /// Gives the pixels that are drawn on now: those of the innermost group, else of the picture.
  func withPixels(_ body: (PixelRows) -> Void) {
    guard let target = unsafe cairo_get_group_target(context),
      unsafe cairo_surface_get_type(target) == CAIRO_SURFACE_TYPE_IMAGE
    else { return }
    unsafe cairo_surface_flush(target)
    guard let memory = unsafe cairo_image_surface_get_data(target) else { return }
    var (x, y) = (0.0, 0.0)
    unsafe cairo_surface_get_device_offset(target, &x, &y)
    let (left, top) = (-Int(x), rows.lowerBound - Int(y))
    let width = unsafe Int(cairo_image_surface_get_width(target))
    let height = unsafe Int(cairo_image_surface_get_height(target))
    let stride = unsafe Int(cairo_image_surface_get_stride(target))
    unsafe body(
      PixelRows(
        memory, stride: stride, columns: left..<(left + width), rows: top..<(top + height)))
    unsafe cairo_surface_mark_dirty(target)
  }

  /// Appends the pixels in a box of the picture, row by row; none where cairo gave up.
  func append(_ box: PixelBox, to copy: inout [UInt32]) {
    guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else { return }
    unsafe withPixels { pixels in
      let pixels = unsafe pixels.clamped(columns: box.columns, rows: box.rows)
      for row in unsafe pixels.rows {
        unsafe copy.append(
          contentsOf: UnsafeBufferPointer(
            start: pixels.row(row) + pixels.columns.lowerBound, count: pixels.columns.count))
      }
    }
  }

  /// The rows as parts of a PNG file; `nil` if they cannot be compressed.
  func packedRows(hasAlpha: Bool) -> [CompressedRows]? {
    var parts: [CompressedRows]?
    unsafe withPixels { pixels in
      let compressor = RowCompressor(width: width, hasAlpha: hasAlpha)
      // The rows of a surface of 32 bits follow each other without gaps.
      unsafe parts = compressor.compress(
        UnsafeBufferPointer(start: pixels.row(rows.lowerBound), count: rows.count * width))
    }
    return parts
  }

  /// Whether no pixel is clear, not even a little.
  var isOpaque: Bool {
    var isOpaque = false
    unsafe withPixels { pixels in
      let start = unsafe pixels.row(rows.lowerBound)
      var all = UInt32.max
      for index in 0..<(width * rows.count) { unsafe all &= start[index] }
      isOpaque = all >= 0xFF00_0000
    }
    return isOpaque
  }
}
