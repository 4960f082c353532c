internal import PortolanJSON

/// One side of an icon, with the parts of it that are stretched; in pixels of the icon.
struct IconAxis: Sendable {
  /// Parts of more are taken for one.
  private static let maximumParts = 64

  let size: Double
  /// The part for a text; `nil` for all of it.
  let content: ClosedRange<Double>?
  /// The parts that are stretched, which rise and do not touch.
  private let zones: [Range<Double>]

  /// Reads the stretching of a side from the index of icons; without an entry all of it is
  /// stretched alike.
  init(_ json: JSONValue?, size: Double, content: (Double, Double)?) {
    self.size = size
    let (start, end) = content.map { (min(max($0, 0), size), min(max($1, 0), size)) } ?? (0, 0)
    self.content = start < end ? start...end : nil
    var zones: [Range<Double>] = []
    for pair in (json?.array ?? []).prefix(Self.maximumParts) {
      guard let low = pair[0]?.double, let high = pair[1]?.double, low < high,
        low >= zones.last?.upperBound ?? 0, high <= size
      else { continue }
      zones.append(low..<high)
    }
    self.zones = zones.isEmpty ? [0..<size] : zones
  }

  /// The length of the stretched parts together, up to a position.
  private func stretched(upTo place: Double) -> Double {
    zones.reduce(0) { $0 + min(max(place, $1.lowerBound), $1.upperBound) - $1.lowerBound }
  }

  /// The side laid out so that its content takes a length: rigid parts keep theirs, the others share
  /// the rest.
  ///
  /// - Parameters:
  ///   - side: Where the content is to be, in pixels of the style, before the icon is scaled.
  ///   - scale: How many times larger the icon is drawn.
  ///   - pixelRatio: The pixels of the icon along one of the style.
  /// - Returns: The layout; `nil` if nothing of the content can be stretched.
  func layout(
    _ side: ClosedRange<Double>, scale: Double, pixelRatio: Double
  ) -> IconLayout? {
    let whole = stretched(upTo: size)
    let content = content ?? 0...size
    let before = stretched(upTo: content.lowerBound)
    let inside = stretched(upTo: content.upperBound) - before
    let rigid = content.upperBound - content.lowerBound - inside
    let rigidBefore = content.lowerBound - before
    let length = side.upperBound - side.lowerBound
    guard inside > 0, whole > 0, length > 0 else { return nil }
    // An icon is not made so small that its rigid parts lie over each other.
    let scale = max(scale, rigid / pixelRatio / length)
    func place(_ number: Double) -> Double {
      let stretch = stretched(upTo: number)
      let soft = side.lowerBound + length * (stretch - before) / inside
      let fixed = number - stretch - rigidBefore - rigid * stretch / whole
      return soft * scale + fixed / pixelRatio
    }
    let cuts = ([0] + zones.flatMap { [$0.lowerBound, $0.upperBound] } + [size])
      .reduce(into: [Double]()) { if $0.last != $1 { $0.append($1) } }
    return IconLayout(cuts: cuts.map { ($0, place($0)) })
  }
}

/// A side of an icon whose parts have their lengths, in pixels of the style.
struct IconLayout {
  /// Places on the icon, and where they come; between them it is stretched evenly.
  let cuts: [(icon: Double, place: Double)]

  var start: Double { cuts.first?.place ?? 0 }
  var end: Double { cuts.last?.place ?? 0 }

  /// The place on the icon at a place of the side; beside the side it continues as at its end.
  func icon(at place: Double) -> Double {
    var index = 0
    while index + 2 < cuts.count, cuts[index + 1].place < place { index += 1 }
    let (low, high) = (cuts[index], cuts[min(index + 1, cuts.count - 1)])
    let length = high.place - low.place
    return low.icon + (length > 0 ? (place - low.place) / length * (high.icon - low.icon) : 0)
  }
}
