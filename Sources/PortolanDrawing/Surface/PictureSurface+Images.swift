internal import CCairo
internal import Foundation
internal import PortolanGeometry
internal import PortolanImages

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

  /// Fills areas with copies of a picture.
  func fill(_ path: PixelPath, with tile: FillStyle.PictureTile) {
    guard abs(tile.width) > 0.5, tile.height > 0.5, tile.width.isFinite, tile.height.isFinite else {
      return
    }
    if isVector || isTurned { return fillDocument(path, with: tile) }
    guard let box = pixels(under: path), let image = pattern(tile) else { return }
    let sampler = PatternSampler(image, tile)
    // Long boxes are filled some rows at a time, so that memory is bounded.
    let height = max(1, Self.maximumPattern / box.columns.count)
    for top in stride(from: box.rows.lowerBound, to: box.rows.upperBound, by: height) {
      let rows = top..<min(top + height, box.rows.upperBound)
      guard let part = sampler.pixels(columns: box.columns, rows: rows) else { continue }
      paint(part, at: (box.columns.lowerBound, top), inside: path, opacity: tile.opacity)
    }
  }

  /// The pixels of copies that are worked out at a time.
  private static let maximumPattern = 1 << 21

  /// The pixels of the surface that an area may reach.
  private func pixels(under path: PixelPath) -> PixelBox? {
    let all = Envelope(
      xMin: 0, yMin: Double(rows.lowerBound), xMax: Double(width), yMax: Double(rows.upperBound))
    guard let box = path.bounds.intersection(all), box.width > 0, box.height > 0 else { return nil }
    return PixelBox(
      columns: Int(box.xMin)..<Int(box.xMax.rounded(.up)),
      rows: Int(box.yMin)..<Int(box.yMax.rounded(.up)))
  }

  private func paint(
    _ image: PixelImage, at corner: (x: Int, y: Int), inside path: PixelPath, opacity: Double
  ) {
    unsafe withPattern(of: image) { pattern in
      var matrix = cairo_matrix_t(
        xx: 1, yx: 0, xy: 0, yy: 1, x0: -Double(corner.x), y0: -Double(corner.y))
      unsafe cairo_pattern_set_matrix(pattern, &matrix)
      unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_NEAREST)
      unsafe cairo_save(context)
      trace(path)
      evenOut()
      unsafe cairo_clip(context)
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_rectangle(
        context, Double(corner.x), Double(corner.y), Double(image.width), Double(image.height))
      unsafe cairo_clip(context)
      unsafe cairo_paint_with_alpha(context, opacity)
      unsafe cairo_restore(context)
    }
  }

  /// The picture of a pattern in about the size in which it is drawn: copies that are smaller are
  /// mixed of all its pixels.
  private func pattern(_ tile: FillStyle.PictureTile) -> PixelImage? {
    let image = tile.image
    let across = abs(tile.width)
    guard across < Double(image.width) * 0.9 || tile.height < Double(image.height) * 0.9 else {
      return image
    }
    if let (known, small) = shrunkPattern, known == tile.image,
      small.width == Self.side(across), small.height == Self.side(tile.height)
    {
      return small
    }
    let (width, height) = (Self.side(across), Self.side(tile.height))
    // A picture that cannot be shrunk is drawn as it is.
    guard let small = try? PictureSurface(width: width, rows: 0..<height) else { return image }
    small.drawOver(image)
    shrunkPattern = small.image().map { (image, $0) }
    return shrunkPattern?.small ?? image
  }

  private static func side(_ length: Double) -> Int { Int(min(max(length.rounded(), 1), 4096)) }

  /// Fills the surface with a picture, whose sides continue where they end.
  private func drawOver(_ image: PixelImage) {
    unsafe withPattern(of: image) { pattern in
      unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
      var matrix = cairo_matrix_t(
        xx: Double(image.width) / Double(width), yx: 0, xy: 0,
        yy: Double(image.height) / Double(rows.count), x0: 0, y0: 0)
      unsafe cairo_pattern_set_matrix(pattern, &matrix)
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_paint(context)
    }
  }

  /// In documents, copies are left to the document.
  private func fillDocument(_ path: PixelPath, with tile: FillStyle.PictureTile) {
    var placed = PixelTransform.identity
    let angle = -tile.angle * .pi / 180
    let across = tile.width / Double(tile.image.width)
    let down = tile.height / Double(tile.image.height)
    placed.xx = cos(angle) * across
    placed.yx = sin(angle) * across
    placed.xy = (-sin(angle) - tile.skew * cos(angle)) * down
    placed.yy = (cos(angle) - tile.skew * sin(angle)) * down
    placed.x0 = (tile.origin?.x ?? 0) + tile.offset.x
    placed.y0 = (tile.origin?.y ?? 0) + tile.offset.y
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
