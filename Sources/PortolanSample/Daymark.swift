internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// The appearance of a lighthouse by day.
struct Daymark {
  let name: String
  let height: Double
  let firstLit: Int
  let isGrey: Bool
  let bands: RGBAColor?

  /// Takes what the source says about a lighthouse.
  init(_ properties: JSONObject) {
    name = properties["NAME"]?.string ?? ""
    height = properties["HEIGHT_FT"]?.double ?? 40
    firstLit = properties["FIRST_LIT"]?.int ?? 0
    isGrey = properties["TOWER"]?.string == "grey"
    bands = properties["BANDS"]?.string == "red" ? SamplePalette.red : nil
  }

  /// A sentence or two on it.
  var note: String {
    let tower = isGrey ? "a grey tower of bare stone" : "a white tower"
    let decoration = bands == nil ? "" : " with red bands"
    return """
      \(name) was first lit in \(firstLit). Its daymark is \(tower)\(decoration), \
      \(Int(height)) feet high.

      """
  }

  /// A picture of 96 by 128 pixels; the tower's height is to scale with those of the others.
  func pngData() throws -> Data {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 96, yMax: 128)
    let canvas = try Canvas(of: ground, width: 96, height: 128, background: SamplePalette.sky)
    canvas.fill(Self.shape([(0, 0), (96, 0), (96, 18), (0, 18)]), SamplePalette.sea)
    canvas.fill(
      Self.shape([(6, 0), (90, 0), (80, 16), (62, 24), (30, 24), (14, 14)]), SamplePalette.rock)
    let top = 24 + min(max(height, 20), 140) / 140 * 76
    let tower = Self.shape([(32, 24), (64, 24), (58, top), (38, top)])
    canvas.fill(tower, isGrey ? SamplePalette.stone : SamplePalette.white)
    drawBands(on: canvas, top: top)
    canvas.stroke(tower.rings, SamplePalette.line, width: 1.5)
    drawLantern(on: canvas, top: top)
    return try canvas.pngData()
  }

  private func drawBands(on canvas: borrowing Canvas, top: Double) {
    guard let bands else { return }
    let step = (top - 24) / 15
    for band in stride(from: 1.0, to: 15, by: 2) {
      let (low, high) = (24 + band * step, 24 + (band + 1) * step)
      let (wide, narrow) = (16 - 6 * band / 15, 16 - 6 * (band + 1) / 15)
      canvas.fill(
        Self.shape([
          (48 - wide, low), (48 + wide, low), (48 + narrow, high), (48 - narrow, high),
        ]), bands)
    }
  }

  private func drawLantern(on canvas: borrowing Canvas, top: Double) {
    let gallery = Self.shape([(34, top), (62, top), (62, top + 3), (34, top + 3)])
    let lantern = Self.shape([(41, top + 3), (55, top + 3), (55, top + 14), (41, top + 14)])
    let roof = Self.shape([(38, top + 14), (58, top + 14), (48, top + 23)])
    canvas.fill(gallery, SamplePalette.line)
    canvas.fill(lantern, SamplePalette.light)
    canvas.stroke(lantern.rings, SamplePalette.line, width: 1.5)
    canvas.fill(roof, SamplePalette.line)
  }

  private static func shape(_ corners: [(Double, Double)]) -> PortolanGeometry.Polygon {
    let ring = corners.map { Coordinate(x: $0.0, y: $0.1) }
    return Polygon(rings: [Path(ring + ring.prefix(1))])
  }
}
