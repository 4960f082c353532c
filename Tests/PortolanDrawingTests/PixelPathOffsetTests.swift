import PortolanGeometry
import Testing

@testable import PortolanDrawing

@Suite struct PixelPathOffsetTests {
  /// Pixels are counted downwards, so that left of a line to the right is above it.
  @Test(arguments: [(2.0, -2.0), (-2, 2)])
  func `A line is moved to the left of its direction, to the right where the distance is negative`(
    _ distance: Double, _ y: Double
  ) {
    let line = [Coordinate(x: 0, y: 0), Coordinate(x: 10, y: 0)]
    let moved = PixelPath([line], isClosed: false).offset(by: distance)
    #expect(moved.points == [Coordinate(x: 0, y: y), Coordinate(x: 10, y: y)])
  }
}
