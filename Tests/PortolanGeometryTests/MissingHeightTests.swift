import PortolanGeometry
import Testing

/// Whether a shape has a height and a measure for each vertex, also where one is not known.
@Suite struct MissingHeightTests {
  private static let points = Path(
    [Coordinate(x: 0, y: 0), Coordinate(x: 5, y: 5), Coordinate(x: 9, y: 1)], z: [1, .nan, 3])

  /// All that writers make of a shape; each of them used to trap.
  private func write(_ geometry: Geometry) {
    _ = geometry.geoJSON()
    _ = geometry.esriJSON()
    _ = geometry.wellKnownBinary()
  }

  @Test func `Points with and without heights are united, each with its own`() throws {
    let flat = Geometry.multipoint(Multipoint(points: Path([Coordinate(x: 20, y: 20)])))
    let union = try GeometryEngine.union(.multipoint(Multipoint(points: Self.points)), flat)
    guard case .multipoint(let multipoint) = union else {
      Issue.record("\(union)")
      return
    }
    #expect(multipoint.points.count == 4)
    #expect(multipoint.points.z?.count == 4)
    let heights = Dictionary(
      uniqueKeysWithValues: zip(multipoint.points.coordinates.map(\.x), multipoint.points.z ?? []))
    #expect(heights[0] == 1)
    #expect(heights[9] == 3)
    #expect(heights[5]?.isNaN == true)
    #expect(heights[20]?.isNaN == true)
    write(union)
  }

  @Test(arguments: [[], [1], [1, 2, 3, 4, 5]] as [[Double]])
  func `A path has as many heights and measures as vertices`(_ ordinates: [Double]) {
    let path = Path(Self.points.coordinates, z: ordinates, m: ordinates)
    #expect(path.z?.count == 3)
    #expect(path.m?.count == 3)
    #expect(path.z?.prefix(ordinates.count).map(\.self) == Array(ordinates.prefix(3)))
    write(.multipoint(Multipoint(points: path)))
  }

  @Test func `Writers take a missing height as unknown`() {
    var path = Self.points
    path.z = [7]
    path.m = []
    #expect(path.height(at: 0) == 7)
    #expect(path.height(at: 2).isNaN)
    #expect(path.measure(at: 0).isNaN)
    write(.multipoint(Multipoint(points: path)))
    write(.polyline(Polyline(paths: [path])))
  }
}
