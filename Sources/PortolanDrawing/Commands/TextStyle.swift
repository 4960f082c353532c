package import PortolanMap

/// The style of a text; lengths in pixels.
package struct TextStyle: Hashable, Sendable {
  package var family = "sans-serif"
  package var size: Double
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var isStruckThrough = false
  package var color: RGBAColor
  package var haloColor: RGBAColor?
  /// The width of the halo beyond the letters.
  package var haloWidth = 0.0
  package var backgroundColor: RGBAColor?
  package var borderColor: RGBAColor?
  /// The width of the line around the background.
  package var borderWidth = 0.0
  /// The distance from letter to letter, beyond that of the font.
  package var letterSpacing = 0.0
  /// The width at which lines are broken, if they are.
  package var maximumWidth: Double?
  /// The alignment of shorter lines.
  package var alignment = Alignment.center
  /// The distance from line to line as a multiple of the size; `nil` for that of the font.
  package var lineHeight: Double?
  /// The blur of the halo's edge, where letters come from a package.
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

    /// The share of a shorter line's free space that is on its left.
    package var share: Double {
      switch self {
      case .left: 0
      case .center: 0.5
      case .right: 1
      }
    }
  }
}
