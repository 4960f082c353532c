/// Letters of a text in lines that are about equally long; lengths in pixels of an em of 24.
///
/// Breaks are chosen so that the squares of what lines lack or have too much are least, as map
/// libraries for these styles do.
struct GlyphLines {
  /// A line of text.
  struct Line {
    /// The glyphs from left to right.
    var glyphs: [GlyphShape]
    /// Less than zero where letters are so close that the last one is before the first.
    var width: Double
    /// The share of the size of the text that its largest letter has.
    var scale: Double
    /// The height of its highest icon, which pushes the line down if it is higher than the letters.
    var iconHeight: Double

    /// The height of adjacent letters and icons.
    var contentHeight: Double { max(scale * GlyphShape.em, iconHeight) }

    /// The distance from the top of the line to that of the next; `lineHeight` is that of letters.
    func height(_ lineHeight: Double) -> Double {
      lineHeight * scale + contentHeight - scale * GlyphShape.em
    }
  }

  /// Texts with more words are broken where a line is full.
  private static let maximumBreaks = 64

  private(set) var lines: [Line] = []
  /// The width of the longest line.
  private(set) var width = 0.0
  private let spacing: Double

  init(_ glyphs: [GlyphShape], spacing: Double, maximumWidth: Double?) {
    self.spacing = spacing
    // A break at the end of a text begins no line.
    let glyphs = glyphs.last == GlyphShape.lineBreak ? Array(glyphs.dropLast()) : glyphs
    let parts = glyphs.split(
      separator: .lineBreak, maxSplits: 40, omittingEmptySubsequences: false)
    let target = maximumWidth.flatMap { Self.target(glyphs, spacing, $0) }
    let hasHints = glyphs.contains { $0.scalar == GlyphShape.breakHint.scalar }
    for (number, part) in parts.enumerated() {
      let isEnd = number == parts.count - 1
      let breaks =
        target.map { Self.breaks(part, spacing, $0, isEnd: isEnd, hasHints: hasHints) } ?? []
      var start = part.startIndex
      for end in breaks + [part.endIndex] {
        add(part[start..<end])
        start = end
      }
    }
    width = lines.reduce(0) { max($0, $1.width) }
  }

  private mutating func add(_ glyphs: ArraySlice<GlyphShape>) {
    var glyphs = glyphs
    while glyphs.first?.isBlank == true { glyphs.removeFirst() }
    while glyphs.last?.isBlank == true { glyphs.removeLast() }
    let ordered = TextDirection.visual(glyphs) { $0.level }
    lines.append(
      Line(
        glyphs: ordered, width: Self.width(glyphs, spacing),
        scale: glyphs.map(\.fontScale).max() ?? 1,
        iconHeight: glyphs.map(\.iconHeight).max() ?? 0))
  }

  private static func width(_ glyphs: ArraySlice<GlyphShape>, _ spacing: Double) -> Double {
    let advances = glyphs.reduce(0.0) { $0 + $1.scaledAdvance }
    return advances + spacing * Double(max(glyphs.count - 1, 0))
  }

  /// The width at which all lines are about alike; `nil` for a text that has room in one.
  private static func target(
    _ glyphs: [GlyphShape], _ spacing: Double, _ maximum: Double
  ) -> Double? {
    let letters = glyphs.filter { $0 != .lineBreak }
    let total = letters.reduce(0.0) { $0 + $1.levelAdvance + spacing }
    // Sizes of letters are rounded in their last digits.
    let count = (total / max(maximum, 1e-9) - 1e-6).rounded(.up)
    return maximum > 0 && count > 1 ? total / count : nil
  }

  /// The starts of lines, the first left out.
  ///
  /// Blanks count for the width that lines should have, but not for the one that they have.
  private static func breaks(
    _ glyphs: ArraySlice<GlyphShape>, _ spacing: Double, _ target: Double, isEnd: Bool,
    hasHints: Bool
  ) -> [Int] {
    var places: [(index: Int, pen: Double, badness: Double, before: Int?)] = []
    var pen = 0.0
    for index in glyphs.indices {
      if glyphs[index].scalar != 0x20 { pen += glyphs[index].levelAdvance + spacing }
      let isLast = index == glyphs.endIndex - 1
      // A bracket that opens begins a line, unless it is the last letter of the text.
      let isBeforeBracket =
        !isLast && glyphs[index + 1].scalar == 0x28 && !(isEnd && index + 2 == glyphs.endIndex)
      guard isLast || isBeforeBracket || glyphs[index].allowsBreak,
        isLast || places.count < maximumBreaks
      else { continue }
      let penalty =
        isLast ? 0 : penalty(glyphs[index], glyphs[index + 1], hasHints: hasHints)
      func badness(_ width: Double) -> Double {
        Self.badness(width, target, isLast: isLast && isEnd) + penalty
      }
      var best = (badness: badness(pen), before: Int?.none)
      for (number, place) in places.enumerated() {
        let total = place.badness + badness(pen - place.pen)
        if total <= best.badness { best = (total, number) }
      }
      places.append((index + 1, pen, best.badness, best.before))
    }
    var found: [Int] = []
    var place = places.last?.before
    while let number = place {
      found.append(places[number].index)
      place = places[number].before
    }
    return found.reversed()
  }

  /// The badness of a line of that width; short last lines do little harm.
  private static func badness(_ width: Double, _ target: Double, isLast: Bool) -> Double {
    let square = (width - target) * (width - target)
    return isLast ? (width < target ? square / 2 : square * 2) : square
  }

  /// The penalty of a break between two letters: brackets should not be alone, and a text that says
  /// where it may be broken is better broken there.
  private static func penalty(
    _ last: GlyphShape, _ next: GlyphShape, hasHints: Bool
  ) -> Double {
    var penalty = hasHints && last.isIdeograph ? 150.0 : 0
    if [0x28, 0xFF08].contains(last.scalar) { penalty += 50 }
    if [0x29, 0xFF09].contains(next.scalar) { penalty += 50 }
    return penalty * penalty
  }
}

extension GlyphShape {
  /// The distance from pen to pen, in pixels of an em of 24 of the text; an em for letters below
  /// each other.
  var scaledAdvance: Double { (isUpright ? Self.em : penWidth) * scale }

  /// The same as if the text were level; so lengths count where lines are broken, in columns too.
  fileprivate var levelAdvance: Double { penWidth * scale }

  fileprivate var isBlank: Bool { scalar == 0x20 || scalar == 0x3000 }

  /// Whether a line may end after the letter: a blank, a hyphen, an icon, or one of those Asian
  /// letters that are written without blanks.
  fileprivate var allowsBreak: Bool {
    switch scalar {
    case _ where iconSize != nil: true
    case 0x20, 0x26, 0x29, 0x2B, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027: true
    default: isIdeograph
    }
  }

  /// Whether the letter is one of those Asian ones that are written without blanks, or a mark of their
  /// width between them.
  fileprivate var isIdeograph: Bool {
    switch scalar {
    case 0x2E80...0xA4CF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE4F,
      0xFF00...0xFFEF:
      true
    default: false
    }
  }
}
