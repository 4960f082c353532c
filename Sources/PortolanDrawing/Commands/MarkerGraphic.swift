package import PortolanGeometry
package import PortolanImages

/// A part of a marker; lengths in pixels from the marker's point, y downwards.
package enum MarkerGraphic: Hashable, Sendable {
  case shape(PixelPath, [PathPaint])
  /// A picture in a box.
  case image(PixelImage, Envelope)
  case text(TextRun)
}
