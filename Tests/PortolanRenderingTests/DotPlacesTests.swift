import PortolanGeometry
import Testing

@testable import PortolanRendering

@Suite struct DotPlacesTests {
  private static func places(of feature: UInt64) -> [Coordinate] {
    var places = DotPlaces(seed: feature)
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 100, yMax: 100)
    return (0..<200).map { _ in places.next(in: extent) }
  }

  @Test(arguments: [UInt64(2), 3, 5, 101])
  func `The dots of one feature are not those of another`(_ other: UInt64) {
    let numbers = Set(Self.places(of: 1).flatMap { [$0.x, $0.y] })
    #expect(Self.places(of: other).allSatisfy { !numbers.contains($0.x) })
    #expect(Self.places(of: other) == Self.places(of: other))
  }
}
