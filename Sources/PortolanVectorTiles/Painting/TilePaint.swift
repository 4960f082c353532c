package import PortolanGeometry
package import PortolanImages

/// How a layer of a style paints tiles that are pictures.
package protocol TilePaint: Sendable {
  /// From 0 to 1.
  var opacity: Double { get }
  /// Whether pixels that are enlarged run into each other.
  var isSmooth: Bool { get }
  /// Whether what a tile looks like at its sides depends on the tiles beside it.
  var joinsTiles: Bool { get }

  /// A picture as it is painted, but for its opacity; `ground` is what it covers.
  func painted(_ image: PixelImage, over ground: Envelope) -> PixelImage
}
