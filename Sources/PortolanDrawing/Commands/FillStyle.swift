package import PortolanGeometry
package import PortolanImages
package import PortolanMap

/// The fill of an area; lengths in pixels.
package enum FillStyle: Hashable, Sendable {
  case solid(RGBAColor)
  /// A color with hard edges: a pixel is covered whole, or not at all if less than half of it is.
  case crisp(RGBAColor)
  /// A color that reaches half a pixel beyond the edge, so that areas side by side leave no gap;
  /// rings that wind as the first does are areas, the others holes.
  case spread(RGBAColor)
  /// A color on rings that all wind the same way, and may lie over each other.
  case union(RGBAColor)
  case hatch(Hatch)
  case picture(PictureTile)
  case gradient(Gradient)

  /// Lines across an area.
  package struct Hatch: Hashable, Sendable {
    package var stroke: StrokeStyle
    /// The directions of the lines in degrees, counter-clockwise from the right.
    package var angles: [Double]
    /// The distance from line to line.
    package var separation: Double
    /// The origin from which lines are counted; `nil` before that is known.
    var origin: Coordinate?

    package init(
      stroke: StrokeStyle, angles: [Double], separation: Double, origin: Coordinate? = nil
    ) {
      self.stroke = stroke
      self.angles = angles
      self.separation = separation
      self.origin = origin
    }
  }

  /// Copies of a picture side by side.
  package struct PictureTile: Hashable, Sendable {
    package var image: PixelImage
    /// Negative where the copies are seen from behind.
    package var width: Double
    package var height: Double
    /// In degrees, counter-clockwise.
    package var angle: Double
    /// The corner of a copy, to the right and down.
    package var offset = Coordinate(x: 0, y: 0)
    package var opacity = 1.0
    /// The distance along a copy by which its rows move for each unit across it.
    package var skew = 0.0
    /// The origin from which copies are counted; `nil` before that is known.
    package var origin: Coordinate?

    package init(
      image: PixelImage, width: Double, height: Double, angle: Double,
      offset: Coordinate = Coordinate(x: 0, y: 0), opacity: Double = 1, origin: Coordinate? = nil
    ) {
      self.image = image
      self.width = width
      self.height = height
      self.angle = angle
      self.offset = offset
      self.opacity = opacity
      self.origin = origin
    }
  }

  /// A run of colours across the box of an area.
  package struct Gradient: Hashable, Sendable {
    package var stops: [ColorStop]
    /// In degrees, counter-clockwise from the right; `nil` for rings around the middle.
    package var angle: Double?
    /// The box of the whole area; `nil` before that is known.
    var box: Envelope?

    package init(stops: [ColorStop], angle: Double? = nil, box: Envelope? = nil) {
      self.stops = stops
      self.angle = angle
      self.box = box
    }
  }
}
