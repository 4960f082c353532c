internal import CCairo
internal import PortolanGeometry

extension PictureSurface {
  /// Cairo draws nothing more after a coordinate that it cannot represent.
  private static let farthest = 1e9

  /// Puts a marker at a point, turned by degrees, clockwise: as it was drawn before, where that can be.
  func put(_ style: MarkerStyle, at point: Coordinate, angle: Double) {
    guard abs(point.x) < Self.farthest, abs(point.y) < Self.farthest, angle.isFinite else { return }
    guard !isVector, !isTurned, let clip,
      let placed = stamps.stamp(of: style, at: point, angle: angle)
    else { return draw(style, at: point, angle: angle) }
    unsafe withPixels { pixels in
      unsafe pixels.clamped(columns: clip.columns, rows: clip.rows).put(placed)
    }
  }

  /// Draws a marker at a point, turned by degrees, clockwise.
  func draw(_ style: MarkerStyle, at point: Coordinate, angle: Double) {
    unsafe cairo_save(context)
    unsafe cairo_translate(context, point.x, point.y)
    unsafe cairo_rotate(context, angle * .pi / 180)
    unsafe cairo_translate(context, style.offset.x, style.offset.y)
    unsafe cairo_rotate(context, style.angle * .pi / 180)
    isTurned = true
    for graphic in style.graphics { draw(graphic, opacity: style.opacity) }
    isTurned = false
    unsafe cairo_restore(context)
  }

  private func draw(_ graphic: MarkerGraphic, opacity: Double) {
    switch graphic {
    case .shape(let path, let paints):
      for paint in paints {
        switch paint {
        case .fill(let style): fill(path, style)
        case .stroke(let style): stroke(path, style)
        }
      }
    case .image(let image, let box): draw(image, in: box, opacity: opacity)
    case .text(let run): draw(run)
    }
  }
}
