internal import PortolanGeometry

/// The labels that layers ask for, and the markers that they should not cover.
final class LabelCollection {
  /// A picture has no room for more.
  private static let maximumCount = 20_000

  private var candidates: [LabelCandidate] = []
  private var markers: [Envelope] = []

  /// Whether no further label is taken down.
  var isFull: Bool { candidates.count >= Self.maximumCount }

  /// Takes a label down; false if there are too many.
  func add(_ candidate: LabelCandidate) -> Bool {
    guard !isFull else { return false }
    candidates.append(candidate)
    return true
  }

  func addMarkers(_ points: [Coordinate], reach: Double) {
    guard markers.count < Self.maximumCount, reach > 0 else { return }
    // Round markers leave the corners of their boxes free.
    let reach = reach * 0.7
    for point in points.prefix(Self.maximumCount) {
      markers.append(
        Envelope(
          xMin: point.x - reach, yMin: point.y - reach, xMax: point.x + reach,
          yMax: point.y + reach))
    }
  }

  /// The labels that find a place, and how many of their letters no font has.
  func placed(
    width: Int, height: Int, pixelRatio: Double
  ) -> (labels: [DrawCommand], unknownGlyphs: Int) {
    guard !candidates.isEmpty,
      var placer = LabelPlacer(
        width: width, height: height, pixelRatio: pixelRatio, markers: markers)
    else { return ([], 0) }
    let labels = placer.place(candidates)
    return (labels, placer.unknownGlyphCount)
  }
}
