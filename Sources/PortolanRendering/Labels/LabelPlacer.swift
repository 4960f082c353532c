internal import PortolanGeometry

/// Finds places for labels so that none covers another.
///
/// Labels go by rank; one that finds no place is left out. Places where no marker stands are taken
/// before others.
struct LabelPlacer {
  /// Labels that say the same of parts of one thing are so far apart, in pixels.
  private static let repeatDistance = 200.0

  private var labels: OccupiedSpace
  private var markers: OccupiedSpace
  private var said: [String: [Coordinate]] = [:]
  private let typesetter: Typesetter
  private let pixelRatio: Double
  /// Letters of labels that no font on this machine has.
  private(set) var unknownGlyphCount = 0

  init?(width: Int, height: Int, pixelRatio: Double, markers obstacles: [Envelope]) {
    guard let typesetter = Typesetter() else { return nil }
    self.typesetter = typesetter
    self.pixelRatio = pixelRatio
    labels = OccupiedSpace(width: Double(width), height: Double(height))
    markers = OccupiedSpace(width: Double(width), height: Double(height))
    for box in obstacles { markers.occupy(TurnedBox(box)) }
  }

  /// The steps that draw the labels that find a place, in the order of their ranks.
  mutating func place(_ candidates: [LabelCandidate]) -> [DrawCommand] {
    candidates.sorted { $0.rank < $1.rank }.flatMap { place($0) }
  }

  private mutating func place(_ candidate: LabelCandidate) -> [DrawCommand] {
    let icon = candidate.iconBox.map { TurnedBox($0) }
    if let icon, !candidate.iconMayOverlap, labels.collides(icon) { return [] }
    let text = place(textOf: candidate)
    let needsText = !candidate.places.isEmpty && !candidate.textIsOptional
    if text == nil, needsText, !candidate.iconMayOverlap || candidate.icon == nil { return [] }
    if let icon { labels.occupy(icon) }
    return [candidate.icon, text.map(DrawCommand.text)].compactMap(\.self)
  }

  private mutating func place(textOf candidate: LabelCandidate) -> TextRun? {
    guard let first = candidate.places.first else { return nil }
    typesetter.set(first.text, in: first.style)
    let size = typesetter.box
    let boxes = candidate.places.map { run in
      (run, TurnedBox(run, width: size.width, height: size.height, margin: pixelRatio))
    }
    if candidate.mayOverlap { return take(boxes[0], candidate) }
    let free = boxes.filter { labels.isFree($0.1) && !isRepeated($0.0, candidate) }
    guard let best = free.first(where: { !markers.collides($0.1) }) ?? free.first else {
      return nil
    }
    return take(best, candidate)
  }

  private mutating func take(
    _ place: (TextRun, TurnedBox), _ candidate: LabelCandidate
  ) -> TextRun {
    labels.occupy(place.1)
    if let key = candidate.repeatKey { said[key, default: []].append(place.0.position) }
    unknownGlyphCount += typesetter.unknownGlyphCount
    return place.0
  }

  private func isRepeated(_ run: TextRun, _ candidate: LabelCandidate) -> Bool {
    guard let key = candidate.repeatKey else { return false }
    return said[key]?.contains {
      PixelPath.distance($0, run.position) < Self.repeatDistance * pixelRatio
    } ?? false
  }
}
