internal import PortolanGeometry

extension SymbolStyle {
  /// Markers along one line are cut off after so many.
  private static let maximumMarkersOnLine = 2000

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
    for layer in layers {
      switch (layer, geometry) {
      case (.fill(let style), .area(let path)): commands.append(.fill(path, style))
      case (.stroke(let style), .area(let path)), (.stroke(let style), .lines(let path)):
        commands.append(.stroke(path, style))
      case (.marker(let style), .points(let points)):
        for point in points { commands.append(.marker(style, at: point, angle: heading)) }
      case (.marker(let style), .lines(let path)):
        for run in path.runs { draw(style, along: run, heading, into: &commands) }
      case (.marker(let style), .area(let path)): draw(style, in: path, heading, into: &commands)
      default: continue
      }
      isDrawn = true
    }
    return isDrawn || layers.isEmpty
  }

  private func draw(
    _ style: MarkerStyle, in path: PixelPath, _ heading: Double, into commands: inout [DrawCommand]
  ) {
    if case .middle = style.placement {
      guard let point = path.interiorPoint else { return }
      commands.append(.marker(style, at: point, angle: heading))
    } else {
      for run in path.runs { draw(style, along: run, heading, into: &commands) }
    }
  }

  private func draw(
    _ style: MarkerStyle, along run: ArraySlice<Coordinate>, _ heading: Double,
    into commands: inout [DrawCommand]
  ) {
    let length = PixelPath.length(run)
    let distances: [Double]
    switch style.placement {
    case .middle: distances = [length / 2]
    case .along(let spacing):
      let count = min(Int(length / spacing), Self.maximumMarkersOnLine)
      distances = (0..<max(count, 1)).map {
        count == 0 ? length / 2 : (Double($0) + 0.5) * length / Double(count)
      }
    case .ends(let first, let last):
      distances = (first ? [0] : []) + (last ? [length * (1 - 1e-9)] : [])
    case .vertices:
      for point in run.prefix(Self.maximumMarkersOnLine) {
        commands.append(.marker(style, at: point, angle: heading))
      }
      return
    }
    for station in PixelPath.stations(run, at: distances) {
      commands.append(.marker(style, at: station.point, angle: station.angle + heading))
    }
  }
}
