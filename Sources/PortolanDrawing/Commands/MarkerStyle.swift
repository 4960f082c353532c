package import PortolanGeometry

/// The style of a marker that is drawn at points; lengths in pixels.
package struct MarkerStyle: Hashable, Sendable {
  /// The parts, lowest first.
  package var graphics: [MarkerGraphic]
  /// In degrees, clockwise.
  package var angle = 0.0
  /// The offset from the point, to the right and down.
  package var offset = Coordinate(x: 0, y: 0)
  /// The maximum distance of anything drawn from the point.
  package var reach: Double
  /// The placement of markers on lines and areas.
  package var placement = Placement.middle
  /// Whether markers on lines are turned with them.
  package var followsLine = true
  /// The offset of markers to the left of a line.
  package var lineOffset = 0.0
  package var opacity = 1.0

  package init(
    graphics: [MarkerGraphic], angle: Double = 0, offset: Coordinate = Coordinate(x: 0, y: 0),
    reach: Double, placement: Placement = .middle, followsLine: Bool = true,
    lineOffset: Double = 0, opacity: Double = 1
  ) {
    self.graphics = graphics
    self.angle = angle
    self.offset = offset
    self.reach = reach
    self.placement = placement
    self.followsLine = followsLine
    self.lineOffset = lineOffset
    self.opacity = opacity
  }
}
