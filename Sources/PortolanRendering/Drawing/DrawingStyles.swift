internal import PortolanGeometry
internal import PortolanMap

/// How an area is filled; lengths in pixels.
enum FillStyle: Hashable, Sendable {
  case solid(RGBAColor)
  /// A color with hard edges: a pixel is covered whole, or not at all if less than half of it is.
  case crisp(RGBAColor)
  case hatch(Hatch)
  case picture(PictureTile)
  case gradient(Gradient)

  /// Lines across an area.
  struct Hatch: Hashable, Sendable {
    var stroke: StrokeStyle
    /// The directions of the lines in degrees, counter-clockwise from the right.
    var angles: [Double]
    /// From line to line.
    var separation: Double
    /// From where lines are counted; `nil` before that is known.
    var origin: Coordinate?
  }

  /// Copies of a picture side by side.
  struct PictureTile: Hashable, Sendable {
    var image: PixelImage
    var width: Double
    var height: Double
    /// In degrees, counter-clockwise.
    var angle: Double
    /// Where a corner of a copy is, to the right and down.
    var offset = Coordinate(x: 0, y: 0)
    var opacity = 1.0
    /// From where copies are counted; `nil` before that is known.
    var origin: Coordinate?
  }

  /// A run of colours across the box of an area.
  struct Gradient: Hashable, Sendable {
    var stops: [ColorStop]
    /// In degrees, counter-clockwise from the right; `nil` for rings around the middle.
    var angle: Double?
    /// The box of the whole area; `nil` before that is known.
    var box: Envelope?
  }
}

/// How a line is drawn; lengths in pixels.
struct StrokeStyle: Hashable, Sendable {
  enum Cap: Hashable, Sendable { case butt, round, square }
  enum Join: Hashable, Sendable { case miter, round, bevel }

  var color: RGBAColor
  var width: Double
  /// Dashes and gaps in turn; empty for a line without gaps.
  var dashes: [Double] = []
  /// Whether dashes of rings are counted from the last vertex on, as styles of vector tiles have it,
  /// not from the first.
  var countsClosingEdge = false
  var cap = Cap.round
  var join = Join.round
  /// How far to the left of its direction the line is moved.
  var offset = 0.0
  /// How long mitred corners may be, as a multiple of the width; longer ones are cut.
  var miterLimit = 10.0
}

/// How text is set; lengths in pixels.
struct TextStyle: Hashable, Sendable {
  var family = "sans-serif"
  var size: Double
  var isBold = false
  var isItalic = false
  var isUnderlined = false
  var isStruckThrough = false
  var color: RGBAColor
  var haloColor: RGBAColor?
  /// How far the halo reaches beyond the letters.
  var haloWidth = 0.0
  var backgroundColor: RGBAColor?
  var borderColor: RGBAColor?
  /// The width of the line around the background.
  var borderWidth = 0.0
  /// From letter to letter, beyond what the font has.
  var letterSpacing = 0.0
  /// The width at which lines are broken, if they are.
  var maximumWidth: Double?
  /// Where lines that are shorter than others stand.
  var alignment = Alignment.center
  /// From line to line as a multiple of the size; `nil` for what the font asks for.
  var lineHeight: Double?
  /// How softly the halo ends, where letters come from a package.
  var haloBlur = 0.0
  /// The parts that look different.
  var sections: [Section] = []

  enum Alignment: Hashable, Sendable {
    case left, center, right

    /// What of a shorter line's free space is on its left.
    var share: Double {
      switch self {
      case .left: 0
      case .center: 0.5
      case .right: 1
      }
    }
  }
}

/// Text at a place.
struct TextRun: Hashable, Sendable {
  var text: String
  var style: TextStyle
  /// Where the anchor of the text is.
  var position: Coordinate
  /// The anchor as a share of the text's width from the left and of its height from the top.
  var anchor = Coordinate(x: 0.5, y: 0.5)
  /// In degrees, clockwise.
  var angle = 0.0
}

/// A part of a marker; lengths in pixels from the marker's point, y downwards.
enum MarkerGraphic: Hashable, Sendable {
  case shape(PixelPath, [PathPaint])
  /// A picture in a box.
  case image(PixelImage, Envelope)
  case text(TextRun)
}

/// What is done with a path.
enum PathPaint: Hashable, Sendable {
  case fill(FillStyle)
  case stroke(StrokeStyle)
}

/// Something that is drawn at points; lengths in pixels.
struct MarkerStyle: Hashable, Sendable {
  /// The parts, lowest first.
  var graphics: [MarkerGraphic]
  /// In degrees, clockwise.
  var angle = 0.0
  /// From the point, to the right and down.
  var offset = Coordinate(x: 0, y: 0)
  /// How far from the point anything is drawn.
  var reach: Double
  /// Where markers stand on lines and areas.
  var placement = Placement.middle
  /// Whether markers on lines are turned with them.
  var followsLine = true
  /// How far to the left of a line markers stand.
  var lineOffset = 0.0
  var opacity = 1.0
}
