internal import PortolanGeometry

/// Finds places for labels so that none covers another.
///
/// Labels go by rank; one that finds no place is left out. None but those in the middle of
/// their own marker cover markers.
struct LabelPlacer {
  private var labels: CollisionIndex
  private var markers: CollisionIndex
  private var said: [String: [Coordinate]] = [:]
  private let typesetter: Typesetter
  private let pixelRatio: Double
  /// The points around a picture in which labels that may be cut keep others away.
  private static let margin = 100.0

  /// Letters of labels that no font on this machine has.
  private(set) var unknownGlyphCount = 0

  /// Whether texts of styles that may cover others look for a place where they need not; what is known
  /// of the others must then be the same in all pictures.
  var seeksRoom = true
  /// Whether icons and halos too must be inside of the area.
  var keepsInside = false
  private let area: Envelope

  init?(width: Int, height: Int, pixelRatio: Double, markers: [Envelope]) {
    self.init(
      area: Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height)),
      pixelRatio: pixelRatio, markers: markers)
  }

  /// Creates a placer for labels in `area`.
  init?(area: Envelope, pixelRatio: Double, markers obstacles: [Envelope]) {
    guard let typesetter = Typesetter() else { return nil }
    self.area = area
    self.typesetter = typesetter
    self.pixelRatio = pixelRatio
    labels = CollisionIndex(area, margin: Self.margin * pixelRatio)
    markers = CollisionIndex(area)
    for box in obstacles { markers.occupy(RotatedBox(box)) }
  }

  /// The labels that find a place, in the order of their ranks.
  mutating func place(_ candidates: [LabelCandidate]) -> [PlacedLabel] {
    candidates.sorted { $0.rank < $1.rank }.map { place($0) }
  }

  /// The placed label; nothing if it finds no place.
  mutating func place(_ candidate: LabelCandidate) -> PlacedLabel {
    let text = freePlace(for: candidate)
    let icon = text?.place.icon ?? candidate.icon ?? candidate.places.first?.icon
    let wantsText = !candidate.places.isEmpty
    let iconFits = icon.map { fits($0, candidate) } ?? true
    var drawsText = text != nil
    var drawsIcon = icon != nil && iconFits
    if icon != nil, wantsText {
      // A part that is not optional takes the other part along when it finds no place.
      if !iconFits, !candidate.iconIsOptional { drawsText = false }
      if text == nil, !candidate.textIsOptional { drawsIcon = false }
    }
    var placed = PlacedLabel(layering: candidate.layering)
    if drawsIcon, let icon {
      if !candidate.iconOverlap.isIgnored {
        labels.occupy(icon.box, mayBeCovered: candidate.iconOverlap.isAllowed)
      }
      placed.icon = [icon.drawing]
      placed.covered.append(icon.ink.bounds)
    }
    if drawsText, let text {
      placed.text = take(text.place, text.boxes, candidate)
      let mayCover = candidate.textOverlap.isAllowed || candidate.textOverlap.isIgnored
      if mayCover, let parts = text.place.haloApart {
        (placed.halos, placed.text) = (parts.halos, parts.letters)
      }
      placed.covered += Self.ink(text.boxes, text.place).map(\.bounds)
    }
    return placed
  }

  /// Whether the marker of a label may be drawn at its place.
  private func fits(_ icon: LabelIcon, _ candidate: LabelCandidate) -> Bool {
    candidate.iconOverlap.isUnconditional
      || (!labels.collides(icon.box, withAll: !candidate.iconOverlap.isAllowed)
        && (!keepsInside || area.contains(icon.box.bounds.union(icon.ink.bounds))))
  }

  /// The first place that is free, and what the text covers there.
  ///
  /// Texts that may cover others do so only where none of their places is free; in the cells of a
  /// grid they are at the first, which is the same whatever is known of the others.
  private mutating func freePlace(
    for candidate: LabelCandidate
  ) -> (place: LabelPlace, boxes: [RotatedBox])? {
    var measured: (width: Double, height: Double)?
    let places = candidate.places.map { ($0, boxes(of: $0, candidate, &measured)) }
    let overlap = candidate.textOverlap
    let seeksRoom = seeksRoom && candidate.mayBeCut && places.count > 1
    if !overlap.isUnconditional || seeksRoom {
      for (place, boxes) in places where isFree(place, boxes, candidate, coversOthers: false) {
        return (place, boxes)
      }
    }
    guard overlap.isCooperative else { return overlap.isAllowed ? places.first : nil }
    return places.first { isFree($0, $1, candidate, coversOthers: true) }
  }

  /// Whether a text may be drawn at a place; `coversOthers` lets it cover those that may cover others.
  private func isFree(
    _ place: LabelPlace, _ boxes: [RotatedBox], _ candidate: LabelCandidate, coversOthers: Bool
  ) -> Bool {
    let mayBeCut = candidate.mayBeCut && !keepsInside
    guard labels.holds(boxes, inPart: mayBeCut),
      !boxes.contains(where: { labels.collides($0, withAll: !coversOthers) }),
      !isRepeated(place, candidate), !keepsInside || isInside(boxes, place)
    else { return false }
    // If there is a choice, an icon that goes with its text needs room too.
    if candidate.places.count > 1, let icon = place.icon, !fits(icon, candidate) { return false }
    return candidate.coversMarkers || !boxes.contains { markers.collides($0) }
  }

  /// Whether also what surrounds the letters is inside of the area.
  private func isInside(_ boxes: [RotatedBox], _ place: LabelPlace) -> Bool {
    let reach = place.lettering.reach + 2 * pixelRatio
    return Self.ink(boxes, place).allSatisfy { area.contains($0.bounds.expanded(by: reach)) }
  }

  /// The boxes that a text with `boxes` to keep free covers.
  private static func ink(_ boxes: [RotatedBox], _ place: LabelPlace) -> [RotatedBox] {
    place.ink.isEmpty ? boxes : place.ink
  }

  private func boxes(
    of place: LabelPlace, _ candidate: LabelCandidate,
    _ measured: inout (width: Double, height: Double)?
  ) -> [RotatedBox] {
    guard place.boxes.isEmpty, case .run(let run) = place.lettering else { return place.boxes }
    if measured == nil {
      typesetter.set(run.text, in: run.style)
      measured = (typesetter.box.width, typesetter.box.height)
    }
    guard let measured else { return [] }
    return [
      RotatedBox(
        run, width: measured.width, height: measured.height,
        margin: max(pixelRatio, candidate.textOverlap.padding))
    ]
  }

  private mutating func take(
    _ place: LabelPlace, _ boxes: [RotatedBox], _ candidate: LabelCandidate
  ) -> [DrawCommand] {
    if !candidate.textOverlap.isIgnored {
      for box in boxes { labels.occupy(box, mayBeCovered: candidate.textOverlap.isAllowed) }
    }
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
