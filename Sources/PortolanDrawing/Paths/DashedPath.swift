internal import PortolanGeometry

/// Splits a line into its dashes, which are counted from where the line begins.
///
/// Cairo would count from where its part of the line begins, which is another place in each picture.
struct DashedPath {
  /// Shorter patterns are grey.
  private static let shortest = 0.5
  /// The gaps that round ends close, as a share of how far these reach: all but their outermost edge,
  /// a 500th of the width.
  private static let closedGap = 1.0 / 8

  private let dashes: [Double]
  private let total: Double
  private let distanceStep: Double

  /// `nil` for patterns that leave the line whole.
  init?(_ dashes: [Double], distanceStep: Double = 0) {
    let total = dashes.reduce(0, +)
    guard !dashes.isEmpty, dashes.allSatisfy({ $0 >= 0 && $0.isFinite }), total > Self.shortest
    else { return nil }
    // With an odd number, dashes and gaps change places at each turn.
    self.dashes = dashes.count % 2 == 0 ? dashes : dashes + dashes
    self.total = dashes.count % 2 == 0 ? total : 2 * total
    self.distanceStep = distanceStep
  }

  /// The dashes that are seen; those of rings may be counted from their last vertex on.
  func dashes(of path: PixelPath, countingClosingEdge: Bool = false) -> PixelPath {
    var result = PixelPath(isClosed: false)
    result.origin = path.origin
    let seen = path.window.map(SeenPart.init)
    for (number, run) in path.runs.enumerated() {
      let isRing = path.isClosed && !path.openRuns.contains(number)
      var passed = 0.0
      if countingClosingEdge, isRing, let first = run.first, let last = run.last {
        passed = PixelPath.distance(last, first)
      }
      for piece in pieces(isRing ? run + run.prefix(1) : run, seen, isRing: isRing, passed) {
        result.append(piece)
      }
    }
    return result
  }

  /// The dashes that are seen as areas, sheared at corners; `nil` if that has no room for it.
  func areas(of path: PixelPath, _ style: StrokeStyle, sharpReach: Double) -> PixelPath? {
    var areas = PixelPath(isClosed: true)
    areas.origin = path.origin
    let seen = path.window.map(SeenPart.init)
    for (number, run) in path.runs.enumerated() where run.count > 1 {
      let isRing = path.isClosed && !path.openRuns.contains(number)
      var passed = 0.0
      if style.countsClosingEdge, isRing, let first = run.first, let last = run.last {
        passed = PixelPath.distance(last, first)
      }
      guard
        let strip = MiteredStrip(
          run, isRing: isRing, width: style.width, limit: style.miterLimit, sharpReach: sharpReach,
          distanceStep: distanceStep, grid: style.tileGrid, from: passed)
      else { return nil }
      for piece in strip.pieces {
        let (start, end) = (piece.start, piece.end)
        guard let (low, high) = seen.map({ $0.shares(start.center, end.center) }) ?? (0, 1) else {
          continue
        }
        let length = end.distance - start.distance
        let dashes = self.dashes(
          from: start.distance + low * length, to: start.distance + high * length)
        for area in piece.areas(dashes) { areas.append(area) }
      }
    }
    return areas
  }

  private func pieces(
    _ run: ArraySlice<Coordinate>, _ seen: SeenPart?, isRing: Bool, _ passed: Double
  ) -> [[Coordinate]] {
    var passed = passed
    var pieces = DashPieces()
    for (start, end) in zip(run, run.dropFirst()) {
      let length = PixelPath.distance(start, end)
      guard length > 0 else { continue }
      defer { passed += length }
      let from = MiteredStrip.stepped(passed, by: distanceStep)
      let counted =
        distanceStep > 0
        ? MiteredStrip.stepped(passed + length, by: distanceStep) - from : length
      guard counted > 0 else {
        // An edge in which nothing is counted continues with a dash, or with a gap.
        pieces.extend(to: end)
        continue
      }
      guard let (low, high) = seen.map({ $0.shares(start, end) }) ?? (0, 1) else {
        pieces.endDash()
        continue
      }
      if low > 0 { pieces.endDash() }
      let edge = DashedEdge(start: start, end: end, from: from, length: counted)
      for dash in dashes(from: from + low * counted, to: from + high * counted) {
        pieces.add(dash, on: edge)
      }
      if high < 1 { pieces.endDash() }
    }
    pieces.endDash()
    return isRing ? joined(pieces.ended, run.first) : pieces.ended
  }

  /// Whether no gap is seen between dashes whose round ends reach so far along the line.
  ///
  /// Without this, each place could be in thousands of ends.
  func isClosed(by rounding: Double) -> Bool {
    dashes.indices.allSatisfy { $0 % 2 == 0 || dashes[$0] <= rounding * Self.closedGap }
  }

  /// The dashes that touch a part of the line, as distances from its start.
  func dashes(from low: Double, to high: Double) -> [ClosedRange<Double>] {
    guard (high - low).isFinite else { return [] }
    var result: [ClosedRange<Double>] = []
    for number in stride(from: (low / total).rounded(.down), through: high / total, by: 1) {
      var place = number * total
      for (index, dash) in dashes.enumerated() {
        let next = place + dash
        if index % 2 == 0, next >= low, place <= high { result.append(place...next) }
        place = next
      }
    }
    return result
  }

  /// A dash that continues over the place where a ring begins is one.
  private func joined(_ pieces: [[Coordinate]], _ start: Coordinate?) -> [[Coordinate]] {
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last,
      first.first == start, last.last == start
    else { return pieces }
    return [last + first.dropFirst()] + pieces.dropFirst().dropLast()
  }
}

/// An edge of a line, with the distance at which it begins and its length, as dashes are counted.
private struct DashedEdge {
  let start: Coordinate
  let end: Coordinate
  let from: Double
  let length: Double

  func point(_ distance: Double) -> Coordinate {
    let share = (distance - from) / length
    return Coordinate(
      x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
  }
}

/// The dashes of a line, collected edge by edge.
private struct DashPieces {
  /// The length at which a dash without length, which is a dot, is drawn.
  private static let dot = 0.01

  /// The dashes that have ended.
  private(set) var ended: [[Coordinate]] = []
  /// The dash that may continue in the next edge; empty in a gap.
  private var open: [Coordinate] = []

  mutating func extend(to end: Coordinate) {
    if !open.isEmpty { open.append(end) }
  }

  mutating func endDash() {
    guard let last = open.last else { return }
    if open.count == 1 { open.append(Coordinate(x: last.x + Self.dot, y: last.y)) }
    ended.append(open)
    open = []
  }

  /// Adds what a dash covers of an edge.
  mutating func add(_ dash: ClosedRange<Double>, on edge: DashedEdge) {
    let end = edge.from + edge.length
    guard dash.lowerBound < end else { return }
    if dash.lowerBound >= edge.from {
      endDash()
      open = [edge.point(dash.lowerBound)]
    } else if open.isEmpty {
      open = [edge.start]
    }
    if dash.upperBound <= end {
      if dash.upperBound > dash.lowerBound { open.append(edge.point(dash.upperBound)) }
      endDash()
    } else {
      open.append(edge.end)
    }
  }
}
