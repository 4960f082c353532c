package import PortolanDrawing
internal import PortolanGeometry

extension SymbolStyle {
  /// The steps that draw a shape with the symbol.
  ///
  /// - Parameters:
  ///   - geometry: The shape.
  ///   - heading: How far markers are turned, in degrees, clockwise on the picture.
  ///   - commands: Where the steps go.
  /// - Returns: Whether the symbol has a part for such a shape.
  package func draw(
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
      // An effect that leaves nothing is drawn as it asks.
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
