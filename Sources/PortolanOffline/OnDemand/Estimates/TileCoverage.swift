internal import PortolanGeometry
internal import PortolanTiles

/// The tiles of a level that an area touches, row by row; no list of them is made.
struct TileCoverage {
  /// What of a tile an area must reach into to count as touching it.
  private static let tolerance = 1e-6
  /// The rows and columns that go into one file of a package.
  private static let bundleSide = 128
  /// Of more rows than this only every second, third and so on is looked at; no service exports that
  /// many tiles.
  private static let mostRows = 20_000

  /// The smallest rectangle of tiles that holds the area.
  let bounds: TileRange
  /// How many tiles there are.
  let count: Int
  /// How many files of a package they go into.
  let bundleCount: Int

  private let edges: [Edge]?

  /// An edge of the area, in columns and rows of tiles, the upper end first.
  private struct Edge {
    let top: Coordinate
    let bottom: Coordinate

    init?(_ first: Coordinate, _ second: Coordinate) {
      guard first.y.isFinite, second.y.isFinite, first.x.isFinite, second.x.isFinite else {
        return nil
      }
      (top, bottom) = first.y <= second.y ? (first, second) : (second, first)
    }

    func x(at y: Double) -> Double {
      guard bottom.y > top.y else { return top.x }
      return top.x + (bottom.x - top.x) * (y - top.y) / (bottom.y - top.y)
    }

    /// What of the columns the edge passes between two heights.
    func columns(from upper: Double, to lower: Double) -> ClosedRange<Double> {
      guard bottom.y > top.y else { return min(top.x, bottom.x)...max(top.x, bottom.x) }
      let (first, last) = (x(at: max(upper, top.y)), x(at: min(lower, bottom.y)))
      return min(first, last)...max(first, last)
    }
  }

  /// Counts the tiles of a level; `nil` if the scheme has no such level, or the area lies beside all
  /// tiles.
  ///
  /// - Parameters:
  ///   - area: The area in the coordinates of the scheme.
  ///   - limit: Where there are tiles at all; everywhere if `nil`.
  ///   - level: The level.
  ///   - scheme: How the plane is cut.
  init?(of area: OfflineArea, within limit: Envelope?, level: Int, in scheme: TileScheme) {
    let extent = limit.map { area.extent.intersection($0) } ?? area.extent
    guard let extent, let bounds = scheme.range(covering: extent, level: level), !bounds.isEmpty,
      let size = scheme.level(level).map(scheme.tileSize(of:))
    else { return nil }
    self.bounds = bounds
    guard case .polygon(let polygon) = area.geometry else {
      edges = nil
      count = bounds.count
      bundleCount = Self.bundles(bounds.rows) * Self.bundles(bounds.columns)
      return
    }
    let edges = Self.edges(of: polygon, scheme.origin, size.width, size.height)
    self.edges = edges
    (count, bundleCount) = Self.counted(edges, bounds)
  }

  /// The tiles at some places of their order, row by row; the places ascend.
  func tiles(at places: [Int]) -> [TileID] {
    guard let edges else {
      return places.map { place in
        TileID(
          level: bounds.level, row: bounds.rows.lowerBound + place / bounds.columns.count,
          column: bounds.columns.lowerBound + place % bounds.columns.count)
      }
    }
    var (tiles, passed) = ([TileID](), 0)
    var rest = places[...]
    let step = Self.step(bounds)
    Self.walk(edges, bounds) { row, spans in
      for span in spans {
        while let place = rest.first, place < passed + span.count * step {
          let column = span.lowerBound + (place - passed) / step
          tiles.append(TileID(level: bounds.level, row: row, column: column))
          rest = rest.dropFirst()
        }
        passed += span.count * step
      }
      return !rest.isEmpty
    }
    return tiles
  }

  private static func bundles(_ range: Range<Int>) -> Int {
    (range.upperBound - 1) / bundleSide - range.lowerBound / bundleSide + 1
  }

  private static func edges(
    of polygon: Polygon, _ origin: Coordinate, _ width: Double, _ height: Double
  ) -> [Edge] {
    let edges = polygon.rings.flatMap { ring -> [Edge] in
      let points = ring.coordinates.map {
        Coordinate(x: ($0.x - origin.x) / width, y: (origin.y - $0.y) / height)
      }
      guard let first = points.first else { return [] }
      return zip(points, points.dropFirst() + [first]).compactMap { Edge($0, $1) }
    }
    return edges.sorted { $0.top.y < $1.top.y }
  }

  private static func counted(
    _ edges: [Edge], _ bounds: TileRange
  ) -> (tiles: Int, bundles: Int) {
    var (tiles, bundles) = (0, 0)
    var band: (number: Int, columns: Range<Int>)?
    let step = step(bounds)
    walk(edges, bounds) { row, spans in
      tiles += spans.reduce(0) { $0 + $1.count } * step
      guard let first = spans.first, let last = spans.last else { return true }
      let columns = first.lowerBound..<last.upperBound
      if let known = band, known.number == row / bundleSide {
        band?.columns =
          min(
            known.columns.lowerBound, columns.lowerBound)..<max(
            known.columns.upperBound, columns.upperBound)
      } else {
        bundles += band.map { Self.bundles($0.columns) } ?? 0
        band = (row / bundleSide, columns)
      }
      return true
    }
    return (tiles, bundles + (band.map { Self.bundles($0.columns) } ?? 0))
  }

  // MARK: - Rows

  private static func step(_ bounds: TileRange) -> Int { bounds.rows.count / mostRows + 1 }

  /// Walks along the rows with the columns that the polygon touches, until `body` says no.
  private static func walk(
    _ edges: [Edge], _ bounds: TileRange, _ body: (Int, [Range<Int>]) -> Bool
  ) {
    var next = 0
    var active: [Edge] = []
    for row in stride(from: bounds.rows.lowerBound, to: bounds.rows.upperBound, by: step(bounds)) {
      let (upper, lower) = (Double(row), Double(row) + 1)
      while next < edges.count, edges[next].top.y < lower - tolerance {
        active.append(edges[next])
        next += 1
      }
      active.removeAll { $0.bottom.y <= upper + tolerance }
      let spans = columns(of: inside(active, at: upper) + along(active, upper, lower), bounds)
      guard body(row, spans) else { return }
    }
  }

  /// What lies inside just below a height.
  private static func inside(_ edges: [Edge], at y: Double) -> [ClosedRange<Double>] {
    // Ends that lie a hair beside the line count as on it, so that crossings come in pairs.
    let line = y + tolerance
    let crossings = edges.filter { $0.top.y <= line && $0.bottom.y > line }.map { $0.x(at: line) }
      .sorted()
    return stride(from: 0, to: crossings.count - 1, by: 2).map {
      crossings[$0]...crossings[$0 + 1]
    }
  }

  /// What the edges pass in a row.
  private static func along(
    _ edges: [Edge], _ upper: Double, _ lower: Double
  ) -> [ClosedRange<Double>] {
    edges.map { $0.columns(from: upper, to: lower) }
  }

  /// The columns of whole tiles, in order and apart.
  private static func columns(
    of spans: [ClosedRange<Double>], _ bounds: TileRange
  ) -> [Range<Int>] {
    let limits = (Double(bounds.columns.lowerBound), Double(bounds.columns.upperBound))
    let ranges = spans.compactMap { span -> Range<Int>? in
      let first = max(limits.0, (span.lowerBound + tolerance).rounded(.down))
      // What ends at the edge of a tile does not call for the next one.
      let last = min(limits.1, (span.upperBound - tolerance).rounded(.up))
      return first < last ? Int(first)..<Int(last) : nil
    }
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let known = merged.last, range.lowerBound <= known.upperBound {
        merged[merged.count - 1] =
          known.lowerBound..<max(known.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
