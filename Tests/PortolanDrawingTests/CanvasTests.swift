import Foundation
import PortolanDrawing
import PortolanGeometry
import PortolanImages
import PortolanMap
import Testing

@Suite struct CanvasTests {
  let ground = Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10)
  let sea = RGBAColor(red: 200, green: 220, blue: 240)
  let land = RGBAColor(red: 240, green: 235, blue: 220)

  func drawing() throws -> Data {
    let canvas = try Canvas(of: ground, width: 64, height: 64, background: sea)
    let square = Envelope(xMin: 2, yMin: 2, xMax: 8, yMax: 8).polygon
    canvas.fill(square, land)
    canvas.stroke(square.rings, RGBAColor(red: 0, green: 0, blue: 0), width: 1, dashes: [2, 1])
    return try canvas.pngData()
  }

  @Test func `A drawing is a PNG file, the same each time`() throws {
    let first = try drawing()
    #expect(first.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try drawing() == first)
  }

  @Test func `What is drawn shows`() throws {
    let empty = try Canvas(of: ground, width: 64, height: 64, background: sea).pngData()
    #expect(try drawing() != empty)
  }

  @Test(arguments: [(0, 10), (10, 0), (Canvas.maximumSide + 1, 1), (-1, 5)])
  func `A size that cannot be drawn is refused`(_ width: Int, _ height: Int) {
    #expect(throws: RenderingError.unusableSize(width: width, height: height)) {
      _ = try Canvas(of: ground, width: width, height: height, background: sea)
    }
  }

  @Test(arguments: [
    (Canvas.maximumSide, Canvas.maximumSide, "fewer pixels along a point"),
    (Canvas.maximumSide + 1, 1, "from 1 to \(Canvas.maximumSide) pixels"),
    (0, 0, "from 1 to \(Canvas.maximumSide) pixels"),
  ])
  func `Advice on a size does not name the sides that it has`(
    _ width: Int, _ height: Int, _ advice: String
  ) {
    let error = RenderingError.unusableSize(width: width, height: height)
    #expect(error.recoverySuggestion?.contains(advice) == true)
    #expect(error.localizedDescription.contains(" by ") == (width > 0))
  }

  @Test func `Shades that hardly differ become one where that is asked for`() throws {
    func drawing(_ blue: UInt8, mergesShades: Bool) throws -> Data {
      let canvas = try Canvas(of: ground, width: 64, height: 64, background: sea)
      canvas.fill(
        Envelope(xMin: 2, yMin: 2, xMax: 8, yMax: 8).polygon,
        RGBAColor(red: 200, green: 220, blue: blue))
      return try canvas.pngData(mergesShades: mergesShades)
    }
    #expect(try drawing(242, mergesShades: true) == drawing(240, mergesShades: true))
    #expect(try drawing(244, mergesShades: true) != drawing(240, mergesShades: true))
    #expect(try drawing(242, mergesShades: false) != drawing(240, mergesShades: false))
  }

  @Test func `Coordinates that are no numbers are left out`() throws {
    let canvas = try Canvas(of: ground, width: 8, height: 8, background: sea)
    canvas.stroke(
      [Path([Coordinate(x: .nan, y: 1), Coordinate(x: .infinity, y: 2)])], land, width: 1)
    #expect(try !canvas.pngData().isEmpty)
  }
}
