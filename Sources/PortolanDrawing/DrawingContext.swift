package import PortolanGeometry

/// The target of layers: the map's place on a picture, the labels to place, and what could not be
/// drawn.
package final class DrawingContext {
  /// The copy of the world that is being drawn.
  package private(set) var worldCopy = 0
  /// The window, over the copy of the world that is being drawn.
  package private(set) var frame: MapFrame
  /// The pixels along a point.
  package let pixelRatio: Double
  /// In pixels.
  package let width: Int
  /// In pixels.
  package let height: Int
  /// The transform from the map coordinates of ``frame`` to pixels.
  package private(set) var transform: PixelTransform
  package let omissions = OmissionList()
  package private(set) var labels = LabelCollection()
  /// The cells that labels are placed in; `nil` if they are placed for this picture alone.
  package let labelGrid: LabelGrid?
  /// The number of the layer that is being drawn, from below.
  package private(set) var layerNumber = 0
  private let wholeFrame: MapFrame

  /// Creates the context of layers on a picture.
  ///
  /// - Parameters:
  ///   - frame: The window.
  ///   - pixelRatio: The pixels along a point.
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - gridMargin: The points around the picture that its neighbours show, too, where its labels
  ///     have to agree with theirs.
  package init(
    _ frame: MapFrame, pixelRatio: Double, width: Int, height: Int, gridMargin: Double?
  ) {
    self.frame = frame
    wholeFrame = frame
    self.pixelRatio = pixelRatio
    self.width = width
    self.height = height
    let transform = PixelTransform(frame, pixelRatio: pixelRatio)
    self.transform = transform
    labelGrid = gridMargin.flatMap { margin in
      LabelGrid(
        frame, transform, pixelRatio: pixelRatio,
        area: Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height))
          .expanded(by: -margin * pixelRatio))
    }
  }

  /// The pixels in a point of 1/72 inch, at which sizes of symbols are given.
  package var pixelsPerPoint: Double { pixelRatio * 96 / 72 }

  /// The distance that the cells of labels reach beyond the picture, in pixels.
  package var labelMargin: Double {
    guard let area = labelGrid?.area else { return 0 }
    return max(
      -area.xMin, -area.yMin, area.xMax - Double(width), area.yMax - Double(height), 0)
  }

  /// Continues to the next layer.
  package func beginLayer() { layerNumber += 1 }

  /// Takes labels down apart from all others, and places them by the layers of their style.
  package func placingApart(
    _ takeDown: () async -> Void
  ) async -> (labels: [Int: [DrawCommand]], unknownGlyphs: Int) {
    let others = labels
    labels = LabelCollection()
    await takeDown()
    defer { labels = others }
    return labels.placedByDefinition(for: self, above: others)
  }

  /// Looks at a copy of the world as if it were the world itself.
  package func look(atWorldCopy number: Int) {
    worldCopy = number
    frame = wholeFrame.over(worldCopy: number)
    transform = PixelTransform(frame, pixelRatio: pixelRatio)
  }

  /// The extent of the picture and what is `margin` pixels around it.
  package func visibleExtent(margin: Double) -> Envelope {
    frame.visibleExtent.expanded(by: margin / pixelRatio * frame.resolution)
  }

  /// Whether a place is on the picture, or no farther than `margin` beside it.
  package func isInside(_ place: Coordinate, margin: Double = 0) -> Bool {
    place.x >= -margin && place.y >= -margin && place.x <= Double(width) + margin
      && place.y <= Double(height) + margin
  }
}

extension PixelProjection {
  /// Onto a picture, with what is `margin` pixels around it.
  package init(_ context: DrawingContext, margin: Double) {
    self.init(
      context.transform, width: Double(context.width), height: Double(context.height),
      margin: margin)
  }
}
