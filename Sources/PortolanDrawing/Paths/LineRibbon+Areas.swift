internal import Foundation
internal import PortolanGeometry

extension LineRibbon {
  /// The areas of a line that are visible: both sides of its gap, and its dashes.
  static func areas(of path: PixelPath, _ style: StrokeStyle, _ dashes: DashedPath?) -> PixelPath {
    var areas = PixelPath(isClosed: true)
    areas.origin = path.origin
    guard style.width > 0 else { return areas }
    let sides = sides(style)
    let rounding =
      dashes != nil && style.cap == .round ? style.dashRounding ?? style.width / 2 : 0
    let dashes = dashes.flatMap { $0.isClosed(by: rounding) ? nil : $0 }
    for (number, run) in path.runs.enumerated() {
      let isRing = path.isClosed && !path.openRuns.contains(number)
      for triangle in LineRibbon(run, isRing: isRing, style).triangles {
        let seen = path.window.map { triangle.clipped(to: $0) } ?? triangle
        for side in sides {
          let part = side.map { seen.clipped(across: $0) } ?? seen
          guard part.count > 2 else { continue }
          guard let dashes else {
            areas.appendArea(part)
            continue
          }
          for area in part.dashed(dashes, side ?? style.whole, rounding) { areas.appendArea(area) }
        }
      }
    }
    return areas
  }

  /// The parts of the ribbon that are drawn, as distances across the line; `nil` for all of it.
  static func sides(_ style: StrokeStyle) -> [ClosedRange<Double>?] {
    guard style.gapWidth > 0 else { return [nil] }
    let (inner, outer) = (style.gapWidth / 2, style.gapWidth / 2 + style.width)
    return [inner...outer, -outer...(-inner)]
  }
}

extension StrokeStyle {
  /// The range from the left side of a line in one piece to its right side.
  fileprivate var whole: ClosedRange<Double> { -width / 2...width / 2 }
}

extension [LineRibbon.Vertex] {
  /// The corners of half of a round end.
  private static let roundSteps = 6

  func clipped(to box: Envelope) -> Self {
    if allSatisfy({ box.contains($0.place) }) { return self }
    return clipped { $0.place.x - box.xMin }.clipped { box.xMax - $0.place.x }
      .clipped { $0.place.y - box.yMin }.clipped { box.yMax - $0.place.y }
  }

  func clipped(across side: ClosedRange<Double>) -> Self {
    clipped { $0.across - side.lowerBound }.clipped { side.upperBound - $0.across }
  }

  /// The dashes in a part of a triangle; their ends are round where `rounding` is positive.
  fileprivate func dashed(
    _ dashes: DashedPath, _ side: ClosedRange<Double>, _ rounding: Double
  ) -> [Self] {
    let distances = map(\.distance)
    guard let low = distances.min(), let high = distances.max() else { return [] }
    return dashes.dashes(from: low - rounding, to: high + rounding).compactMap { dash in
      let part =
        clipped { $0.distance - (dash.lowerBound - rounding) }
        .clipped { dash.upperBound + rounding - $0.distance }
      guard rounding > 0, part.contains(where: { !dash.contains($0.distance) }) else {
        return part.count > 2 ? part : nil
      }
      let round = part.rounded(dash, side, rounding)
      return round.count > 2 ? round : nil
    }
  }

  /// The inside of an oval end of a dash.
  private func rounded(
    _ dash: ClosedRange<Double>, _ side: ClosedRange<Double>, _ rounding: Double
  ) -> Self {
    let middle = (side.lowerBound + side.upperBound) / 2
    let half = Swift.max((side.upperBound - side.lowerBound) / 2, 1e-6)
    var part = self
    for step in 0..<(4 * Self.roundSteps) {
      let angle = (Double(step) + 0.5) / Double(4 * Self.roundSteps) * 2 * .pi
      let (along, aside) = (cos(angle), sin(angle))
      part = part.clipped { vertex in
        let ahead =
          along > 0 ? vertex.distance - dash.upperBound : vertex.distance - dash.lowerBound
        return 1 - ahead / rounding * along - (vertex.across - middle) / half * aside
      }
    }
    return part
  }

  /// The part in which a value that changes evenly is not negative.
  func clipped(_ value: (LineRibbon.Vertex) -> Double) -> Self {
    let values = map(value)
    if values.allSatisfy({ $0 >= 0 }) { return self }
    var result: Self = []
    for index in indices {
      let next = index + 1 < count ? index + 1 : 0
      if values[index] >= 0 { result.append(self[index]) }
      if (values[index] >= 0) != (values[next] >= 0) {
        result.append(
          self[index].mixed(self[next], values[index] / (values[index] - values[next])))
      }
    }
    return result
  }
}

extension LineRibbon.Vertex {
  fileprivate func mixed(_ other: Self, _ share: Double) -> Self {
    Self(
      place: Coordinate(
        x: place.x + (other.place.x - place.x) * share,
        y: place.y + (other.place.y - place.y) * share),
      across: across + (other.across - across) * share,
      distance: distance + (other.distance - distance) * share)
  }
}

extension PixelPath {
  /// Adds a ring that winds as all others do, so that none makes a hole in another.
  fileprivate mutating func appendArea(_ area: [LineRibbon.Vertex]) {
    let ring = area.map(\.place)
    var twice = 0.0
    for (here, next) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      twice += here.x * next.y - next.x * here.y
    }
    guard twice != 0 else { return }
    append(twice > 0 ? ring : ring.reversed())
  }
}
