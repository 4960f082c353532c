internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanSymbols

/// Draws features that are selected once more, framed in a colour that maps do not have.
struct SelectionHighlight {
  private static let color = RGBAColor(red: 0, green: 255, blue: 255)

  private let pixelRatio: Double

  init(pixelRatio: Double) { self.pixelRatio = pixelRatio }

  /// The steps that frame a shape whose symbol reaches so far from it, in pixels.
  func commands(_ geometry: PixelGeometry, reach: Double) -> [DrawCommand] {
    let width = 3 * pixelRatio
    switch geometry {
    case .points(let points):
      let ring = MarkerStyle(
        graphics: [
          .shape(
            .circle(radius: reach + width),
            [.stroke(StrokeStyle(color: Self.color, width: width))])
        ], reach: reach + 2 * width)
      return points.map { .marker(ring, at: $0, angle: 0) }
    case .lines(let path):
      let band = StrokeStyle(color: Self.color.faded(0.6), width: 2 * reach + 2 * width)
      return [.stroke(path, band)]
    case .area(let path):
      return [
        .fill(path, .solid(Self.color.faded(0.25))),
        .stroke(path, StrokeStyle(color: Self.color, width: width)),
      ]
    }
  }
}
