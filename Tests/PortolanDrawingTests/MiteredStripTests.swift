import PortolanGeometry
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanImages

/// Lines whose dashes are sheared to the bisectors of their corners.
struct MiteredStripTests {
  private static func points(_ places: [(Double, Double)]) -> ArraySlice<Coordinate> {
    places.map { Coordinate(x: $0.0, y: $0.1) }[...]
  }

  @Test func `Joints lie on the bisectors of corners, and straight ahead near sharp ones`() throws {
    let strip = try #require(
      MiteredStrip(
        Self.points([(0, 0), (100, 0), (100, 100)]), isRing: false, width: 10, limit: 2,
        sharpReach: 15))
    #expect(strip.joints.map(\.distance) == [0, 85, 100, 115, 200])
    let corner = strip.joints[2]
    #expect(abs(corner.left.x - 105) < 1e-9 && abs(corner.left.y + 5) < 1e-9)
    #expect(abs(corner.right.x - 95) < 1e-9 && abs(corner.right.y - 5) < 1e-9)
    #expect(strip.joints[1].left == Coordinate(x: 85, y: -5))
  }

  /// As MapLibre has it where tiles are enlarged: the joints are in whole units of the tile.
  @Test func `Joints near sharp corners are in whole steps of a grid from them`() throws {
    let grid = try #require(
      TileGrid(across: Coordinate(x: 4, y: 0), down: Coordinate(x: 0, y: 4)))
    let corner: [(Double, Double)] = [(0, 0), (80, 60), (0, 60)]
    let strip = try #require(
      MiteredStrip(
        Self.points(corner), isRing: false, width: 2, limit: 10, sharpReach: 15, grid: grid))
    // 15 along the edge are 12 across and 9 down, which is nearest to two steps.
    #expect(strip.joints.map(\.center)[1] == Coordinate(x: 68, y: 52))
    #expect(strip.joints.map(\.center)[3] == Coordinate(x: 64, y: 60))
    let path = PixelPath([Array(Self.points(corner))], isClosed: false)
    let jointed = path.jointed(atSharpCorners: 15, on: grid)
    #expect(jointed.points == strip.joints.map(\.center))
    let ring = PixelPath([Array(Self.points(corner))], isClosed: true)
    #expect(ring.jointed(atSharpCorners: 15, on: grid).points.count == 9)
  }

  @Test(
    arguments: [
      // A corner beyond the limit, a way back, and corners too near each other for the width.
      ([(0, 0), (100, 0), (10, 20)], 10.0), ([(0, 0), (100, 0), (0, 0)], 10.0),
      ([(0, 0), (50, 0), (51, 1), (51, 50)], 40.0), ([(0, 0), (0, 0)], 1.0),
    ] as [([(Double, Double)], Double)])
  func `Lines without room for bisectors have none`(places: [(Double, Double)], width: Double) {
    let strip = MiteredStrip(
      Self.points(places), isRing: false, width: width, limit: 2, sharpReach: 15)
    #expect(strip == nil)
  }

  @Test func `A ring is closed at the bisector with which it begins`() throws {
    let strip = try #require(
      MiteredStrip(
        Self.points([(0, 0), (60, 0), (60, 60), (0, 60), (0, 0)]), isRing: true, width: 4, limit: 2,
        sharpReach: 100))
    let (first, last) = (try #require(strip.joints.first), try #require(strip.joints.last))
    #expect(first.left == last.left && first.right == last.right && last.distance == 240)
  }

  @Test func `Dashes cover as much as they are long, wherever the line bends`() throws {
    let path = PixelPath([Array(Self.points([(0, 0), (40, 0), (70, 10)]))], isClosed: false)
    var style = StrokeStyle(
      color: RGBAColor(red: 0, green: 0, blue: 0), width: 4, dashes: [5, 5], cap: .butt,
      join: .miter, miterLimit: 2)
    style.shearReach = 15
    guard
      case .fill(let area, .union) = DrawCommand.stroke(path, style).prepared(forDocument: false)
    else {
      Issue.record("no areas")
      return
    }
    let covered = area.runs.reduce(0.0) { sum, ring in
      let ring = Array(ring)
      let twice = ring.indices.reduce(0.0) { sum, index in
        let (here, next) = (ring[index], ring[(index + 1) % ring.count])
        return sum + here.x * next.y - next.x * here.y
      }
      return sum + abs(twice) / 2
    }
    #expect(abs(covered - (40 + 1000.squareRoot()) / 2 * 4) < 5 * 4)
  }

  /// The fourth dash, from 120 to 140 along the line, is on its second leg from 20 to 40.
  @Test(
    arguments: [(10, .butt), (-10, .butt), (10, .round), (-10, .round)]
      as [(Double, StrokeStyle.Cap)])
  func `Dashes of an offset line are where those of the line itself would be`(
    _ offset: Double, _ cap: StrokeStyle.Cap
  ) throws {
    let path = PixelPath(
      [Array(Self.points([(0, 0), (100, 0), (100, 100)]))], isClosed: false)
    var style = StrokeStyle(
      color: RGBAColor(red: 0, green: 0, blue: 0), width: 4, dashes: [20, 20], cap: cap,
      join: .miter, offset: offset, miterLimit: 2)
    style.shearReach = 5
    let runs: [[Coordinate]]
    switch DrawCommand.stroke(path, style).prepared(forDocument: false) {
    case .fill(let areas, .union): runs = areas.runs.map { Array($0) }
    default: runs = []
    }
    let dash = runs.filter { run in run.allSatisfy { $0.y > 15 && $0.y < 45 } }.flatMap(\.self)
    let (xs, ys) = (dash.map(\.x), dash.map(\.y))
    let rounding = cap == .round ? 2.0 : 0
    #expect(abs((ys.min() ?? 0) - (20 - rounding)) < 1e-9)
    #expect(abs((ys.max() ?? 0) - (40 + rounding)) < 1e-9)
    #expect(xs.allSatisfy { abs($0 - 100 - offset) < 2 + 1e-9 })
  }

  /// As MapLibre Native draws a line of which its tile knows every second unit.
  @Test(arguments: [StrokeStyle.Cap.butt, .round])
  func `Dashes are counted by the distances that a tile keeps at vertices`(
    _ cap: StrokeStyle.Cap
  ) throws {
    let points = Self.points([(0, 0), (15, 0), (30, 0), (47, 0)])
    let strip = try #require(
      MiteredStrip(points, isRing: false, width: 4, limit: 2, sharpReach: 5, distanceStep: 2))
    #expect(strip.joints.map(\.distance) == [0, 14, 30, 46])
    var style = StrokeStyle(
      color: RGBAColor(red: 0, green: 0, blue: 0), width: 4, dashes: [9, 9], cap: cap,
      join: .miter, miterLimit: 2)
    style.shearReach = 5
    style.distanceStep = 2
    let path = PixelPath([Array(points)], isClosed: false)
    let ends: [Double]
    switch DrawCommand.stroke(path, style).prepared(forDocument: false) {
    case .fill(let path, .union), .stroke(let path, _):
      ends = path.runs.compactMap { $0.map(\.x).max() }
    default: ends = []
    }
    // 9 of the 14 that the first edge counts, and 27 less 14 of the 16 of the second; round ends go on.
    let rounding = cap == .round ? 2.0 : 0
    #expect(ends.contains { abs($0 - (9 + rounding) * 15 / 14) < 1e-9 })
    #expect(ends.contains { abs($0 - (15 + (13 + rounding) * 15 / 16)) < 1e-9 })
  }

  @Test func `Dashes that lie over each other leave no hole`() async throws {
    let loop: [(Double, Double)] = [(0, 20), (40, 20), (40, 40), (20, 40), (20, 0)]
    var style = StrokeStyle(
      color: RGBAColor(red: 0, green: 0, blue: 0), width: 4, dashes: [1000, 1], cap: .butt,
      join: .miter, miterLimit: 2)
    style.shearReach = 15
    let canvas = try BandedCanvas(width: 48, height: 48, kind: .pixels, concurrency: 1)
    await canvas.draw([.stroke(PixelPath([Array(Self.points(loop))], isClosed: false), style)])
    let pixels = try await canvas.image().pixels
    #expect([19, 20, 30].allSatisfy { pixels[20 * 48 + $0] >> 24 == 255 })
  }
}
