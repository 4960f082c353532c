internal import Foundation
internal import PortolanGeometry

extension MarkerStyle {
  /// Markers along one line are cut off after so many.
  private static let maximumCount = 2000

  /// Where markers stand along a run of vertices.
  func stations(along run: ArraySlice<Coordinate>) -> [PixelPath.Station] {
    let stations: [PixelPath.Station]
    if case .vertices(let withEnds) = placement {
      let vertices = Array(run)
      let chosen = withEnds ? vertices[...] : vertices.dropFirst().dropLast()
      stations = chosen.prefix(Self.maximumCount).map { PixelPath.Station(point: $0, angle: 0) }
    } else {
      stations = PixelPath.stations(run, at: distances(along: run))
    }
    return stations.map(placed)
  }

  /// Moved off the line and turned as the marker asks.
  private func placed(_ station: PixelPath.Station) -> PixelPath.Station {
    let angle = station.angle * .pi / 180
    let point = Coordinate(
      x: station.point.x + sin(angle) * lineOffset, y: station.point.y - cos(angle) * lineOffset)
    return PixelPath.Station(point: point, angle: followsLine ? station.angle : 0)
  }

  private func distances(along run: ArraySlice<Coordinate>) -> [Double] {
    let length = PixelPath.length(run)
    switch placement {
    case .middle, .grid, .vertices: return [length / 2]
    case .ends(let first, let last, let inset):
      let inset = min(max(inset, 0), length / 2)
      // Rounding must not put the last one beyond the end.
      return (first ? [inset] : []) + (last ? [(length - inset) * (1 - 1e-9)] : [])
    case .ratios(let shares):
      return shares.map { min(max($0, 0), 1) * length * (1 - 1e-9) }.sorted()
    case .segments:
      var passed = 0.0
      return zip(run, run.dropFirst()).prefix(Self.maximumCount).map { start, end in
        let piece = PixelPath.distance(start, end)
        defer { passed += piece }
        return passed + piece / 2
      }
    case .along(let row): return row.places(on: length, limit: Self.maximumCount)
    }
  }
}

extension MarkerStyle.Row {
  /// The distances of markers from the start of a line; at least one.
  func places(on length: Double, limit: Int) -> [Double] {
    let steps = distances.map { max($0, 2) }
    let whole = steps.reduce(0, +)
    guard whole > 0, length.isFinite else { return [length / 2] }
    if start == nil, steps.count == 1 {
      let count = min(Int(length / steps[0]), limit)
      guard count > 0 else { return [length / 2] }
      if meetsEnds {
        return (0...count).map { Double($0) * length / Double(count) * (1 - 1e-9) }
      }
      return (0..<count).map { (Double($0) + 0.5) * length / Double(count) }
    }
    var place = start ?? (meetsEnds ? 0 : steps[0] / 2)
    var places: [Double] = []
    while place <= length, places.count < limit {
      places.append(max(place, 0))
      place += steps[(places.count - 1) % steps.count]
    }
    return places
  }
}

extension MarkerStyle.Grid {
  /// Markers of one area; a denser grid is made wider.
  private static let maximumCount = 20_000.0

  /// The places of markers over a box and a little around it, each always the same for its place
  /// in the grid.
  func places(over box: Envelope) -> [Coordinate] {
    var (across, down) = (max(stepX, 2), max(stepY, 2))
    let reach = (box.width * box.width + box.height * box.height).squareRoot() / 2
    let count = (2 * reach / across + 2) * (2 * reach / down + 2)
    if count > Self.maximumCount {
      let factor = (count / Self.maximumCount).squareRoot()
      across *= factor
      down *= factor
    }
    let turn = -angle.remainder(dividingBy: 360) * .pi / 180
    let (cosine, sine) = (cos(turn), sin(turn))
    let center = box.center
    // The middle of the box in the grid, whose corner is that of the picture.
    let x = center.x * cosine + center.y * sine - offsetX
    let y = center.y * cosine - center.x * sine + offsetY
    let columns = range((x - reach) / across - 1, (x + reach) / across + 1)
    let rows = range((y - reach) / down - 1, (y + reach) / down + 1)
    var places: [Coordinate] = []
    for row in rows {
      for column in columns {
        let odd = shiftsOddRows && row % 2 != 0 ? 0.5 : 0
        let (dx, dy) = jitter(column, row)
        let (gridX, gridY) = (
          (Double(column) + odd + dx) * across + offsetX, (Double(row) + dy) * down - offsetY
        )
        places.append(
          Coordinate(x: gridX * cosine - gridY * sine, y: gridX * sine + gridY * cosine))
      }
    }
    return places
  }

  private func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    guard let first = Int(exactly: low.rounded(.down)), let last = Int(exactly: high.rounded(.up)),
      first <= last, last - first < 20_000
    else { return 0...0 }
    return first...last
  }

  private func jitter(_ column: Int, _ row: Int) -> (Double, Double) {
    guard scatter > 0 else { return (0, 0) }
    var mixed = seed &+ UInt64(bitPattern: Int64(column)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ UInt64(bitPattern: Int64(row))) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 29)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 32
    func share(_ bits: UInt64) -> Double { (Double(bits & 0xFFFF) / 65535 - 0.5) * scatter }
    return (share(mixed), share(mixed >> 16))
  }
}
