/// Letters of a text in lines that are about equally long; lengths in pixels of an em of 24.
///
/// Breaks are chosen so that the squares of what lines lack or have too much are least, as map
/// libraries for these styles do.
struct GlyphLines {
  /// A line of text.
  struct Line {
    /// From left to right.
    var glyphs: [GlyphShape]
    /// Less than zero where letters stand so close that the last one is before the first.
    var width: Double
    /// The share of the size of the text that its largest letter has.
    var scale: Double
  }

  /// Texts with more words are broken where a line is full.
  private static let maximumBreaks = 64

  private(set) var lines: [Line] = []
  /// That of the longest line.
  private(set) var width = 0.0
  private let spacing: Double

  init(_ glyphs: [GlyphShape], spacing: Double, maximumWidth: Double?) {
    self.spacing = spacing
    for part in glyphs.split(
      separator: .lineBreak, maxSplits: 40, omittingEmptySubsequences: false)
    {
      let breaks = maximumWidth.map { Self.breaks(part, spacing, $0) } ?? []
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
        scale: glyphs.map(\.lineScale).max() ?? 1))
  }

  private static func width(_ glyphs: ArraySlice<GlyphShape>, _ spacing: Double) -> Double {
    let advances = glyphs.reduce(0.0) { $0 + $1.scaledAdvance }
    return advances + spacing * Double(max(glyphs.count - 1, 0))
  }

  /// Where lines begin, the first left out.
  private static func breaks(
    _ glyphs: ArraySlice<GlyphShape>, _ spacing: Double, _ maximum: Double
  ) -> [Int] {
    let total = width(glyphs, spacing)
    guard maximum > 0, total > maximum else { return [] }
    let target = total / (total / maximum).rounded(.up)
    var places: [(index: Int, pen: Double, badness: Double, before: Int?)] = []
    var pen = 0.0
    for index in glyphs.indices {
      pen += glyphs[index].scaledAdvance + spacing
      let isLast = index == glyphs.endIndex - 1
      guard isLast || glyphs[index].allowsBreak, isLast || places.count < maximumBreaks else {
        continue
      }
      var best = (badness: badness(pen, target, isLast), before: Int?.none)
      for (number, place) in places.enumerated() {
        let total = place.badness + badness(pen - place.pen, target, isLast)
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

  /// What speaks against a line of that width; short last lines do little harm.
  private static func badness(_ width: Double, _ target: Double, _ isLast: Bool) -> Double {
    let square = (width - target) * (width - target)
    return isLast ? (width < target ? square / 2 : square * 2) : square
  }
}

extension GlyphShape {
  /// From pen to pen, in pixels of an em of 24 of the text; an em for letters below each other.
  var scaledAdvance: Double { (isUpright ? Self.em : Double(advance)) * scale }

  fileprivate var isBlank: Bool { scalar == 0x20 || scalar == 0x3000 }

  /// Whether a line may end after the letter: a blank, a hyphen, or one of those Asian letters that
  /// are written without blanks.
  fileprivate var allowsBreak: Bool {
    switch scalar {
    case 0x20, 0x26, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027: true
    case 0x2E80...0xA4CF, 0xAC00...0xD7AF, 0xF900...0xFAFF: true
    default: false
    }
  }
}
