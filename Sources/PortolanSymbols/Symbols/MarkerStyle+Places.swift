internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

extension MarkerStyle {
  /// Markers of one line in one picture; no more are drawn.
  private static let maximumCount = 20_000

  /// The stations of markers along a run of vertices, as far as they are visible in `window`.
  func stations(
    along run: ArraySlice<Coordinate>, in window: Envelope? = nil
  ) -> [PixelPath.Station] {
    let stations: [PixelPath.Station]
    switch placement {
    case .vertices(let withEnds):
      let chosen = withEnds ? run : run.dropFirst().dropLast()
      stations = chosen.filter { window?.contains($0) ?? true }.prefix(Self.maximumCount)
        .map { PixelPath.Station(point: $0, angle: 0) }
    case .along(let row): stations = self.stations(of: row, along: run, window)
    default:
      stations = PixelPath.stations(run, at: distances(along: run))
        .filter { window?.contains($0.point) ?? true }
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
    case .middle, .grid, .vertices, .along: return [length / 2]
    case .ends(let first, let last, let inset):
      let inset = min(max(inset, 0), length / 2)
      // Rounding must not put the last one beyond the end.
      return (first ? [inset] : []) + (last ? [(length - inset) * (1 - 1e-9)] : [])
    case .ratios(let shares):
      return shares.map { min(max($0, 0), 1) * length * (1 - 1e-9) }.sorted()
    case .segments:
      var passed = 0.0
      return zip(run, run.dropFirst()).map { start, end in
        let piece = PixelPath.distance(start, end)
        defer { passed += piece }
        return passed + piece / 2
      }
    }
  }

  /// Markers one after the other, counted from the start of the line; edges that cannot be seen are
  /// passed over.
  private func stations(
    of row: Row, along run: ArraySlice<Coordinate>, _ window: Envelope?
  ) -> [PixelPath.Station] {
    let length = PixelPath.length(run)
    let seen = window.map(SeenPart.init)
    var stations: [PixelPath.Station] = []
    var passed = 0.0
    for (start, end) in zip(run, run.dropFirst()) {
      let piece = PixelPath.distance(start, end)
      defer { passed += piece }
      guard piece > 0, seen?.mayShow(start, end) ?? true else { continue }
      let isLast = passed + piece >= length
      let angle = PixelPath.Station.angle(
        of: Coordinate(x: end.x - start.x, y: end.y - start.y))
      for place in row.places(on: length, from: passed, to: isLast ? .infinity : passed + piece) {
        guard stations.count < Self.maximumCount else { return stations }
        let share = min(max((place - passed) / piece, 0), 1)
        let point = Coordinate(
          x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
        guard window?.contains(point) ?? true else { continue }
        stations.append(PixelPath.Station(point: point, angle: angle))
      }
    }
    return stations
  }
}

extension MarkerStyle.Row {
  /// Markers on one edge; no more are drawn.
  private static let maximumCount = 20_000.0

  /// The distances of markers from the start of a line, as far as they are on a part of it; on the
  /// whole line there is at least one.
  func places(on length: Double, from low: Double, to high: Double) -> [Double] {
    let steps = distances.map { max($0, 2) }
    let whole = steps.reduce(0, +)
    let middle = [length / 2].filter { $0 >= low && $0 < high }
    guard whole > 0, length.isFinite, low.isFinite else { return middle }
    let count = (length / steps[0]).rounded(.down)
    if start == nil, steps.count == 1 {
      guard count > 0 else { return middle }
      let step = length / count
      return numbers(from: (low / step - 1), to: (min(high, length) / step + 1), upTo: count)
        .map { meetsEnds ? $0 * step * (1 - 1e-9) : ($0 + 0.5) * step }
        .filter { $0 >= low && $0 < high && $0 <= length }
    }
    let start = start ?? (meetsEnds ? 0 : steps[0] / 2)
    let rounds = numbers(
      from: (low - start) / whole - 1, to: (min(high, length) - start) / whole + 1, upTo: .infinity)
    return rounds.flatMap { round in
      var place = start + round * whole
      return steps.map { step in
        defer { place += step }
        return max(place, 0)
      }
    }.filter { $0 >= low && $0 < high && $0 <= length }
  }

  private func numbers(from low: Double, to high: Double, upTo limit: Double) -> [Double] {
    let first = max(low.rounded(.down), 0)
    let last = min(high.rounded(.up), limit, first + Self.maximumCount)
    return first <= last ? Array(stride(from: first, through: last, by: 1)) : []
  }
}

extension MarkerStyle.Grid {
  /// The pixels of a marker's cell; a denser grid is made wider.
  private static let minimumCell = 16.0
  /// Markers of one area in one picture; those of larger pictures are fewer.
  private static let maximumCount = 500_000.0

  /// The places of markers over a box and a little around it, each always the same for its place
  /// in the grid, which begins at `origin`.
  func places(over box: Envelope, from origin: Coordinate = Coordinate(x: 0, y: 0)) -> [Coordinate]
  {
    var (across, down) = (max(stepX, 2), max(stepY, 2))
    let reach = (box.width * box.width + box.height * box.height).squareRoot() / 2
    let count = (2 * reach / across + 2) * (2 * reach / down + 2)
    let factor = max(Self.minimumCell / (across * down), count / Self.maximumCount, 1).squareRoot()
    across *= factor
    down *= factor
    let turn = -angle.remainder(dividingBy: 360) * .pi / 180
    let (cosine, sine) = (cos(turn), sin(turn))
    let center = Coordinate(x: box.center.x - origin.x, y: box.center.y - origin.y)
    // The middle of the box in the grid.
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
          Coordinate(
            x: origin.x + (gridX * cosine - gridY * sine),
            y: origin.y + (gridX * sine + gridY * cosine)))
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
