import PortolanGeometry
import Testing

@Suite struct PolygonArrangingTests {
  /// A counter-clockwise square ring.
  static func square(_ x: Double, _ y: Double, _ size: Double) -> Path {
    Envelope(xMin: x, yMin: y, xMax: x + size, yMax: y + size).polygon.rings[0]
  }

  let outer = square(0, 0, 10)
  let hole = square(2, 2, 5).reversed()
  let island = square(3, 3, 2)
  let neighbour = square(20, 0, 4)

  @Test func `Rings in order stay as they are`() {
    let rings = [outer, hole, island, neighbour]
    #expect(Polygon(arranging: rings).rings == rings)
  }

  @Test(arguments: [
    [true, false, false, false], [false, true, false, false], [true, true, true, true],
    [false, false, true, true], [true, false, true, false],
  ])
  func `Wrong windings are repaired`(_ isReversed: [Bool]) {
    let rings = [outer, hole, island, neighbour]
    let given = zip(rings, isReversed).map { $1 ? $0.reversed() : $0 }
    #expect(Polygon(arranging: given).rings == rings)
  }

  @Test func `A hole given anywhere is placed after its exterior ring`() {
    let polygon = Polygon(arranging: [hole, neighbour, island, outer])
    #expect(polygon.rings == [neighbour, island, outer, hole])
  }

  @Test func `A hole that touches its exterior is still a hole`() {
    let touching = Self.square(0, 0, 5).reversed()
    #expect(Polygon(arranging: [touching, outer]).rings == [outer, touching])
    let corner = Path([
      Coordinate(x: 0, y: 0), Coordinate(x: 2, y: 4), Coordinate(x: 4, y: 2),
      Coordinate(x: 0, y: 0),
    ])
    #expect(Polygon(arranging: [outer, corner]).rings == [outer, corner])
  }

  @Test func `Neighbours that share a side are both exteriors`() {
    let rings = [Self.square(0, 0, 4), Self.square(4, 0, 4), Self.square(4, 4, 1)]
    #expect(Polygon(arranging: rings.map { $0.reversed() }).rings == rings)
  }

  @Test func `A ring in the bay of another is no hole`() {
    let horseshoe = Path(
      [(0, 0), (9, 0), (9, 9), (6, 9), (6, 3), (3, 3), (3, 9), (0, 9), (0, 0)].map {
        Coordinate(x: $0, y: $1)
      })
    let inBay = Self.square(4, 5, 1)
    #expect(Polygon(arranging: [horseshoe, inBay.reversed()]).rings == [horseshoe, inBay])
  }

  @Test func `Open rings are closed with their heights, empty ones left out`() {
    let open = Path(
      Array(outer.coordinates.dropLast()), z: [1, 2, 3, 4], m: [5, 6, 7, 8])
    let polygon = Polygon(arranging: [Path([]), open])
    #expect(polygon.rings == [Path(outer.coordinates, z: [1, 2, 3, 4, 1], m: [5, 6, 7, 8, 5])])
  }

  @Test func `Rings without area or with broken numbers do no harm`() {
    let line = Path([Coordinate(x: 1, y: 1), Coordinate(x: 2, y: 2), Coordinate(x: 1, y: 1)])
    let broken = Path([Coordinate(x: .nan, y: 1), Coordinate(x: .infinity, y: .nan)])
    let polygon = Polygon(arranging: [outer, line, broken, Path([Coordinate(x: 0, y: 0)])])
    #expect(polygon.rings.count == 4)
    #expect(polygon.parts.count == 4)
  }

  @Test func `Parts group exteriors with their holes`() {
    let polygon = Polygon(arranging: [hole, neighbour, island, outer])
    #expect(
      polygon.parts == [
        Polygon.Part(exterior: neighbour), Polygon.Part(exterior: island),
        Polygon.Part(exterior: outer, holes: [hole]),
      ])
    #expect(Polygon(parts: polygon.parts) == polygon)
  }

  @Test func `Many holes in a long outline are found`() {
    let side = 40
    let circle = (0...20_000).map { step in
      let angle = Double(step % 20_000) / 20_000 * 2 * .pi
      return Coordinate(x: 500 + 1000 * cosine(angle), y: 500 + 1000 * cosine(angle - .pi / 2))
    }
    let holes = (0..<side * side).map {
      Self.square(Double($0 % side) * 20, Double($0 / side) * 20, 10)
    }
    let polygon = Polygon(arranging: holes + [Path(circle)])
    #expect(polygon.parts.count == 1)
    #expect(polygon.parts.first?.holes.count == holes.count)
  }

  @Test(.timeLimit(.minutes(5))) func `Rings made to take for ever end soon`() {
    let rings = (0..<3_000).map { Self.square(-Double($0), -Double($0), 2 * Double($0) + 1) }
    let polygon = Polygon(arranging: rings)
    #expect(polygon.rings.count == rings.count)
  }

  private func cosine(_ angle: Double) -> Double {
    // Enough of the series for |angle| ≤ 2π; the tests need a round outline, not an exact one.
    var (sum, term) = (1.0, 1.0)
    for index in stride(from: 1.0, to: 40, by: 2) {
      term *= -angle * angle / (index * (index + 1))
      sum += term
    }
    return sum
  }
}
