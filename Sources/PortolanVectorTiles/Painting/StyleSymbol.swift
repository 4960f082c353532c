internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

/// The symbol of a feature in a symbol layer: a text, an icon, and how they relate to others.
struct StyleSymbol {
  var text: StyleText
  var icon: StyleIcon?
  /// The key that distinguishes it from others of its layer.
  var key: String
  /// Lower goes first.
  var sortKey: Double
  /// Whether what is farther down is drawn above the others.
  var sortsByHeight: Bool
  /// Whether it also finds its place before the others.
  var placesByHeight: Bool
  var textOverlap: LabelCandidate.Overlap
  var iconOverlap: LabelCandidate.Overlap
  var textIsOptional: Bool
  var iconIsOptional: Bool
  /// Whether the icon turns with the map.
  var iconIsMapAligned: Bool
  /// Whether the icon turns with the line that it is on.
  var iconFollowsLine: Bool
}

/// A text of a symbol; lengths in pixels of the picture.
struct StyleText {
  /// A place beside the point.
  struct Anchor {
    /// The part of the text that is at the point: a share of its width and of its height.
    var share: Coordinate
    /// The offset from the point, to the right and down.
    var offset: Coordinate
    var alignment: TextStyle.Alignment
  }

  /// An icon set in a text like a letter.
  struct Icon {
    /// The character in place of an icon in texts.
    static let letter = "\u{FFFC}"

    var name: String
    var image: PixelImage
    /// The pixels of the style across.
    var width: Double
    /// The pixels of the style down.
    var height: Double
    var opacity: Double
  }

  /// A text at a place beside its point.
  struct Placed {
    var place: LabelPlace
    /// The box around its point, before it is rotated.
    var box: Envelope
    var inColumn: Bool

    /// The same with its middle on the point.
    var centered: Envelope {
      Envelope(
        xMin: -box.width / 2, yMin: -box.height / 2, xMax: box.width / 2, yMax: box.height / 2)
    }
  }

  /// A part of the text that has a look of its own.
  struct Section {
    var text: String
    /// The fonts, joined by commas; `nil` for those of the text.
    var fonts: String?
    /// The size as a share of that of the text.
    var scale = 1.0
    /// The colour, if it is not that of the text.
    var color: RGBAColor?
    /// The vertical position of the section in its line: 0 at the top, 1 on the foot of all
    /// letters.
    var drop = 1.0
    /// The icon in the text; the section has one letter for it.
    var icon: Icon?

    /// Whether the section looks as the text does.
    var isPlain: Bool { fonts == nil && scale == 1 && color == nil && icon == nil }
  }

  var sections: [Section]
  var style: TextStyle
  /// The fonts as the style names them.
  var fonts: [String]
  /// The places in the order in which they are tried.
  var anchors: [Anchor]
  /// Whether the style gives several places to choose among, even if it names but one.
  var choosesAnchor = false
  /// Whether the text is written downwards at points; both ways in the order in which they are tried.
  var inColumns = [false]
  /// In degrees, clockwise.
  var angle: Double
  /// Whether the text turns with the map, or follows its line.
  var isMapAligned: Bool
  /// The default offset of the text: from the point, to the right and down.
  var translation: Coordinate
  /// Whether its letters stay level where they follow a line.
  var keepsLettersLevel = false
  /// Whether it is turned where it would be upside down.
  var keepsUpright: Bool
  /// The maximum turn of its line from a letter to the next, in degrees.
  var maximumAngle: Double
  /// The space kept free around it.
  var padding: Double
  /// The size of its collision box as a multiple of its own.
  var collisionScale = 1.0

  /// The text of all sections.
  var text: String { sections.map(\.text).joined() }

  /// The key that distinguishes the text from others, its style included.
  var key: String {
    sections.map { section in
      guard !section.isPlain else { return section.text }
      let (color, icon) = (section.color?.pixel ?? 0, section.icon?.name ?? "")
      return "\(section.text)\n\(section.scale) \(section.drop) \(color) \(icon)"
    }.joined()
  }
}
