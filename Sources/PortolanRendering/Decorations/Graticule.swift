internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

/// Lines of equal longitude and latitude, with their degrees at the edge of the picture.
struct Graticule {
  /// Lines of one direction; a world of them says nothing.
  private static let maximumLines = 40
  private static let verticesPerLine = 60

  private let session: DrawingSession
  /// The visible extent of the map, in pixels.
  private let box: Envelope

  /// Lines over the whole picture, or over the part of a page that shows the map.
  init(_ session: DrawingSession, in box: Envelope? = nil) {
    self.session = session
    self.box =
      box
      ?? Envelope(
        xMin: 0, yMin: 0, xMax: Double(session.width), yMax: Double(session.height))
  }

  /// The steps that draw the lines; none where the ground has no longitude and latitude.
  var commands: [DrawCommand] {
    let frame = session.frame
    // The same: a reference that PROJ does not know has no lines.
    guard let projection = try? Projection(from: .wgs84, to: frame.spatialReference),
      let extent = frame.visibleExtentInDegrees,
      let area = extent.intersection(Envelope(xMin: -3600, yMin: -85, xMax: 3600, yMax: 85))
    else { return [] }
    let step = Self.step(for: max(area.width, area.height))
    var commands: [DrawCommand] = []
    for longitude in Self.multiples(of: step, from: area.xMin, to: area.xMax) {
      let places = Self.shares.map {
        Coordinate(x: longitude, y: area.yMin + area.height * $0)
      }
      commands += line(projection.project(places), Self.text(Self.wrapped(longitude), "E", "W"))
    }
    for latitude in Self.multiples(of: step, from: area.yMin, to: area.yMax) {
      let places = Self.shares.map { Coordinate(x: area.xMin + area.width * $0, y: latitude) }
      commands += line(projection.project(places), Self.text(latitude, "N", "S"))
    }
    return commands
  }

  private static let shares = (0...verticesPerLine).map { Double($0) / Double(verticesPerLine) }

  private func line(_ places: [Coordinate], _ text: String) -> [DrawCommand] {
    let ratio = session.pixelRatio
    let picture = PixelProjection(session.transform, clip: box)
    let line = Geometry.polyline(Polyline(paths: [Path(places.filter { $0.x.isFinite })]))
    // The text is placed where the line enters the picture.
    guard case .lines(let path)? = picture.project(line)?.cut, let start = path.points.first else {
      return []
    }
    let color = RGBAColor(red: 70, green: 80, blue: 110, alpha: 130)
    var style = TextStyle(size: 9 * ratio, color: color.opaque)
    style.haloColor = .white
    style.haloWidth = 1.5 * ratio
    let inset = 3 * ratio
    let position = Coordinate(
      x: min(max(start.x + inset, box.xMin + inset), box.xMax - 30 * ratio),
      y: min(max(start.y - inset, box.yMin + 12 * ratio), box.yMax - inset))
    return [
      .stroke(path, StrokeStyle(color: color, width: 0.75 * ratio)),
      .text(
        TextRun(text: text, style: style, position: position, anchor: Coordinate(x: 0, y: 1))),
    ]
  }

  /// The step that gives four to eight lines: whole degrees, then parts of an hour of arc.
  private static func step(for width: Double) -> Double {
    let degrees: [Double] = [30, 20, 10, 5, 2, 1, 0.5, 0.25]
    let minutes: [Double] = [5, 2, 1, 0.5, 0.25]
    let steps = degrees + minutes.map { $0 / 60 } + [5.0 / 3600, 1.0 / 3600]
    return steps.first { width / $0 >= 4 } ?? 1 / 3600
  }

  private static func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
    let first = (low / step).rounded(.up)
    let count = min(Int(max((high / step).rounded(.down) - first + 1, 0)), maximumLines)
    return (0..<count).map { (first + Double($0)) * step }
  }

  /// A longitude from -180 to 180; beyond the date line counting continues from the other side.
  private static func wrapped(_ longitude: Double) -> Double {
    longitude.remainder(dividingBy: 360)
  }

  /// Degrees, minutes and seconds, as many as there are.
  private static func text(_ value: Double, _ positive: String, _ negative: String) -> String {
    let seconds = Int((abs(value) * 3600).rounded())
    let (degrees, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    let parts = [
      "\(degrees)°", minutes > 0 || rest > 0 ? "\(minutes)′" : "", rest > 0 ? "\(rest)″" : "",
    ]
    return parts.joined()
      + (seconds == 0 || seconds == 180 * 3600 ? "" : value > 0 ? positive : negative)
  }
}

extension RGBAColor {
  /// The colour without any transparency.
  fileprivate var opaque: RGBAColor { RGBAColor(red: red, green: green, blue: blue) }
}
