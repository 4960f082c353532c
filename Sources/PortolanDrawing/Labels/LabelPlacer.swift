internal import PortolanGeometry

/// Finds places for labels so that none covers another.
///
/// Labels go by rank; one that finds no place is left out. None but those in the middle of
/// their own marker cover markers.
struct LabelPlacer {
  private var labels: OccupiedSpace
  private var markers: OccupiedSpace
  private var said: [String: [Coordinate]] = [:]
  private let typesetter: Typesetter
  private let pixelRatio: Double
  /// Letters of labels that no font on this machine has.
  private(set) var unknownGlyphCount = 0

  /// Whether icons and halos too must be inside of the area.
  var keepsInside = false
  private let area: Envelope

  init?(width: Int, height: Int, pixelRatio: Double, markers: [Envelope]) {
    self.init(
      area: Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height)),
      pixelRatio: pixelRatio, markers: markers)
  }

  /// For labels that stand in `area`.
  init?(area: Envelope, pixelRatio: Double, markers obstacles: [Envelope]) {
    guard let typesetter = Typesetter() else { return nil }
    self.area = area
    self.typesetter = typesetter
    self.pixelRatio = pixelRatio
    labels = OccupiedSpace(area)
    markers = OccupiedSpace(area)
    for box in obstacles { markers.occupy(TurnedBox(box)) }
  }

  /// The labels that find a place, in the order of their ranks.
  mutating func place(_ candidates: [LabelCandidate]) -> [PlacedLabel] {
    candidates.sorted { $0.rank < $1.rank }.map { place($0) }
  }

  /// What draws a label; nothing if it finds no place.
  mutating func place(_ candidate: LabelCandidate) -> PlacedLabel {
    let text = freePlace(for: candidate)
    let icon = text?.place.icon ?? candidate.icon ?? candidate.places.first?.icon
    let wantsText = !candidate.places.isEmpty
    let iconFits =
      icon.map { icon in
        candidate.iconOverlap.isAllowed
          || (!labels.collides(icon.box) && (!keepsInside || area.contains(icon.box.bounds)))
      } ?? true
    var drawsText = text != nil
    var drawsIcon = icon != nil && iconFits
    if icon != nil, wantsText {
      // What is not optional takes the other part along when it finds no place.
      if !iconFits, !candidate.iconIsOptional { drawsText = false }
      if text == nil, !candidate.textIsOptional { drawsIcon = false }
    }
    var placed = PlacedLabel(layering: candidate.layering)
    if drawsIcon, let icon {
      if !candidate.iconOverlap.isIgnored { labels.occupy(icon.box) }
      placed.icon = [icon.drawing]
    }
    if drawsText, let text { placed.text = take(text.place, text.boxes, candidate) }
    return placed
  }

  /// The first place that is free, and what the text covers there.
  private mutating func freePlace(
    for candidate: LabelCandidate
  ) -> (place: LabelPlace, boxes: [TurnedBox])? {
    var measured: (width: Double, height: Double)?
    for place in candidate.places {
      let boxes = boxes(of: place, candidate, &measured)
      if candidate.textOverlap.isAllowed { return (place, boxes) }
      guard boxes.allSatisfy({ labels.isFree($0) }), !isRepeated(place, candidate),
        !keepsInside || isInside(boxes, place)
      else { continue }
      if candidate.coversMarkers || !boxes.contains(where: { markers.collides($0) }) {
        return (place, boxes)
      }
    }
    return nil
  }

  /// Whether also what surrounds the letters is inside of the area.
  private func isInside(_ boxes: [TurnedBox], _ place: LabelPlace) -> Bool {
    let reach = place.lettering.reach + 2 * pixelRatio
    return boxes.allSatisfy { area.contains($0.bounds.expanded(by: reach)) }
  }

  private func boxes(
    of place: LabelPlace, _ candidate: LabelCandidate,
    _ measured: inout (width: Double, height: Double)?
  ) -> [TurnedBox] {
    guard place.boxes.isEmpty, case .run(let run) = place.lettering else { return place.boxes }
    if measured == nil {
      typesetter.set(run.text, in: run.style)
      measured = (typesetter.box.width, typesetter.box.height)
    }
    guard let measured else { return [] }
    return [
      TurnedBox(
        run, width: measured.width, height: measured.height,
        margin: max(pixelRatio, candidate.textOverlap.padding))
    ]
  }

  private mutating func take(
    _ place: LabelPlace, _ boxes: [TurnedBox], _ candidate: LabelCandidate
  ) -> [DrawCommand] {
    if !candidate.textOverlap.isIgnored { for box in boxes { labels.occupy(box) } }
    if let key = candidate.repeatKey { said[key, default: []].append(place.position) }
    countUnknownGlyphs(place.lettering)
    return place.commands
  }

  private mutating func countUnknownGlyphs(_ lettering: LabelPlace.Lettering) {
    switch lettering {
    case .run(let run):
      typesetter.set(run.text, in: run.style)
      unknownGlyphCount += typesetter.unknownGlyphCount
    case .letters(let runs):
      guard let first = runs.first else { return }
      typesetter.set(runs.map(\.text).joined(), in: first.style)
      unknownGlyphCount += typesetter.unknownGlyphCount
    case .glyphs: break
    }
  }

  private func isRepeated(_ place: LabelPlace, _ candidate: LabelCandidate) -> Bool {
    guard let key = candidate.repeatKey else { return false }
    return said[key]?.contains {
      PixelPath.distance($0, place.position) < candidate.repeatDistance
    } ?? false
  }
}
