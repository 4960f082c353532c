internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

/// What a layer of symbols asks for a feature: a text, an icon, and how they stand to others.
struct StyleSymbol {
  var text: StyleText
  var icon: StyleIcon?
  /// What tells it from others of its layer.
  var key: String
  /// Lower goes first.
  var sortKey: Double
  /// Whether what stands farther down is drawn above the others.
  var sortsByHeight: Bool
  var textOverlap: LabelCandidate.Overlap
  var iconOverlap: LabelCandidate.Overlap
  var textIsOptional: Bool
  var iconIsOptional: Bool
  /// Whether the icon turns with the map.
  var iconIsMapAligned: Bool
  /// Whether the icon turns with the line that it stands on.
  var iconFollowsLine: Bool
}

/// A text of a symbol; lengths in pixels of the picture.
struct StyleText {
  /// A place beside the point.
  struct Anchor {
    /// Which part of the text is at the point: a share of its width and of its height.
    var share: Coordinate
    /// From the point, to the right and down.
    var offset: Coordinate
    var alignment: TextStyle.Alignment
  }

  /// An icon that stands in a text like a letter.
  struct Icon {
    /// What stands for an icon in texts.
    static let letter = "\u{FFFC}"

    var name: String
    var image: PixelImage
    /// The pixels of the style across.
    var width: Double
    /// The pixels of the style down.
    var height: Double
    var opacity: Double
  }

  /// A part of the text that has a look of its own.
  struct Section {
    var text: String
    /// The fonts, joined by commas; `nil` for those of the text.
    var fonts: String?
    /// The size as a share of that of the text.
    var scale = 1.0
    /// The colour, if it is not that of the text.
    var color: RGBAColor?
    /// How far down in its line the section stands: 0 at the top, 1 on the foot of all letters.
    var drop = 1.0
    /// The icon that stands in the text; the section has one letter for it.
    var icon: Icon?

    /// Whether the section looks as the text does.
    var isPlain: Bool { fonts == nil && scale == 1 && color == nil && icon == nil }
  }

  var sections: [Section]
  var style: TextStyle
  /// The fonts as the style names them.
  var fonts: [String]
  /// The places in the order in which they are tried.
  var anchors: [Anchor]
  /// Whether the text is written downwards at points; both ways in the order in which they are tried.
  var inColumns = [false]
  /// In degrees, clockwise.
  var angle: Double
  /// Whether the text turns with the map, or follows its line.
  var isMapAligned: Bool
  /// Where the text stands if it does not say: from the point, to the right and down.
  var translation: Coordinate
  /// Whether it turns round where it would stand on its head.
  var keepsUpright: Bool
  /// How far its line may turn from a letter to the next, in degrees.
  var maximumAngle: Double
  /// What is kept free around it.
  var padding: Double

  /// What is written.
  var text: String { sections.map(\.text).joined() }

  /// What tells the text from others, its looks included.
  var key: String {
    sections.map { section in
      guard !section.isPlain else { return section.text }
      let (color, icon) = (section.color?.pixel ?? 0, section.icon?.name ?? "")
      return "\(section.text)\n\(section.scale) \(section.drop) \(color) \(icon)"
    }.joined()
  }
}

/// An icon of a symbol.
struct StyleIcon {
  var marker: MarkerStyle
  /// What it covers around its point before it is turned.
  var box: Envelope
  var padding: Double
  /// The width of its picture at the size 1.
  var naturalWidth: Double
  /// Whether its pixels are drawn as they are; shapes are drawn from distances.
  var isPicture: Bool
  /// Whether it turns round where it would stand on its head.
  var keepsUpright: Bool
  /// From the point, to the right and down.
  var translation: Coordinate
  /// How it is stretched to hold a text.
  var fit: Fit?

  /// Which sides follow those of a text.
  struct Fit {
    var width: Bool
    var height: Bool
    /// What is added at the top, right, bottom and left, in pixels.
    var padding: [Double]
    /// Which parts of it are stretched; `nil` for all alike.
    var stretch: IconStretch?
  }

  /// The icon at a point.
  func label(at point: Coordinate, turnedBy angle: Double) -> LabelIcon {
    var place = Coordinate(x: point.x + translation.x, y: point.y + translation.y)
    // An icon in its own size is sharp only where its pixels are those of the picture.
    if isPicture, angle + marker.angle == 0,
      case .image(let image, let box)? = marker.graphics.first,
      box.width == Double(image.width), box.height == Double(image.height)
    {
      place.x = (place.x + box.xMin).rounded() - box.xMin
      place.y = (place.y + box.yMin).rounded() - box.yMin
    }
    return LabelIcon(
      drawing: .marker(marker, at: place, angle: angle),
      box: TurnedBox(
        box, around: place, angle: angle + marker.angle, margin: padding))
  }

  /// The icon stretched around a text that stands near its point.
  func fitted(_ text: LabelPlace, padding: Double, at point: Coordinate) -> LabelIcon {
    let bounds = text.boxes.reduce(into: Envelope.empty) { bounds, box in
      for corner in box.corners {
        bounds.include(Coordinate(x: corner.x - point.x, y: corner.y - point.y))
      }
    }
    return fitted(to: bounds.expanded(by: -padding)).label(at: point, turnedBy: 0)
  }

  /// The picture of an icon of which only parts are stretched, `nil` if it is too large.
  ///
  /// The box is where the text stands, and then that of the whole.
  private static func stretched(
    _ image: PixelImage, _ stretch: IconStretch, _ fit: Fit, _ old: Envelope, _ box: inout Envelope
  ) -> PixelImage? {
    func side(
      _ axis: IconStretch.Axis, _ isFitted: Bool, _ old: Double, _ low: Double, _ high: Double
    ) -> (layout: IconStretch.Layout, start: Double, count: Int)? {
      let scale = old / axis.size
      let layout = axis.stretched(to: isFitted ? high - low : axis.size * scale, scale: scale)
      let length = layout.length.rounded()
      guard (1...DrawCommand.maximumLength).contains(length) else { return nil }
      return (layout, isFitted ? low - layout.contentOffset : low, Int(length))
    }
    guard let across = side(stretch.columns, fit.width, old.width, box.xMin, box.xMax),
      let down = side(stretch.rows, fit.height, old.height, box.yMin, box.yMax)
    else { return nil }
    // Shapes are painted finer than they are stored.
    let fineness = (
      Double(image.width) / stretch.columns.size, Double(image.height) / stretch.rows.size
    )
    box = Envelope(
      xMin: across.start, yMin: down.start, xMax: across.start + Double(across.count),
      yMax: down.start + Double(down.count))
    return image.sampled(
      columns: across.layout.places(across.count).map { $0 * fineness.0 },
      rows: down.layout.places(down.count).map { $0 * fineness.1 })
  }

  /// The icon stretched around a box, given from the point.
  private func fitted(to text: Envelope) -> StyleIcon {
    guard let fit, case .image(let image, let old)? = marker.graphics.first else { return self }
    var new = old
    let center = text.center
    let padding = fit.padding.count == 4 ? fit.padding : [0, 0, 0, 0]
    new.xMin = fit.width ? text.xMin - padding[3] : center.x - old.width / 2
    new.xMax = fit.width ? text.xMax + padding[1] : center.x + old.width / 2
    new.yMin = fit.height ? text.yMin - padding[0] : center.y - old.height / 2
    new.yMax = fit.height ? text.yMax + padding[2] : center.y + old.height / 2
    var picture = image
    if let stretch = fit.stretch, let stretched = Self.stretched(image, stretch, fit, old, &new) {
      picture = stretched
    }
    var fitted = self
    fitted.box = new
    fitted.marker.graphics = [.image(picture, new)]
    fitted.marker.reach =
      [new.xMin, new.xMax, new.yMin, new.yMax].reduce(0) { $0 + abs($1) }
    return fitted
  }
}
