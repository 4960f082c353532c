package import PortolanGeometry
package import PortolanImages
package import PortolanMap

/// How an area is filled; lengths in pixels.
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
    /// From line to line.
    package var separation: Double
    /// From where lines are counted; `nil` before that is known.
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
    /// Where a corner of a copy is, to the right and down.
    package var offset = Coordinate(x: 0, y: 0)
    package var opacity = 1.0
    /// How far along a copy its rows move for each unit across it.
    package var skew = 0.0
    /// From where copies are counted; `nil` before that is known.
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

/// How a line is drawn; lengths in pixels.
package struct StrokeStyle: Hashable, Sendable {
  package enum Cap: Hashable, Sendable { case butt, round, square }
  package enum Join: Hashable, Sendable { case miter, round, bevel }

  package var color: RGBAColor
  package var width: Double
  /// Dashes and gaps in turn; empty for a line without gaps.
  package var dashes: [Double] = []
  /// Whether dashes of rings are counted from the last vertex on, as styles of vector tiles have it,
  /// not from the first.
  package var countsClosingEdge = false
  /// How far from sharp corners dashes are sheared to their bisectors, and in all of the line at
  /// others, as in styles of vector tiles; `nil` for dashes that stand square to the line.
  package var shearReach: Double?
  /// What the distances at vertices are multiples of, rounded down, by which dashes are counted: tiles
  /// of styles keep them in few bits, which shows where they are enlarged; 0 for exact distances.
  package var distanceStep = 0.0
  /// In whole steps of which the vertices are that limit what is sheared at sharp corners; `nil` where
  /// they lie on the line.
  package var tileGrid: TileGrid?
  package var cap = Cap.round
  package var join = Join.round
  /// How far to the left of its direction the line is moved.
  package var offset = 0.0
  /// From one side to the other of a line that has two, each of `width`; 0 for a line in one piece.
  package var gapWidth = 0.0
  /// How far along the line the round ends of dashes reach; `nil` for half of the width.
  package var dashRounding: Double?
  /// How long mitred corners may be, as a multiple of the width; longer ones are cut.
  package var miterLimit = 10.0

  package init(
    color: RGBAColor, width: Double, dashes: [Double] = [], countsClosingEdge: Bool = false,
    cap: Cap = .round, join: Join = .round, offset: Double = 0, miterLimit: Double = 10
  ) {
    self.color = color
    self.width = width
    self.dashes = dashes
    self.countsClosingEdge = countsClosingEdge
    self.cap = cap
    self.join = join
    self.offset = offset
    self.miterLimit = miterLimit
  }
}

/// How text is set; lengths in pixels.
package struct TextStyle: Hashable, Sendable {
  package var family = "sans-serif"
  package var size: Double
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var isStruckThrough = false
  package var color: RGBAColor
  package var haloColor: RGBAColor?
  /// How far the halo reaches beyond the letters.
  package var haloWidth = 0.0
  package var backgroundColor: RGBAColor?
  package var borderColor: RGBAColor?
  /// The width of the line around the background.
  package var borderWidth = 0.0
  /// From letter to letter, beyond what the font has.
  package var letterSpacing = 0.0
  /// The width at which lines are broken, if they are.
  package var maximumWidth: Double?
  /// Where lines that are shorter than others stand.
  package var alignment = Alignment.center
  /// From line to line as a multiple of the size; `nil` for what the font asks for.
  package var lineHeight: Double?
  /// How softly the halo ends, where letters come from a package.
  package var haloBlur = 0.0
  /// The parts that look different.
  package var sections: [Section] = []

  package init(
    family: String = "sans-serif", size: Double, isBold: Bool = false, isItalic: Bool = false,
    isUnderlined: Bool = false, isStruckThrough: Bool = false, color: RGBAColor,
    haloColor: RGBAColor? = nil, haloWidth: Double = 0, backgroundColor: RGBAColor? = nil,
    borderColor: RGBAColor? = nil, borderWidth: Double = 0, letterSpacing: Double = 0,
    maximumWidth: Double? = nil, alignment: Alignment = .center, lineHeight: Double? = nil,
    haloBlur: Double = 0, sections: [Section] = []
  ) {
    self.family = family
    self.size = size
    self.isBold = isBold
    self.isItalic = isItalic
    self.isUnderlined = isUnderlined
    self.isStruckThrough = isStruckThrough
    self.color = color
    self.haloColor = haloColor
    self.haloWidth = haloWidth
    self.backgroundColor = backgroundColor
    self.borderColor = borderColor
    self.borderWidth = borderWidth
    self.letterSpacing = letterSpacing
    self.maximumWidth = maximumWidth
    self.alignment = alignment
    self.lineHeight = lineHeight
    self.haloBlur = haloBlur
    self.sections = sections
  }

  package enum Alignment: Hashable, Sendable {
    case left, center, right

    /// What of a shorter line's free space is on its left.
    package var share: Double {
      switch self {
      case .left: 0
      case .center: 0.5
      case .right: 1
      }
    }
  }
}

/// Text at a place.
package struct TextRun: Hashable, Sendable {
  package var text: String
  package var style: TextStyle
  /// Where the anchor of the text is.
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

/// A part of a marker; lengths in pixels from the marker's point, y downwards.
package enum MarkerGraphic: Hashable, Sendable {
  case shape(PixelPath, [PathPaint])
  /// A picture in a box.
  case image(PixelImage, Envelope)
  case text(TextRun)
}

/// What is done with a path.
package enum PathPaint: Hashable, Sendable {
  case fill(FillStyle)
  case stroke(StrokeStyle)
}

/// Something that is drawn at points; lengths in pixels.
package struct MarkerStyle: Hashable, Sendable {
  /// The parts, lowest first.
  package var graphics: [MarkerGraphic]
  /// In degrees, clockwise.
  package var angle = 0.0
  /// From the point, to the right and down.
  package var offset = Coordinate(x: 0, y: 0)
  /// How far from the point anything is drawn.
  package var reach: Double
  /// Where markers stand on lines and areas.
  package var placement = Placement.middle
  /// Whether markers on lines are turned with them.
  package var followsLine = true
  /// How far to the left of a line markers stand.
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
