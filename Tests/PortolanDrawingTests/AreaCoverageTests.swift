import Foundation
import PortolanGeometry
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanImages

@Suite struct AreaCoverageTests {
  private static let black = RGBAColor(red: 0, green: 0, blue: 0)
  private static let white = RGBAColor(red: 255, green: 255, blue: 255)

  /// The brightness that a black area leaves of white, from 0 to 255, pixel by pixel.
  private static func drawn(
    _ path: PixelPath, side: Int, color: RGBAColor = black, bands: Int = 1
  ) async throws -> [Int] {
    try await drawn([.fill(path, .solid(color))], side: side, bands: bands)
  }

  private static func drawn(
    _ commands: [DrawCommand], side: Int, bands: Int = 1
  ) async throws -> [Int] {
    let canvas = try BandedCanvas(width: side, height: side, kind: .pixels, concurrency: bands)
    let whole = Envelope(xMin: 0, yMin: 0, xMax: Double(side), yMax: Double(side))
    await canvas.draw([.fill(.rectangle(whole), .solid(white))] + commands)
    return try await canvas.image().pixels.map { Int($0 & 255) }
  }

  /// The same by counting: in each of many lines through a pixel, the exact length inside.
  private static func counted(_ path: PixelPath, side: Int, lines: Int = 512) -> [Int] {
    var shares = [Double](repeating: 0, count: side * side)
    for row in 0..<side {
      for line in 0..<lines {
        let y = Double(row) + (Double(line) + 0.5) / Double(lines)
        let crossings = crossings(path, at: y)
        for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
          let start = max(crossings[pair], 0)
          let end = min(crossings[pair + 1], Double(side))
          guard start < end else { continue }
          for column in Int(start)..<min(Int(end) + 1, side) {
            let length = min(end, Double(column + 1)) - max(start, Double(column))
            shares[row * side + column] += max(length, 0) / Double(lines)
          }
        }
      }
    }
    return shares.map { Int((255 * (1 - $0)).rounded()) }
  }

  private static func crossings(_ path: PixelPath, at y: Double) -> [Double] {
    var crossings: [Double] = []
    for run in path.runs {
      guard var previous = run.last else { continue }
      for vertex in run {
        if (previous.y > y) != (vertex.y > y) {
          let share = (y - previous.y) / (vertex.y - previous.y)
          crossings.append(previous.x + (vertex.x - previous.x) * share)
        }
        previous = vertex
      }
    }
    return crossings.sorted()
  }

  private static func path(_ rings: [[(Double, Double)]]) -> PixelPath {
    PixelPath(rings.map { $0.map { Coordinate(x: $0.0, y: $0.1) } }, isClosed: true)
  }

  /// A ring that does not cross itself: vertices at rising angles around a point.
  private static func star(_ seed: Int, side: Double, reach: Double) -> PixelPath {
    var numbers = SplitMix64(seed: UInt64(seed))
    let center = Coordinate(x: side * numbers.fraction(), y: side * numbers.fraction())
    let count = 3 + Int(numbers.fraction() * 30)
    let ring = (0..<count).map { index in
      let angle = (Double(index) + 0.9 * numbers.fraction()) / Double(count) * 2 * .pi
      let radius = reach * (0.1 + 0.9 * numbers.fraction())
      return (center.x + radius * cos(angle), center.y + radius * sin(angle))
    }
    return path([ring])
  }

  @Test(arguments: 0..<12)
  func `Each pixel has the share that is inside`(_ seed: Int) async throws {
    let path = Self.star(seed, side: 16, reach: seed.isMultiple(of: 3) ? 40 : 7)
    let (drawn, counted) = (try await Self.drawn(path, side: 16), Self.counted(path, side: 16))
    let worst = zip(drawn, counted).map { abs($0 - $1) }.max()
    #expect(worst.map { $0 <= 1 } == true)
  }

  static let shapes: [[[(Double, Double)]]] = [
    // Slivers, a hole wound either way, an island in it, thin walls, edges on edges of pixels.
    [[(0.2, 0.1), (15.7, 0.35), (15.9, 0.4), (0.1, 0.2)]],
    [[(3.1, 0), (3.14, 0), (3.9, 16), (3.86, 16)]],
    [
      [(1, 1), (15, 1.5), (14.5, 15), (1.5, 14)], [(4, 4), (4.5, 12), (12, 11.5), (11, 4.2)],
      [(6, 6), (9, 6.5), (8.5, 9)],
    ],
    [[(1, 1), (15, 1), (15, 15), (1, 15)], [(4, 4), (12, 4), (12, 12), (4, 12)]],
    [[(2, 2), (10, 2), (10, 10), (2, 10)], [(2.2, 2.3), (2.2, 9.8), (9.7, 9.8), (9.7, 2.3)]],
    [[(-50, -20), (40, -30), (90, 70), (-60, 80)]], [[(8, -400), (300, 8), (8, 400), (-300, 8)]],
    [[(0, 0), (16, 16), (0, 16)]],
  ]

  @Test(arguments: shapes)
  func `Thin, holed and large shapes are as exact`(_ rings: [[(Double, Double)]]) async throws {
    let path = Self.path(rings)
    let (drawn, counted) = (try await Self.drawn(path, side: 16), Self.counted(path, side: 16))
    let worst = zip(drawn, counted).map { abs($0 - $1) }.max()
    #expect(worst.map { $0 <= 1 } == true)
  }

  @Test func `Rings that cross are exact but where they cross`() async throws {
    let path = Self.path([
      [(1, 1), (15, 14), (15, 2), (1, 15)], [(3, 7.3), (14, 7.8), (14, 9.2), (3, 8.7)],
    ])
    let (drawn, counted) = (try await Self.drawn(path, side: 16), Self.counted(path, side: 16))
    let different = zip(drawn, counted).count { abs($0 - $1) > 1 }
    #expect(different <= 5)
  }

  @Test(arguments: [2, 3, 7, 64])
  func `Bands do not change a pixel`(_ bands: Int) async throws {
    for seed in 0..<3 {
      let path = Self.star(seed, side: 300, reach: 260)
      let color = RGBAColor(red: 40, green: 90, blue: 20, alpha: 140)
      let whole = try await Self.drawn(path, side: 300, color: color)
      #expect(try await Self.drawn(path, side: 300, color: color, bands: bands) == whole)
    }
  }

  /// The rows that a test looks at: through the middle of a picture of eight pixels.
  private static func middle(_ pixels: [Int]) -> [Int] { Array(pixels[24..<32]) }

  @Test func `An area that is spread reaches half a pixel beyond its edge, its holes as much less`()
    async throws
  {
    let path = Self.path([
      [(1, 1), (7.5, 1), (7.5, 7.5), (1, 7.5)], [(3, 2.5), (3, 5.5), (5, 5.5), (5, 2.5)],
    ])
    for ring in [path, Self.path(path.runs.map { $0.reversed().map { ($0.x, $0.y) } })] {
      let drawn = try await Self.drawn([.fill(ring, .spread(Self.black))], side: 8)
      #expect(Self.middle(drawn) == [128, 0, 0, 128, 128, 0, 0, 0])
      #expect(Array(drawn[0..<3]) == [191, 128, 128])
    }
  }

  @Test func `Areas side by side that are spread leave no gap, nor where they lie over each other`()
    async throws
  {
    let left: [(Double, Double)] = [(-1, -1), (3.3, -1), (4.1, 9), (-1, 9)]
    let right: [(Double, Double)] = [(3.3, -1), (9, -1), (9, 9), (4.1, 9)]
    let (one, other) = (Self.path([left]), Self.path([right]))
    let exact = try await Self.drawn(
      [.fill(one, .solid(Self.black)), .fill(other, .solid(Self.black))], side: 8)
    #expect(exact.contains { $0 > 40 })
    let spread = try await Self.drawn(
      [.fill(one, .spread(Self.black)), .fill(other, .spread(Self.black))], side: 8)
    #expect(Set(spread) == [0])
    let veil = RGBAColor(red: 0, green: 0, blue: 0, alpha: 128)
    let together = try await Self.drawn([.fill(Self.path([left, right]), .spread(veil))], side: 8)
    #expect(Set(together) == [127])
  }

  @Test func `A document has spread areas as they are`() {
    let command = DrawCommand.fill(Self.path([[(1, 1), (7, 1), (7, 7)]]), .spread(Self.black))
    guard case .fill(let path, .solid) = command.prepared(forDocument: true) else {
      Issue.record("not a plain area")
      return
    }
    #expect(path.bounds == Envelope(xMin: 1, yMin: 1, xMax: 7, yMax: 7))
  }

  @Test func `A colour that is not opaque mixes with what is below`() async throws {
    let box = Self.path([[(0, 0), (6.5, 0), (6.5, 9), (0, 9)]])
    let canvas = try BandedCanvas(width: 9, height: 9, kind: .pixels, concurrency: 1)
    await canvas.draw([
      .fill(.rectangle(Envelope(xMin: 0, yMin: 0, xMax: 9, yMax: 9)), .solid(Self.white)),
      .fill(box, .solid(RGBAColor(red: 200, green: 100, blue: 0, alpha: 51))),
    ])
    let pixels = try await canvas.image().pixels
    // 255 + (200 - 255) / 5 = 244, and half of it at the edge.
    #expect(pixels[0] == 0xFFF4_E0CC)
    #expect(pixels[6] == 0xFFFA_F0E6)
    #expect(pixels[7] == 0xFFFF_FFFF)
  }

  @Test func `A group is drawn apart`() async throws {
    let canvas = try BandedCanvas(width: 8, height: 8, kind: .pixels, concurrency: 2)
    let box = PixelPath.rectangle(Envelope(xMin: 2, yMin: 2, xMax: 6, yMax: 6))
    await canvas.draw([
      .beginGroup, .fill(box, .solid(Self.black)), .fill(box, .solid(Self.white)),
      .endGroup(opacity: 0.5),
    ])
    let image = try await canvas.image()
    #expect(image.pixels[0] == 0)
    #expect(image.pixels[3 * 8 + 3] >> 24 == 128)
  }

  @Test(arguments: [1, 2, 3])
  func `The pixels in a box are those of the whole, however many bands there are`(
    _ bands: Int
  ) async throws {
    let width = 300
    let canvas = try BandedCanvas(width: width, height: 517, kind: .pixels, concurrency: bands)
    let ring = Self.path([[(3, 2), (290, 100), (150, 510)]])
    await canvas.draw([.fill(ring, .solid(RGBAColor(red: 200, green: 100, blue: 0, alpha: 51)))])
    let whole = try await canvas.image()
    #expect(whole.width == width && whole.height == 517)
    let box = PixelBox(columns: 20..<250, rows: 10..<400)
    #expect(try await canvas.image(in: box) == whole.part(x: 20, y: 10, width: 230, height: 390))
    await #expect(throws: RenderingError.self) {
      try await canvas.image(in: PixelBox(columns: 20..<301, rows: 10..<400))
    }
  }

  @Test func `Clipped drawings stay in their box`() async throws {
    let canvas = try BandedCanvas(width: 8, height: 8, kind: .pixels, concurrency: 1)
    let all = PixelPath.rectangle(Envelope(xMin: 0, yMin: 0, xMax: 8, yMax: 8))
    let box = PixelPath.rectangle(Envelope(xMin: 1.6, yMin: 2, xMax: 4.4, yMax: 20))
    let turned = Self.path([[(4, 0), (8, 4), (4, 8), (0, 4)]])
    await canvas.draw([.clipped([.fill(all, .solid(Self.black))], to: box)])
    let clipped = try await canvas.image().pixels
    #expect(clipped.count { $0 != 0 } == 2 * 6)
    await canvas.draw([
      .clipped([.beginGroup, .fill(all, .solid(Self.white)), .endGroup(opacity: 1)], to: turned)
    ])
    #expect(try await canvas.image().pixels[0] == 0)
  }

  static let nowhere: [[(Double, Double)]] = [
    [(Double.nan, 1), (7, 1), (7, 7)], [(Double.infinity, 1), (7, 1), (-Double.infinity, 7)],
    [(1e300, -1e300), (-1e300, 1e300), (3, 3)], [(1, 1)], [(1, 1), (1, 1)],
    [(5e8, 5e8), (6e8, 5e8), (5e8, 7e8)], [(-1e12, -1e12), (1e12, -1e12), (0, 1e12)],
  ]

  @Test(arguments: nowhere)
  func `Places that are no places do no harm`(_ ring: [(Double, Double)]) async throws {
    let pixels = try await Self.drawn(Self.path([ring]), side: 8)
    #expect(pixels.count == 64)
  }

  @Test func `A shape of absurd size covers what is seen of it`() async throws {
    let ring = [(-1e12, -1e12), (1e12, -1e12), (1e12, 1e12), (-1e12, 1e12)]
    #expect(try await Self.drawn(Self.path([ring]), side: 8).allSatisfy { $0 == 0 })
  }
}
