import PortolanGeometry
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanVectorTiles

/// The space that texts along lines keep free, in the numbers that follow from the source of
/// MapLibre Native.
struct LineCircleTests {
  /// The middles and the diameters of the circles of a text of four letters of 20 pixels, on a level line
  /// of 200.
  private static func circles(
    padding: Double, growth: Double = 1, around anchor: Double = 100
  ) -> [[Double]] {
    let style = TextStyle(size: 24, color: RGBAColor(red: 0, green: 0, blue: 0))
    let letters = (0..<4).map {
      GlyphText.Letter(field: nil, advance: 20, center: Coordinate(x: 20 * Double($0) + 10, y: 12))
    }
    let text = StyleText(
      sections: [], style: style, fonts: [], anchors: [], angle: 0, isMapAligned: true,
      translation: Coordinate(x: 0, y: 0), keepsUpright: true, maximumAngle: 45, padding: padding)
    let circles = LineCircles(
      GlyphText(letters: letters, width: 80, height: 24, style: style), of: text, offset: 0,
      growth: growth, overscaling: 1)
    let curve = LabelCurve([Coordinate(x: 0, y: 50), Coordinate(x: 200, y: 50)])
    return circles.circles(on: curve, around: anchor)
      .map { [$0.bounds.center.x.rounded(), $0.bounds.width.rounded()] }
  }

  @Test(
    arguments: [
      (2, 1, 100, [[72, 28], [100, 28], [128, 28]]),
      // Between whole zooms they are further apart, and as large.
      (2, 1.5, 100, [[79, 28], [100, 28], [121, 28]]),
      // The space kept free makes them larger, and begins the first one further back.
      (20, 1, 100, [[72, 64], [136, 64]]),
      // The line begins too near to the anchor.
      (2, 1, 5, []),
    ] as [(Double, Double, Double, [[Double]])])
  func `A text along a line keeps circles on it free`(
    _ padding: Double, _ growth: Double, _ anchor: Double, _ expected: [[Double]]
  ) {
    #expect(Self.circles(padding: padding, growth: growth, around: anchor) == expected)
  }

  private static let circle = RotatedBox(around: Coordinate(x: 50, y: 50), radius: 10)

  /// The distance from the middle of the circle to that of another one of the same size, in the direction in
  /// which their boxes overlap longest.
  @Test(arguments: [(19.9, true), (20.1, false)])
  func `Circles overlap where their middles are nearer than their radii together`(
    _ distance: Double, _ isNear: Bool
  ) {
    let step = distance / 2.0.squareRoot()
    let other = Self.circle.moved(by: Coordinate(x: step, y: -step))
    #expect(Self.circle.overlaps(other) == isNear && other.overlaps(Self.circle) == isNear)
  }

  /// A box of 20 by 4 whose middle lies to the right of the circle, level or upright, or at its corner.
  @Test(
    arguments: [
      (69.9, 50, 0, true), (70.1, 50, 0, false), (61.9, 50, 90, true), (62.1, 50, 90, false),
      (66.9, 59, 0, true), (67.5, 59, 0, false), (50, 50, 30, true),
    ] as [(Double, Double, Double, Bool)])
  func `A circle overlaps the boxes that it reaches`(
    _ x: Double, _ y: Double, _ angle: Double, _ isReached: Bool
  ) {
    let box = RotatedBox(
      at: PixelPath.Station(point: Coordinate(x: x, y: y), angle: angle), width: 20, height: 4,
      margin: 0)
    #expect(Self.circle.overlaps(box) == isReached && box.overlaps(Self.circle) == isReached)
  }
}
