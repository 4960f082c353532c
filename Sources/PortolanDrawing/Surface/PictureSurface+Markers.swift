internal import CCairo
internal import PortolanGeometry

extension PictureSurface {
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
