import PortolanGeometry
import Testing

@testable import PortolanDrawing
@testable import PortolanSymbols

@Suite struct LabelPlacementTests {
  static let style = TextStyle(size: 10, color: .black)

  static let points: [(String, Double, Double)] = [
    ("AboveLeft", -1, -1), ("AboveCenter", 0, -1), ("AboveRight", 1, -1), ("CenterLeft", -1, 0),
    ("CenterCenter", 0, 0), ("CenterRight", 1, 0), ("BelowLeft", -1, 1), ("BelowCenter", 0, 1),
    ("BelowRight", 1, 1),
  ]

  @Test(arguments: points)
  func `A label is placed on its side of a point`(
    _ name: String, _ right: Double, _ down: Double
  )
    throws
  {
    let run = TextRun(text: "Here", style: Self.style, position: Coordinate(x: 0, y: 0))
    let places = LabelPlacement("esriServerPointLabelPlacement\(name)")
      .places(of: run, around: Coordinate(x: 100, y: 100), reach: 8)
    let first = try #require(places.first)
    #expect((first.position.x - 100).sign(within: 1) == right)
    #expect((first.position.y - 100).sign(within: 1) == down)
    #expect(first.anchor == Coordinate(x: (1 - right) / 2, y: (1 - down) / 2))
    #expect((places.count == 1) == (name == "CenterCenter"))
  }

  @Test func `A label covers no marker, unless it is placed on its own`() throws {
    let picture = Envelope(xMin: 0, yMin: 0, xMax: 200, yMax: 100)
    var placer = try #require(
      LabelPlacer(width: 200, height: 100, pixelRatio: 1, markers: [picture]))
    let run = TextRun(text: "Here", style: Self.style, position: Coordinate(x: 0, y: 0))
    let places = LabelPlacement("esriServerPointLabelPlacementAboveRight")
      .places(of: run, around: picture.center, reach: 8).map { LabelPlace($0) }
    let rank = LabelRank(layer: 0, definition: 0, feature: 1)
    #expect(places.count == 8)
    #expect(
      placer.place(LabelCandidate(places: places, anchor: picture.center, rank: rank)).isEmpty)
    #expect(
      !placer.place(
        LabelCandidate(places: places, anchor: picture.center, rank: rank, coversMarkers: true)
      ).isEmpty)
  }

  static let lines: [(String, side: Double, part: Double)] = ["Above", "Center", "Below"].flatMap {
    side in
    ["Before", "Start", "Along", "End", "After"].map { part in
      (
        "\(side)\(part)", side == "Above" ? -1 : side == "Below" ? 1 : 0,
        ["Before", "Start"].contains(part) ? -1 : part == "Along" ? 0 : 1
      )
    }
  }

  @Test(arguments: lines, [false, true])
  func `A label is placed on its side of a line, whichever way that runs`(
    _ row: (name: String, side: Double, part: Double), _ isBackwards: Bool
  ) throws {
    let typesetter = try #require(Typesetter())
    let line = LineLabel("Here", Self.style, typesetter)
    let ends = [Coordinate(x: 0, y: 50), Coordinate(x: 400, y: 50)]
    let run = (isBackwards ? ends.reversed() : ends)[...]
    let placement = LabelPlacement("esriServerLinePlacement\(row.name)")
    let place = try #require(
      placement.places(of: line, along: run, stretch: 0...1, reach: 3).first)
    let part = isBackwards ? -row.part : row.part
    #expect((place.position.y - 50).sign(within: 1) == row.side)
    #expect((place.position.x - 200).sign(within: 20) == part)
    guard case .run(let text) = place.lettering else {
      Issue.record("a straight line bends")
      return
    }
    #expect(abs(text.angle) < 1e-6)
  }

  @Test func `Letters follow a bend, upright and in their order`() throws {
    let arc = (0...40).map { step in
      let angle = Double.pi * (1 + Double(step) / 40)
      return Coordinate(x: 200 + 150 * Self.cosine(angle), y: 200 + 150 * Self.sine(angle))
    }
    let typesetter = try #require(Typesetter())
    let line = LineLabel("Around the bay", Self.style, typesetter)
    for run in [arc, arc.reversed()] {
      let curve = LabelCurve(run, maximumAngle: 25)
      let place = try #require(line.place(on: curve, around: curve.length / 2))
      guard case .letters(let letters) = place.lettering else {
        Issue.record("a bend is straight")
        return
      }
      #expect(letters.map(\.text).joined() == "Around the bay")
      #expect(letters.map(\.position.x) == letters.map(\.position.x).sorted())
      #expect(zip(letters, letters.dropFirst()).allSatisfy { $0.angle < $1.angle + 1e-6 })
      #expect(place.boxes.count == letters.count)
    }
  }

  @Test func `A corner is no bend`() throws {
    let typesetter = try #require(Typesetter())
    let line = LineLabel("Around the corner", Self.style, typesetter)
    let corner = [(0.0, 0.0), (60, 0), (60, 60)].map { Coordinate(x: $0.0, y: $0.1) }
    #expect(line.place(on: LabelCurve(corner, maximumAngle: 45), around: 60) == nil)
  }

  @Test(
    arguments: [
      [], [(0.0, 0.0)], [(5, 5), (5, 5)], [(.nan, 0), (1, 1)], [(0, 0), (1e300, -1e300)],
    ] as [[(Double, Double)]])
  func `A line without length has no label and does no harm`(_ places: [(Double, Double)]) throws {
    let typesetter = try #require(Typesetter())
    let line = LineLabel("Here", Self.style, typesetter)
    let run = places.map { Coordinate(x: $0.0, y: $0.1) }
    let found = LabelPlacement("esriServerLinePlacementAboveAlong")
      .places(of: line, along: run[...], stretch: 0...1, reach: 3)
    #expect(places.count > 1 || found.isEmpty)
  }

  private static func sine(_ angle: Double) -> Double { PixelRotation(angle * 180 / .pi)(east).y }
  private static func cosine(_ angle: Double) -> Double { PixelRotation(angle * 180 / .pi)(east).x }
  private static let east = Coordinate(x: 1, y: 0)
}

extension Double {
  /// -1, 0 or 1; what is nearly 0 is 0.
  fileprivate func sign(within tolerance: Double) -> Double {
    abs(self) <= tolerance ? 0 : self < 0 ? -1 : 1
  }
}
