internal import PortolanGeometry

extension SymbolStyle {
  /// The steps that draw a shape with the symbol.
  ///
  /// - Parameters:
  ///   - geometry: The shape.
  ///   - heading: How far markers are turned, in degrees, clockwise on the picture.
  ///   - commands: Where the steps go.
  /// - Returns: Whether the symbol has a part for such a shape.
  func draw(
    _ geometry: PixelGeometry, heading: Double, into commands: inout [DrawCommand]
  ) -> Bool {
    var isDrawn = false
    for layer in layers where draw(layer, geometry, heading, into: &commands) { isDrawn = true }
    return isDrawn || layers.isEmpty
  }

  private func draw(
    _ layer: Layer, _ geometry: PixelGeometry, _ heading: Double,
    into commands: inout [DrawCommand]
  ) -> Bool {
    switch (layer, geometry) {
    case (.changed(let effects, let inner), _):
      var changed: PixelGeometry? = geometry
      for effect in effects { changed = changed.flatMap(effect.applied) }
      // What an effect leaves nothing of is drawn as it asks.
      return changed.map { draw(inner, $0, heading, into: &commands) } ?? true
    case (.fill(let style), .area(let path)): commands.append(.fill(path, style))
    case (.stroke(let style), .area(let path)), (.stroke(let style), .lines(let path)):
      commands.append(.stroke(path, style))
    case (.marker(let style), .points(let points)):
      for point in points { commands.append(.marker(style, at: point, angle: heading)) }
    case (.marker(let style), .lines(let path)):
      for run in path.runs { draw(style, along: run, path.window, heading, into: &commands) }
    case (.marker(let style), .area(let path)): draw(style, in: path, heading, into: &commands)
    default: return false
    }
    return true
  }

  private func draw(
    _ style: MarkerStyle, in path: PixelPath, _ heading: Double, into commands: inout [DrawCommand]
  ) {
    switch style.placement {
    case .middle:
      guard let point = path.interiorPoint else { return }
      commands.append(.marker(style, at: point, angle: heading))
    case .grid(let grid): draw(style, grid, in: path, heading, into: &commands)
    default:
      for run in path.runs {
        draw(style, along: run + run.prefix(1), path.window, heading, into: &commands)
      }
    }
  }

  private func draw(
    _ style: MarkerStyle, _ grid: MarkerStyle.Grid, in path: PixelPath, _ heading: Double,
    into commands: inout [DrawCommand]
  ) {
    guard let box = path.bounds.intersection(path.window ?? path.bounds) else { return }
    let area = path.seenArea
    let reach = grid.edge == .center ? 0 : style.reach
    let places = grid.places(over: box.expanded(by: reach), from: path.origin)
    func markers(_ places: [Coordinate]) -> [DrawCommand] {
      places.map { .marker(style, at: $0, angle: heading) }
    }
    guard grid.edge == .center else {
      return commands.append(.clipped(markers(places), to: area))
    }
    let inside = InsideTest(area)
    commands += markers(places.filter(inside.contains))
  }

  private func draw(
    _ style: MarkerStyle, along run: ArraySlice<Coordinate>, _ window: Envelope?, _ heading: Double,
    into commands: inout [DrawCommand]
  ) {
    for station in style.stations(along: run, in: window) {
      commands.append(.marker(style, at: station.point, angle: station.angle + heading))
    }
  }
}

/// Tells whether places are inside of an area; where rings lie in each other, every other one is a
/// hole.
struct InsideTest {
  /// The pixels that a row of edges is high.
  private static let rowHeight = 16.0
  private static let maximumRows = 4096.0

  private let top: Double
  private let height: Double
  /// The edges that cross each row.
  private var rows: [[(start: Coordinate, end: Coordinate)]]

  init(_ path: PixelPath) {
    let bounds = path.bounds
    let count = min(max((bounds.height / Self.rowHeight).rounded(.up), 1), Self.maximumRows)
    top = bounds.yMin
    height = max(bounds.height / count, 1e-9)
    rows = Array(repeating: [], count: Int(count))
    for run in path.runs {
      guard var previous = run.last else { continue }
      for vertex in run {
        defer { previous = vertex }
        guard previous.y != vertex.y else { continue }
        let (low, high) = (min(previous.y, vertex.y), max(previous.y, vertex.y))
        for row in row(of: low)...row(of: high) { rows[row].append((previous, vertex)) }
      }
    }
  }

  private func row(of y: Double) -> Int {
    Int(min(max((y - top) / height, 0), Double(rows.count - 1)))
  }

  func contains(_ place: Coordinate) -> Bool {
    var isInside = false
    for (start, end) in rows[row(of: place.y)] where (start.y > place.y) != (end.y > place.y) {
      let share = (place.y - start.y) / (end.y - start.y)
      if place.x < start.x + (end.x - start.x) * share { isInside.toggle() }
    }
    return isInside
  }
}
