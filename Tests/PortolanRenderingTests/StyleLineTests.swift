import Foundation
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Dashes and patterns in styles.
@Suite(.temporaryDirectory) struct StyleLineTests {
  private static let tile = MadeVectorTile.tile([
    ("roads", [.init(shape: .line([(40, 256), (470, 256)]), properties: [("name", "Main")])])
  ])

  private static func picture(
    _ paint: JSONObject, cap: String? = nil, join: String? = nil
  ) async throws -> PixelImage {
    var roads: JSONObject = [
      "id": "roads", "type": "line", "source-layer": "roads", "paint": .object(paint),
    ]
    var layout = JSONObject()
    layout["line-cap"] = cap.map { JSONValue.string($0) }
    layout["line-join"] = join.map { JSONValue.string($0) }
    roads["layout"] = .object(layout)
    let picture = try await DrawnStyle.picture(
      StyledTilePictureTests.style([.object(roads)]), tile: tile,
      resources: try MadeSprites.resources())
    #expect(picture.omissions == [])
    return try ImageDecoder.decode(picture.data)
  }

  private static func dashed(
    _ dashes: JSONValue?, cap: String? = nil
  ) async throws -> PixelImage {
    var paint: JSONObject = ["line-width": 10, "line-color": "#204060"]
    paint["line-dasharray"] = dashes
    return try await picture(paint, cap: cap)
  }

  /// The ends of the dark part of the line that runs through the middle, at 200.
  private static func ends(_ image: PixelImage) -> [Int] {
    let row = (0..<image.width).map { image.pixels[200 * image.width + $0] & 255 < 128 }
    return row.indices.dropFirst().filter { row[$0] != row[$0 - 1] }
  }

  @Test func `Square ends of a line stretch its dashes, and close none of the gaps`() async throws {
    let plain = Self.ends(try await Self.dashed([3, 1]))
    let square = Self.ends(try await Self.dashed([3, 1], cap: "square"))
    #expect(square.count == plain.count)
    // The line is 430 long, and 440 with its ends.
    for (plain, square) in zip(plain, square) {
      #expect(abs(Double(plain - 255) * 440 / 430 - Double(square - 255)) <= 1)
    }
    #expect(square.first == plain.first.map { $0 - 5 })
    #expect(try await Self.dashed([3, 1], cap: "round") != Self.dashed([3, 1]))
  }

  @Test(arguments: [["get", "pattern"], ""] as [JSONValue])
  func `A layer of patterns draws nothing for features without one`(
    _ pattern: JSONValue
  ) async throws {
    let image = try await Self.picture([
      "line-width": 12, "line-color": "#f00", "line-pattern": pattern,
    ])
    #expect(Set(image.pixels).count == 1)
  }

  @Test func `The last of an odd number of dashes joins the first`() async throws {
    #expect(try await Self.dashed([3, 1, 2]) == Self.dashed([3, 1, 2, 0]))
  }

  @Test func `A single dash has no gap`() async throws {
    #expect(try await Self.dashed([3]) == Self.dashed(nil))
  }

  @Test func `The pattern of an area moves with it`() async throws {
    func area(_ paint: JSONObject) async throws -> PixelImage {
      var paint = paint
      paint["fill-pattern"] = "i"
      let picture = try await DrawnStyle.picture(
        StyledTilePictureTests.style([
          ["id": "a", "type": "fill", "source-layer": "areas", "paint": .object(paint)]
        ]), resources: try MadeSprites.resources())
      return try ImageDecoder.decode(picture.data)
    }
    let (plain, moved) = (try await area([:]), try await area(["fill-translate": [3, 1]]))
    #expect(plain != moved)
    for row in 10..<80 {
      let start = row * plain.width
      #expect(
        plain.pixels[(start + 60)..<(start + 180)].elementsEqual(
          moved.pixels[(start + plain.width + 63)..<(start + plain.width + 183)]))
    }
  }

  @Test func `The top of a pattern is on the right side of its line`() async throws {
    let image = try await Self.picture(["line-width": 12, "line-pattern": "i"])
    // The line runs to the right through the middle, which is at 200.
    let column = (0..<image.height).map { image.pixels[$0 * image.width + 256] }
    let drawn = try #require(column.firstIndex { $0 != column[0] })
    let last = try #require(column.lastIndex { $0 != column[0] })
    func isRed(_ pixel: UInt32) -> Bool { pixel >> 16 & 0xFF > pixel & 0xFF }
    #expect(!isRed(column[drawn + 3]) && isRed(column[last - 3]))
  }

  @Test(arguments: ["miter", "round"])
  func `A pattern runs across both sides of a gap`(_ join: String) async throws {
    let image = try await Self.picture(
      ["line-width": 6, "line-gap-width": 20, "line-pattern": "i"], join: join)
    // The line runs to the right at 200: its left side is above, and shows the lower half of the icon.
    func isRed(_ row: Int) -> Bool {
      let pixel = image.pixels[row * image.width + 256]
      return pixel >> 16 & 0xFF > pixel & 0xFF
    }
    let (above, below) = (Array(185..<189), Array(211..<215))
    #expect(above.filter(isRed) == [])
    #expect(below.filter(isRed) == below)
  }

  @Test func `A pattern fades at the edges of its line`() async throws {
    func column(_ blur: Double) async throws -> [UInt32] {
      let image = try await Self.picture([
        "line-width": 12, "line-pattern": "i", "line-blur": .number(blur),
      ])
      return (190..<211).map { image.pixels[$0 * image.width + 256] }
    }
    let (hard, soft) = (try await column(0), try await column(4))
    #expect(Set(hard).count == 3)
    #expect(Set(soft).count > 6)
    // The picture beyond the edge stays white, and the middle is as it was.
    #expect(soft.first == hard.first && soft.last == hard.last)
    #expect(soft[9] == hard[9] && soft[11] == hard[11])
  }

  /// The share of ink beside a line with a gap of 20 pixels, from its middle on.
  @Test(
    arguments: [
      (0, [8], 0...0), (0, [12, 16], 1...1), (8, [6], 0.1...0.9), (8, [11], 1...1),
    ] as [(Double, [Int], ClosedRange<Double>)])
  func `Lines beside a gap fade into it`(
    _ blur: Double, _ places: [Int], _ share: ClosedRange<Double>
  ) async throws {
    let image = try await Self.picture([
      "line-width": 20, "line-gap-width": 20, "line-blur": .number(blur), "line-color": "#000",
    ])
    for place in places {
      let pixel = image.pixels[(200 + place) * image.width + 256] & 255
      #expect(share.contains(1 - Double(pixel) / 255), "\(place): \(pixel)")
    }
  }

  @Test(arguments: ["round", "bevel", "miter"])
  func `A line beside its own is as wide as it is to be up to a corner`(
    _ join: String
  ) async throws {
    let picture = try await StyledWorld.picture([
      "version": 8,
      "sources": [
        "line": [
          "type": "geojson",
          "data": ["type": "LineString", "coordinates": [[-120, 0], [60, 0], [100, 60]]],
        ]
      ],
      "layers": [
        [
          "id": "line", "type": "line", "source": "line", "layout": ["line-join": .string(join)],
          "paint": ["line-width": 2, "line-offset": 20],
        ]
      ],
    ])
    // The corner is at 341, and the line at 276 from the top.
    let rows = (230..<330).filter { picture.color(327, $0)[0] < 200 }
    #expect((2...3).contains(rows.count) && rows.contains(275))
  }

  /// The amount of ink across a line, in pixels.
  @Test(arguments: [(0.2, 0.36), (0.4, 0.49), (1, 1), (3, 3)] as [(Double, Double)])
  func `Lines thinner than a pixel are no fainter than edges that fade make them`(
    _ width: Double, _ ink: Double
  ) async throws {
    let image = try await Self.picture(["line-width": .number(width), "line-color": "#000"])
    let sum = (190..<210).reduce(0.0) { sum, row in
      sum + 1 - Double(image.pixels[row * image.width + 256] & 255) / 255
    }
    #expect(abs(sum - ink) < 0.06)
  }

  @Test(arguments: [0.5, 1])
  func `A line that fades and can be seen through is as opaque in its middle as it is to be`(
    _ opacity: Double
  ) async throws {
    let image = try await Self.picture([
      "line-width": 20, "line-blur": 4, "line-opacity": .number(opacity), "line-color": "#000",
    ])
    let pixel = image.pixels[200 * image.width + 256] & 255
    #expect(abs(Double(pixel) - 255 * (1 - opacity)) <= 6)
  }

  @Test(arguments: [nil, [2, 2]] as [JSONValue?])
  func `A line that fades over more than its gap and its width is narrow`(
    _ dashes: JSONValue?
  ) async throws {
    var paint: JSONObject = [
      "line-width": 1, "line-gap-width": 1, "line-blur": 10, "line-offset": 20,
      "line-color": "#000",
    ]
    paint["line-dasharray"] = dashes
    let image = try await Self.picture(paint)
    func row(_ number: Int) -> [UInt32] {
      Array(image.pixels[(number * image.width)..<((number + 1) * image.width)])
    }
    // Its middle is at 220.
    #expect(row(219) != row(150) && row(220) != row(150))
    #expect(row(217) == row(150) && row(222) == row(150))
  }

  /// A line of 56 million pixels in the only tile, which has the whole world.
  @Test(.timeLimit(.minutes(5)), arguments: [nil, [0.3, 0.1]] as [JSONValue?])
  func `Only the nearby part of a tile far larger than the picture is drawn`(
    _ dashes: JSONValue?
  ) async throws {
    var paint: JSONObject = ["line-width": 10, "line-color": "#000"]
    paint["line-dasharray"] = dashes
    let way: JSONValue = ["type": "LineString", "coordinates": [[-10, 0], [140, 0]]]
    let style: JSONValue = [
      "version": 8, "sources": ["way": ["type": "geojson", "maxzoom": 0, "data": way]],
      "layers": [["id": "way", "type": "line", "source": "way", "paint": .object(paint)]],
    ]
    let picture = try await StyledWorld.picture(style, zoom: 18)
    #expect(picture.omissions == [])
    let reds = (200..<300).map { picture.color($0, 256)[0] }
    #expect(reds.min() == 0)
    let hasGaps = reds.contains { $0 > 100 }
    #expect(hasGaps == (dashes != nil))
    #expect(picture.color(256, 240) == [255, 255, 255])
  }
}
