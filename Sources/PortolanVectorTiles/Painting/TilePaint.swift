package import PortolanExpressions
package import PortolanGeometry
package import PortolanImages

/// The painting of a style layer's tiles that are pictures.
package protocol TilePaint: Sendable {
  /// The opacity, from 0 to 1.
  var opacity: Double { get }
  /// Whether pixels that are enlarged run into each other.
  var isSmooth: Bool { get }
  /// Whether what a tile looks like at its sides depends on the tiles beside it.
  var joinsTiles: Bool { get }
  /// Whether pixels hold heights, which cannot be mixed like colors.
  var readsHeights: Bool { get }

  /// A picture as it is painted, but for its opacity; `ground` is what it covers.
  func painted(_ image: PixelImage, over ground: Envelope) -> PixelImage
}

extension StyleLayer {
  /// The painting of tiles that hold heights in an encoding.
  ///
  /// - Parameters:
  ///   - encoding: How the tiles hold heights.
  ///   - tileSide: The pixels across a tile.
  ///   - rotation: By how much the map is turned, in degrees.
  ///   - context: What expressions ask about.
  /// - Returns: How it paints them.
  package func paint(
    ofHeights encoding: ElevationEncoding, tileSide: Double, rotation: Double,
    _ context: EvaluationContext
  ) -> any TilePaint {
    if kind == .colorRelief { return ReliefPaint(self, encoding, context) }
    return HillshadePaint(self, encoding, tileSide: tileSide, rotation: rotation, context)
  }
}
