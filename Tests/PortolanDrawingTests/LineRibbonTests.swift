import PortolanGeometry
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanImages

/// Lines of styles that are moved aside or have a gap.
struct LineRibbonTests {
  private static let black = RGBAColor(red: 0, green: 0, blue: 0)

  private static func coordinates(_ places: [(Double, Double)]) -> [Coordinate] {
    places.map { Coordinate(x: $0.0, y: $0.1) }
  }

  /// The distance of a place to the right of the line from one place to another.
  private static func distance(
    _ place: Coordinate, from start: Coordinate, to end: Coordinate
  ) -> Double {
    let length = PixelPath.distance(start, end)
    return ((end.x - start.x) * (place.y - start.y) - (end.y - start.y) * (place.x - start.x))
      / length
  }

  private static func size(_ triangle: [LineRibbon.Vertex]) -> Double {
    let (a, b, c) = (triangle[0].place, triangle[1].place, triangle[2].place)
    return abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2
  }

  @Test(
    arguments: [
      // A corner that has a bisector, and one that is too sharp for it, to both sides.
      ([(0, 0), (100, 0), (160, 60)], 10), ([(0, 0), (100, 0), (160, 60)], -10),
      ([(0, 0), (50, 100), (100, 0)], 10), ([(0, 0), (50, 100), (100, 0)], -10),
    ] as [([(Double, Double)], Double)])
  func `What lies beside a line keeps its distance from it, however sharp its corners are`(
    _ places: [(Double, Double)], _ right: Double
  ) {
    let line = Self.coordinates(places)
    let style = StrokeStyle(
      color: Self.black, width: 4, cap: .butt, join: .miter, offset: -right, miterLimit: 2)
    let triangles = LineRibbon(line[...], isRing: false, style).triangles
      .filter { Self.size($0) > 1e-6 }
    #expect(triangles.count == 4)
    for triangle in triangles {
      let isBesideOne = zip(line, line.dropFirst()).contains { start, end in
        triangle.allSatisfy {
          abs(abs(Self.distance($0.place, from: start, to: end) - right) - 2) < 1e-9
        }
      }
      #expect(isBesideOne)
    }
  }

  @Test(
    arguments: [(.round, true), (.butt, false)] as [(StrokeStyle.Cap, Bool)])
  func `A line with a gap has one end around both sides`(
    _ cap: StrokeStyle.Cap, _ isRound: Bool
  ) async throws {
    var style = StrokeStyle(color: Self.black, width: 4, cap: cap, join: .round)
    (style.gapWidth, style.shearReach) = (10, 15)
    let canvas = try BandedCanvas(width: 80, height: 40, kind: .pixels, concurrency: 1)
    let line = PixelPath([Self.coordinates([(20.5, 20.5), (60.5, 20.5)])], isClosed: false)
    await canvas.draw([.stroke(line, style)])
    let pixels = try await canvas.image().pixels
    func isDrawn(_ x: Int, _ y: Int) -> Bool { pixels[y * 80 + x] >> 24 > 128 }
    #expect(isDrawn(40, 13) && isDrawn(40, 27) && !isDrawn(40, 20))
    #expect(isDrawn(13, 20) == isRound && isDrawn(67, 20) == isRound)
    #expect(!isDrawn(17, 20) && !isDrawn(63, 20))
  }

  @Test(
    arguments: [(.bevel, 10), (.miter, 2), (.miter, 2.3)] as [(StrokeStyle.Join, Double)])
  func `The bevel of a sharp corner ends at the corner`(
    _ join: StrokeStyle.Join, _ limit: Double
  ) {
    // The corner turns by 130 degrees; a bevel from side to side would end at 6.6.
    let line = Self.coordinates([(12, 70), (40, 10), (68, 70)])
    var style = StrokeStyle(color: Self.black, width: 16, cap: .butt, join: join, miterLimit: limit)
    style.shearReach = 15
    let path = PixelPath([line], isClosed: false)
    guard
      case .fill(let areas, .union) = DrawCommand.stroke(path, style).prepared(forDocument: false)
    else {
      Issue.record("no areas")
      return
    }
    #expect(abs(areas.bounds.yMin - 10) < 1e-9)
    // In documents strokes stay strokes.
    guard case .stroke = DrawCommand.stroke(path, style).prepared(forDocument: true) else {
      Issue.record("no stroke")
      return
    }
  }

  @Test(
    arguments: [
      // Gentle corners, a mitre that is long enough, round joins and thin lines are drawn as they are.
      (.bevel, 10, 16, [(0, 0), (50, 0), (50, 50)]),
      (.miter, 3, 16, [(12, 70), (40, 10), (68, 70)]),
      (.round, 2, 16, [(12, 70), (40, 10), (68, 70)]),
      (.bevel, 10, 1.5, [(12, 70), (40, 10), (68, 70)]),
    ] as [(StrokeStyle.Join, Double, Double, [(Double, Double)])])
  func `A line without bevels of sharp corners that can be seen stays a stroke`(
    _ join: StrokeStyle.Join, _ limit: Double, _ width: Double, _ places: [(Double, Double)]
  ) {
    var style = StrokeStyle(
      color: Self.black, width: width, cap: .butt, join: join, miterLimit: limit)
    style.shearReach = 15
    let path = PixelPath([Self.coordinates(places)], isClosed: false)
    guard case .stroke = DrawCommand.stroke(path, style).prepared(forDocument: false) else {
      Issue.record("no stroke")
      return
    }
  }

  @Test(arguments: [false, true])
  func
    `Round corners below the limit of the style are mitred, in rings from the last vertex on too`(
      _ isRing: Bool
    )
  {
    let line = Self.coordinates([(60, 60), (60, 10), (10, 10), (10, 60)])
    var style = StrokeStyle(
      color: Self.black, width: 10, cap: .butt, join: .round, miterLimit: 2)
    (style.shearReach, style.roundLimit) = (15, 2)
    let path = PixelPath([line], isClosed: isRing)
    guard
      case .fill(let areas, .union) = DrawCommand.stroke(path, style).prepared(forDocument: false)
    else {
      Issue.record("no areas")
      return
    }
    func reaches(_ x: Double, _ y: Double) -> Bool {
      areas.points.contains { abs($0.x - x) < 1e-9 && abs($0.y - y) < 1e-9 }
    }
    #expect(reaches(65, 5) && reaches(5, 5))
    #expect(reaches(65, 65) == isRing && reaches(5, 65) == isRing)
  }

  @Test func `Round dashes that lie in a corner bend with it`() {
    let line = Self.coordinates([(0, 0), (50, 0), (50, 50)])
    var style = StrokeStyle(
      color: Self.black, width: 6, dashes: [0, 10], cap: .round, join: .round)
    style.shearReach = 15
    guard
      case .fill(let areas, .union) = DrawCommand.stroke(PixelPath([line], isClosed: false), style)
        .prepared(forDocument: false)
    else {
      Issue.record("no areas")
      return
    }
    // The dot at 50 is in the corner: what it covers reaches as far as the corner does.
    let places = areas.points
    #expect(places.contains { $0.x > 52 && $0.y < 1 } && places.allSatisfy { $0.x < 53.1 })
  }

  /// The areas of a line that is moved aside, with the dashes.
  private static func areas(
    _ places: [(Double, Double)], width: Double, dashes: [Double], rounding: Double? = nil
  ) -> PixelPath? {
    var style = StrokeStyle(
      color: black, width: width, dashes: dashes, cap: .round, join: .round, offset: 5)
    (style.shearReach, style.dashRounding) = (15, rounding)
    let path = PixelPath([coordinates(places)], isClosed: false)
    let command = DrawCommand.stroke(path, style).prepared(forDocument: false)
    guard case .fill(let areas, .union) = command else { return nil }
    return areas
  }

  @Test(
    arguments: [([0.3, 0.3], 400), ([2, 0], 1), ([1, 0.2, 3, 0.1], 2)] as [([Double], Double)])
  func `Dashes whose round ends close the gaps are a line in one piece`(
    _ dashes: [Double], _ rounding: Double
  ) throws {
    let line: [(Double, Double)] = [(0, 0), (50, 0), (50, 50)]
    let whole = try #require(Self.areas(line, width: 20, dashes: []))
    let dashed = try #require(
      Self.areas(line, width: 20, dashes: dashes, rounding: rounding))
    #expect(dashed == whole)
  }

  @Test(arguments: [0, -4] as [Double])
  func `A line without a width is not drawn, with dashes or without`(_ width: Double) throws {
    for dashes in [[], [3, 3]] as [[Double]] {
      let areas = try #require(Self.areas([(0, 0), (50, 0)], width: width, dashes: dashes))
      #expect(areas.isEmpty)
    }
  }

  @Test func `Vertices at the same place, and at none, change nothing`() throws {
    let plain = try #require(Self.areas([(0, 0), (50, 0), (50, 50)], width: 4, dashes: [3, 3]))
    let line: [(Double, Double)] = [
      (0, 0), (0, 0), (.nan, 0), (50, 0), (50, .infinity), (50, 1e-200), (50, 50),
    ]
    let others = try #require(Self.areas(line, width: 4, dashes: [3, 3]))
    #expect(!plain.isEmpty)
    #expect(plain.points == others.points)
  }

  /// Two colours side by side, each 10 pixels long.
  private static func tile() throws -> FillStyle.PictureTile {
    let image = try #require(PixelImage(width: 2, height: 1, pixels: [0xFFFF_0000, 0xFF00_00FF]))
    return FillStyle.PictureTile(
      image: image, width: 20, height: 10, angle: 0, origin: Coordinate(x: 0, y: 0))
  }

  @Test(arguments: [StrokeStyle.Join.miter, .bevel, .round])
  func `Pictures along a line cover what the line itself would, however sharp its corners are`(
    _ join: StrokeStyle.Join
  ) async throws {
    let line = Self.coordinates([(20, 20), (80, 20), (30, 45), (80, 70)])
    var style = StrokeStyle(color: Self.black, width: 10, cap: .round, join: join, miterLimit: 2)
    style.shearReach = 15
    let path = PixelPath([line], isClosed: false)
    func image(_ commands: [DrawCommand]) async throws -> PixelImage {
      let canvas = try BandedCanvas(width: 100, height: 90, kind: .pixels, concurrency: 1)
      await canvas.draw(commands)
      return try await canvas.image()
    }
    let box = Envelope(xMin: 0, yMin: 0, xMax: 100, yMax: 90)
    let tile = try Self.tile()
    let pictures = try await image(DrawCommand.pictures(tile, along: path, style, seenIn: box))
    let plain = try await image([.fill(LineRibbon.areas(of: path, style, nil), .union(Self.black))])
    let differing = zip(pictures.pixels, plain.pixels).count { one, other in
      abs(Int(one >> 24) - Int(other >> 24)) > 100
    }
    #expect(differing < 20)
    // Straight ahead each color is as long as its half of the picture.
    let row = pictures.pixels[20 * 100..<21 * 100]
    #expect(row[row.startIndex + 25] & 0xFF < 20 && row[row.startIndex + 35] & 0xFF > 235)
  }

  @Test func `Pictures beside the box are left out`() throws {
    let tile = try Self.tile()
    let path = PixelPath([Self.coordinates([(0, 0), (5000, 0)])], isClosed: false)
    var style = StrokeStyle(color: Self.black, width: 10, cap: .butt, join: .miter)
    style.shearReach = 15
    func count(_ box: Envelope) -> Int {
      DrawCommand.pictures(tile, along: path, style, seenIn: box).count
    }
    #expect(count(Envelope(xMin: 0, yMin: 50, xMax: 100, yMax: 90)) == 0)
    #expect(count(Envelope(xMin: 0, yMin: 0, xMax: 100, yMax: 90)) == 1)
    #expect(count(Envelope(xMin: 0, yMin: 0, xMax: 5000, yMax: 90)) == 20)
  }
}
