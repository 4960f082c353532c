internal import CCairo
internal import Foundation
internal import PortolanGeometry
internal import PortolanMap

extension PictureSurface {
  /// Fills areas; where rings lie in each other, every other one is a hole, unless the style says
  /// otherwise.
  func fill(_ path: PixelPath, _ style: FillStyle) {
    guard !path.isEmpty else { return }
    switch style {
    case .solid(let color) where fillPixels(path, color): return
    case .crisp(let color) where fillPixels(path, color, edge: .crisp): return
    case .spread(let color) where fillPixels(path, color, edge: .spread): return
    case .union(let color) where fillPixels(path, color, edge: .spread): return
    default: break
    }
    unsafe cairo_set_fill_rule(context, style.fillRule)
    switch style {
    case .solid(let color), .spread(let color), .union(let color):
      setSource(color)
      trace(path)
      unsafe cairo_fill(context)
    case .crisp(let color):
      setSource(color)
      trace(path)
      unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
      unsafe cairo_fill(context)
      unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
    case .hatch(let hatch): inside(path) { draw(hatch, over: path.bounds) }
    case .picture(let tile): fill(path, with: tile)
    case .gradient(let gradient): fill(path, with: gradient)
    }
  }

  /// Adds to the current path a sliver out of sight, beside all rows, where pictures are put side by
  /// side.
  ///
  /// Cairo works out in one of three ways how much of a pixel is covered, by what else there is of the
  /// path in its row, however far away. The sliver's two sides fall together at the side of the
  /// surface, which leaves one way only.
  func evenOut() {
    guard isSeamless, !isTurned else { return }
    unsafe cairo_move_to(context, -4099, Double(rows.lowerBound) - 16)
    unsafe cairo_line_to(context, -4091, Double(rows.upperBound) + 16)
    unsafe cairo_line_to(context, -4099, Double(rows.upperBound) + 16)
    unsafe cairo_close_path(context)
  }

  func stroke(_ path: PixelPath, _ style: StrokeStyle) {
    guard !path.isEmpty, style.width > 0 else { return }
    setSource(style.color)
    unsafe cairo_set_line_width(context, style.width)
    unsafe cairo_set_line_cap(context, style.cap.value)
    unsafe cairo_set_line_join(context, style.join.value)
    unsafe cairo_set_miter_limit(context, style.miterLimit)
    setDashes(style.dashes)
    // Areas keep vertices that lines have no use for.
    let path = path.isClosed ? path.thinned : path
    trace(style.offset == 0 ? path : path.offset(by: style.offset))
    evenOut()
    unsafe cairo_stroke(context)
  }

  private func setDashes(_ dashes: [Double]) {
    // Cairo stops drawing for good at a pattern without length; thousands of dots a pixel are grey.
    let total = dashes.reduce(0, +)
    let usable = dashes.allSatisfy { $0 >= 0 && $0.isFinite } && total > 0.5 ? dashes : []
    unsafe usable.withUnsafeBufferPointer { dashes in
      unsafe cairo_set_dash(context, dashes.baseAddress, Int32(dashes.count), 0)
    }
  }

  /// Puts the runs of a path together as cairo's current path.
  func trace(_ path: PixelPath) {
    unsafe cairo_new_path(context)
    var next = 0
    for (index, point) in path.points.enumerated() {
      if next < path.starts.count, path.starts[next] == index {
        if path.isClosed, next > 0, !path.openRuns.contains(next - 1) {
          unsafe cairo_close_path(context)
        }
        unsafe cairo_move_to(context, point.x, point.y)
        next += 1
      } else {
        unsafe cairo_line_to(context, point.x, point.y)
      }
    }
    if path.isClosed, next > 0, !path.openRuns.contains(next - 1) {
      unsafe cairo_close_path(context)
    }
  }

  private func inside(_ path: PixelPath, _ draw: () -> Void) {
    unsafe cairo_save(context)
    trace(path)
    evenOut()
    unsafe cairo_clip(context)
    draw()
    unsafe cairo_restore(context)
  }

  /// The vertices along the lines of hatches are so far apart, counted from the zero of the map.
  private static let hatchStep = 1024.0

  /// Parallel lines, at places that depend on the map only, so that they meet across areas and
  /// pictures.
  private func draw(_ hatch: FillStyle.Hatch, over area: Envelope) {
    let picture = Envelope(
      xMin: 0, yMin: Double(rows.lowerBound), xMax: Double(width), yMax: Double(rows.upperBound))
    let separation = max(hatch.separation, 1.5)
    guard let area = area.intersection(picture.expanded(by: hatch.stroke.width + separation))
    else { return }
    let half = (area.width + area.height) / 2 + separation
    let origin = hatch.origin ?? Coordinate(x: 0, y: 0)
    let center = Coordinate(x: area.center.x - origin.x, y: area.center.y - origin.y)
    for angle in hatch.angles {
      let direction = Coordinate(x: cos(angle * .pi / 180), y: -sin(angle * .pi / 180))
      let across = Coordinate(x: -direction.y, y: direction.x)
      let middle = center.x * across.x + center.y * across.y
      let along = center.x * direction.x + center.y * direction.y
      let first = ((along - half) / Self.hatchStep).rounded(.down)
      let last = ((along + half) / Self.hatchStep).rounded(.up)
      let steps = stride(from: first, through: last, by: 1).map { $0 * Self.hatchStep }
      var lines = PixelPath(isClosed: false)
      var number = ((middle - half) / separation).rounded(.down)
      while number * separation <= middle + half {
        let place = number * separation
        lines.append(
          steps.map {
            Coordinate(
              x: origin.x + (across.x * place + direction.x * $0),
              y: origin.y + (across.y * place + direction.y * $0))
          })
        number += 1
      }
      stroke(lines, hatch.stroke)
    }
  }

  private func fill(_ path: PixelPath, with gradient: FillStyle.Gradient) {
    let box = gradient.box ?? path.bounds
    let center = box.center
    let radius = max((box.width * box.width + box.height * box.height).squareRoot() / 2, 1)
    let pattern: OpaquePointer?
    if let angle = gradient.angle {
      let x = cos(angle * .pi / 180)
      let y = -sin(angle * .pi / 180)
      let reach = (abs(x) * box.width + abs(y) * box.height) / 2
      unsafe pattern = cairo_pattern_create_linear(
        center.x - x * reach, center.y - y * reach, center.x + x * reach, center.y + y * reach)
    } else {
      unsafe pattern = cairo_pattern_create_radial(
        center.x, center.y, 0, center.x, center.y, radius)
    }
    for stop in gradient.stops {
      let color = stop.color
      unsafe cairo_pattern_add_color_stop_rgba(
        pattern, stop.value, Double(color.red) / 255, Double(color.green) / 255,
        Double(color.blue) / 255, Double(color.alpha) / 255)
    }
    unsafe cairo_set_source(context, pattern)
    trace(path)
    evenOut()
    unsafe cairo_fill(context)
    unsafe cairo_pattern_destroy(pattern)
  }
}

extension FillStyle {
  /// The rule for the inside of rings in each other.
  fileprivate var fillRule: cairo_fill_rule_t {
    switch self {
    case .spread, .union: CAIRO_FILL_RULE_WINDING
    default: CAIRO_FILL_RULE_EVEN_ODD
    }
  }
}

extension StrokeStyle.Cap {
  fileprivate var value: cairo_line_cap_t {
    switch self {
    case .butt: CAIRO_LINE_CAP_BUTT
    case .round: CAIRO_LINE_CAP_ROUND
    case .square: CAIRO_LINE_CAP_SQUARE
    }
  }
}

extension StrokeStyle.Join {
  fileprivate var value: cairo_line_join_t {
    switch self {
    case .miter: CAIRO_LINE_JOIN_MITER
    case .round: CAIRO_LINE_JOIN_ROUND
    case .bevel: CAIRO_LINE_JOIN_BEVEL
    }
  }
}
