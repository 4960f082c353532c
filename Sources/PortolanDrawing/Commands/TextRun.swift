package import PortolanGeometry

/// Text at a place.
package struct TextRun: Hashable, Sendable {
  package var text: String
  package var style: TextStyle
  /// The anchor of the text.
  package var position: Coordinate
  /// The anchor as a share of the text's width from the left and of its height from the top.
  package var anchor = Coordinate(x: 0.5, y: 0.5)
  /// In degrees, clockwise.
  package var angle = 0.0

  package init(
    text: String, style: TextStyle, position: Coordinate,
    anchor: Coordinate = Coordinate(x: 0.5, y: 0.5), angle: Double = 0
  ) {
    self.text = text
    self.style = style
    self.position = position
    self.anchor = anchor
    self.angle = angle
  }
}
