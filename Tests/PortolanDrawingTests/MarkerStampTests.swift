import PortolanGeometry
import PortolanImages
import PortolanMap
import Testing

@testable import PortolanDrawing

/// Markers that are put on many places as they were drawn once.
@Suite struct MarkerStampTests {
  /// A half-transparent square with an outline.
  private static let square = marker(side: 6)

  private static func marker(side: Double) -> MarkerStyle {
    let box = Envelope(xMin: -side / 2, yMin: -side / 2, xMax: side / 2, yMax: side / 2)
    let fill = FillStyle.solid(RGBAColor(red: 200, green: 40, blue: 0, alpha: 128))
    let outline = StrokeStyle(
      color: RGBAColor(red: 0, green: 0, blue: 90, alpha: 255), width: 1.5, join: .miter)
    return MarkerStyle(
      graphics: [.shape(.rectangle(box), [.fill(fill), .stroke(outline)])], reach: side + 2)
  }

  private func picture(
    _ commands: [DrawCommand], rows: Range<Int> = 0..<40
  ) throws -> PixelImage {
    let surface = try PictureSurface(width: 40, rows: rows)
    surface.draw(commands)
    return try #require(surface.image())
  }

  /// The marker as cairo draws it.
  private func drawn(_ style: MarkerStyle, at point: Coordinate) throws -> PixelImage {
    let surface = try PictureSurface(width: 40, rows: 0..<40)
    surface.draw(style, at: point, angle: 0)
    return try #require(surface.image())
  }

  /// The largest difference of a channel.
  private func difference(_ one: PixelImage, _ other: PixelImage) -> Int {
    zip(one.pixels, other.pixels).map { one, other in
      [0, 8, 16, 24].map { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) }.max() ?? 0
    }.max() ?? 0
  }

  @Test(arguments: [0, 0.125, 0.5, 0.875])
  func `A marker at an eighth of a pixel is as cairo draws it`(_ part: Double) throws {
    let point = Coordinate(x: 20 + part, y: 17 + part)
    let stamped = try picture([.marker(Self.square, at: point, angle: 0)])
    #expect(try difference(stamped, drawn(Self.square, at: point)) <= 1)
    #expect(stamped.pixels.contains { $0 >> 24 > 180 })
  }

  @Test func `A marker at any place is next to where it belongs`() throws {
    let point = Coordinate(x: 20.3, y: 17.7)
    let stamped = try picture([.marker(Self.square, at: point, angle: 0)])
    // A sixteenth of a pixel of an edge.
    #expect(try difference(stamped, drawn(Self.square, at: point)) <= 17)
  }

  @Test func `Markers at the sides are cut, and those beyond are not drawn`() throws {
    let whole = try picture([.marker(Self.square, at: Coordinate(x: 20, y: 20), angle: 0)])
    let cut = try picture([.marker(Self.square, at: Coordinate(x: 0, y: 20), angle: 0)])
    for row in 0..<40 {
      #expect(cut.pixels[row * 40..<row * 40 + 20] == whole.pixels[row * 40 + 20..<row * 40 + 40])
    }
    let far = [-1e12, -50, 90, 1e300, .infinity, .nan].map {
      DrawCommand.marker(Self.square, at: Coordinate(x: $0, y: $0), angle: 0)
    }
    #expect(try picture(far).pixels.allSatisfy { $0 == 0 })
  }

  @Test func `Parts of a picture have the pixels of the whole`() throws {
    let commands = (0..<60).map { (index: Int) -> DrawCommand in
      let (x, y) = (Double(index * 7 % 40) + 0.37, Double(index * 11 % 40) + 0.61)
      let side = Double(4 + index % 3)
      let angle = Double(index % 4) * 30
      return .marker(Self.marker(side: side), at: Coordinate(x: x, y: y), angle: angle)
    }
    let whole = try picture(commands)
    let upper = try picture(commands, rows: 0..<17)
    let lower = try picture(commands, rows: 17..<40)
    #expect(upper.pixels + lower.pixels == whole.pixels)
  }

  @Test func `Inside of a group and of a box only what is in it changes`() throws {
    let marker = DrawCommand.marker(Self.square, at: Coordinate(x: 20, y: 20), angle: 0)
    let half = PixelPath.rectangle(Envelope(xMin: 20, yMin: 0, xMax: 40, yMax: 40))
    let alone = try picture([marker])
    let clipped = try picture([.clipped([marker], to: half)])
    for index in alone.pixels.indices {
      #expect(clipped.pixels[index] == (index % 40 < 20 ? 0 : alone.pixels[index]))
    }
    let faint = try picture([.beginGroup, marker, .endGroup(opacity: 0.5)])
    #expect(faint.pixels[20 * 40 + 17] >> 24 < alone.pixels[20 * 40 + 17] >> 24)
  }

  @Test(arguments: [-5.0, -Double.infinity, Double.nan, 33.0])
  func `A marker whose reach makes no sense, or is large, is drawn without a stamp`(
    _ reach: Double
  ) throws {
    var style = Self.square
    style.reach = reach
    var stamps = MarkerStamps()
    let stamp = stamps.stamp(of: style, at: Coordinate(x: 20, y: 20), angle: 0)
    #expect(stamp == nil)
  }

  @Test func `More styles than are remembered are all drawn`() throws {
    let commands = (0..<100).map { (index: Int) -> DrawCommand in
      let (x, y) = (Double(index % 10) * 4 + 2, Double(index / 10) * 4 + 2)
      let side = 2 + Double(index) / 100
      return .marker(Self.marker(side: side), at: Coordinate(x: x, y: y), angle: 0)
    }
    let all = try picture(commands)
    for row in 0..<10 {
      for column in 0..<10 { #expect(all.pixels[(row * 4 + 2) * 40 + column * 4 + 2] != 0) }
    }
  }
}
