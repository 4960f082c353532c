internal import PortolanDrawing
internal import PortolanGeometry

extension DrawingSession {
  /// Draws for each copy of the world that is seen; ``frame`` and ``transform`` are those of it.
  ///
  /// - Parameters:
  ///   - margin: How far outside of the picture something may be that is still seen, in pixels.
  ///   - layer: The title of the layer, for what cannot be drawn.
  ///   - draw: Draws what is seen of one copy.
  func forEachWorld(
    margin: Double = 0, layer: String, _ draw: () async -> Void
  ) async {
    let copies = WorldCopies(frame, in: context.visibleExtent(margin: margin))
    if copies.isCut {
      omissions.add("the world is drawn \(copies.numbers.count) times and no more", layer: layer)
    }
    for number in copies.numbers {
      guard !Task.isCancelled else { break }
      context.look(atWorldCopy: number)
      await draw()
    }
    context.look(atWorldCopy: 0)
  }

  /// The visible extent within one copy of the world, grown by `margin` pixels.
  func visiblePartOfWorld(margin: Double) -> Envelope {
    let visible = context.visibleExtent(margin: margin)
    guard let width = WorldCopies.width(frame) else { return visible }
    return visible.intersection(
      Envelope(xMin: -width / 2, yMin: visible.yMin, xMax: width / 2, yMax: visible.yMax))
      ?? visible
  }
}
