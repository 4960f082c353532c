internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages

/// An icon of a symbol.
struct StyleIcon {
  var image: PixelImage
  /// Its sides from its point, to the right and down, in pixels of the style at the size 1.
  var sides: Envelope
  /// The factor by which it is drawn larger.
  var size: Double
  /// The pixels of the picture along one of the style.
  var ratio: Double
  /// The pixels of the icon along one of the style, as it is stored.
  var pixelRatio: Double
  /// Its sides, with the parts of them that are stretched around a text.
  var columns: IconAxis
  var rows: IconAxis
  /// In degrees, clockwise.
  var angle: Double
  var opacity: Double
  /// The space kept free around it: at the top, right, bottom and left, in pixels of the picture.
  var padding: [Double]
  /// Whether its pixels are drawn as they are; shapes are drawn from distances.
  var isPicture: Bool
  /// Whether its pixels are mixed, not moved, where they are no pixels of the picture.
  var isSmooth: Bool
  /// Whether it is turned where it would be upside down.
  var keepsUpright: Bool
  /// The translation from the point, to the right and down.
  var translation: Coordinate
  /// The stretching of its sides, which keeps proportions around a text.
  var stretch: IconStretch?
  /// The stretching to hold a text.
  var fit: Fit?
  /// The size of its collision box as a multiple of its own.
  var collisionScale = 1.0
  /// Whether ``sides`` are those around a text.
  private(set) var isFitted = false

  /// The sides that follow those of a text.
  struct Fit {
    var width: Bool
    var height: Bool
    /// The padding at the top, right, bottom and left, in pixels of the style.
    var padding: [Double]
    /// The offset from the middle of the text, in pixels of the style.
    var offset: Coordinate
  }

  /// The maximum distance of any part of it from its point, in pixels of the picture.
  var reach: Double {
    let lengths = [sides.xMin, sides.xMax, sides.yMin, sides.yMax].map { abs($0) }
    return lengths.reduce(0, +) * size * ratio + abs(translation.x) + abs(translation.y)
  }

  /// The icon around a text that covers a box, which is given from the point in pixels of the picture.
  func fitted(to text: Envelope) -> StyleIcon {
    guard let fit, !isFitted else { return self }
    let padding = fit.padding.count == 4 ? fit.padding : [0, 0, 0, 0]
    let box = Envelope(
      xMin: text.xMin / ratio, yMin: text.yMin / ratio, xMax: text.xMax / ratio,
      yMax: text.yMax / ratio)
    var fitted = self
    fitted.isFitted = true
    fitted.sides.xMin = fit.width ? box.xMin - padding[3] : box.center.x - sides.width / 2
    fitted.sides.xMax = fit.width ? box.xMax + padding[1] : box.center.x + sides.width / 2
    fitted.sides.yMin = fit.height ? box.yMin - padding[0] : box.center.y - sides.height / 2
    fitted.sides.yMax = fit.height ? box.yMax + padding[2] : box.center.y + sides.height / 2
    fitted.sides = fitted.sides.moved(by: fit.offset)
    if let stretch { fitted.sides = stretch.fitted(fitted.sides) }
    return fitted
  }

  /// The icon at a point.
  func label(at point: Coordinate, turnedBy turn: Double) -> LabelIcon {
    var place = Coordinate(x: point.x + translation.x, y: point.y + translation.y)
    var (image, box) = drawn
    if turn + angle == 0 {
      if fit != nil, let sharp = sampled(at: place) {
        (image, box) = sharp
      } else if isPicture, !isSmooth, size == 1 {
        place = MarkerStyle(graphics: [.image(image, box)], reach: 0)
          .sharpPlace(of: PixelPath.Station(point: place, angle: 0))
      }
    }
    let marker = MarkerStyle(
      graphics: [.image(image, box)], angle: angle,
      reach: [box.xMin, box.xMax, box.yMin, box.yMax].reduce(0) { $0 + abs($1) },
      opacity: opacity)
    // As in MapLibre what is kept free is not turned with lines and maps, nor translated or moved onto
    // pixels.
    let covered = RotatedBox(covered, around: point, angle: angle, margin: 0).bounds
    return LabelIcon(
      drawing: .marker(marker, at: place, angle: turn), box: RotatedBox(covered),
      ink: RotatedBox(box, around: place, angle: turn + angle, margin: 0))
  }

  /// The box around its point before it is rotated, with the space kept free.
  private var covered: Envelope {
    var box = sides.scaled(by: size * ratio * collisionScale)
    // As in MapLibre, what is beside the content of an icon counts as if it lay outside of it.
    if let across = columns.content, let down = rows.content {
      let unit = size * ratio * collisionScale / pixelRatio
      box.xMin -= across.lowerBound * unit
      box.xMax += (columns.size - across.upperBound) * unit
      box.yMin -= down.lowerBound * unit
      box.yMax += (rows.size - down.upperBound) * unit
    }
    let padding = padding.count == 4 ? padding : [0, 0, 0, 0]
    return Envelope(
      xMin: box.xMin - padding[3], yMin: box.yMin - padding[0], xMax: box.xMax + padding[1],
      yMax: box.yMax + padding[2])
  }

  /// Larger icons around texts are no plates, and are stretched as a whole.
  private static let maximumPixels = 1 << 20

  /// The layout of its sides where it is fitted to a text; `nil` where that cannot be.
  private var layout: (across: IconLayout, down: IconLayout)? {
    guard fit != nil, sides.width > 0, sides.height > 0,
      let across = columns.layout(
        sides.xMin...sides.xMax, scale: size, pixelRatio: pixelRatio),
      let down = rows.layout(sides.yMin...sides.yMax, scale: size, pixelRatio: pixelRatio)
    else { return nil }
    return (across, down)
  }

  /// The factors by which shapes are painted finer than they are stored, across and down.
  private var fineness: (Double, Double) {
    (Double(image.width) / columns.size, Double(image.height) / rows.size)
  }

  /// The image drawn where it is rotated, and its box around its point.
  private var drawn: (PixelImage, Envelope) {
    let plain = (image, sides.scaled(by: size * ratio))
    guard let (across, down) = layout else { return plain }
    let box = Envelope(
      xMin: across.start, yMin: down.start, xMax: across.end, yMax: down.end
    ).scaled(by: ratio)
    guard let columns = Self.steps(box.width.rounded()),
      let rows = Self.steps(box.height.rounded()),
      columns.count * rows.count <= Self.maximumPixels
    else { return plain }
    let (width, height) = (Double(columns.count) * ratio, Double(rows.count) * ratio)
    let stretched = image.sampled(
      columns: columns.map {
        across.icon(at: across.start + (Double($0) + 0.5) / width * box.width) * fineness.0
      },
      rows: rows.map {
        down.icon(at: down.start + (Double($0) + 0.5) / height * box.height) * fineness.1
      }, isSmooth: true)
    return stretched.map { ($0, box) } ?? plain
  }

  private static func steps(_ length: Double) -> Range<Int>? {
    (1...DrawCommand.maximumLength).contains(length) ? 0..<Int(length) : nil
  }

  /// The icon on the pixels of the picture, where it is fitted to a text, and what it covers around its
  /// point.
  ///
  /// Icons in their own size are not smoothed.
  private func sampled(at point: Coordinate) -> (PixelImage, Envelope)? {
    guard let (across, down) = layout else { return nil }
    let isSmooth = isSmooth || size != 1 || pixelRatio != ratio || !isPicture
    let edge = isSmooth ? 0.5 : 0
    func pixels(_ layout: IconLayout, _ place: Double) -> Range<Int>? {
      let first = (place + layout.start * ratio - edge).rounded(.down)
      let last = (place + layout.end * ratio + edge).rounded(.up)
      guard abs(first) < 1e8, (1...DrawCommand.maximumLength).contains(last - first) else {
        return nil
      }
      return Int(first)..<Int(last)
    }
    guard let columns = pixels(across, point.x), let rows = pixels(down, point.y),
      columns.count * rows.count <= Self.maximumPixels
    else { return nil }
    let image = image.sampled(
      columns: columns.map {
        across.icon(at: (Double($0) + 0.5 - point.x) / ratio) * fineness.0
      },
      rows: rows.map { down.icon(at: (Double($0) + 0.5 - point.y) / ratio) * fineness.1 },
      isSmooth: isSmooth)
    let box = Envelope(
      xMin: Double(columns.lowerBound) - point.x, yMin: Double(rows.lowerBound) - point.y,
      xMax: Double(columns.upperBound) - point.x, yMax: Double(rows.upperBound) - point.y)
    return image.map { ($0, box) }
  }
}

extension Envelope {
  /// All sides times as far from the origin.
  func scaled(by factor: Double) -> Envelope {
    Envelope(
      xMin: xMin * factor, yMin: yMin * factor, xMax: xMax * factor, yMax: yMax * factor)
  }

  /// All sides moved.
  func moved(by offset: Coordinate) -> Envelope {
    Envelope(
      xMin: xMin + offset.x, yMin: yMin + offset.y, xMax: xMax + offset.x, yMax: yMax + offset.y)
  }
}
