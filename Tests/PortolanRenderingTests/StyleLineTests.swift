import Foundation
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Dashes and patterns of lines in styles.
@Suite(.temporaryDirectory) struct StyleLineTests {
  private static let tile = MadeVectorTile.tile([
    ("roads", [.init(shape: .line([(40, 256), (470, 256)]), properties: [("name", "Main")])])
  ])

  private static func picture(
    _ paint: JSONObject, cap: String? = nil
  ) async throws -> PixelImage {
    var roads: JSONObject = [
      "id": "roads", "type": "line", "source-layer": "roads", "paint": .object(paint),
    ]
    roads["layout"] = cap.map { ["line-cap": .string($0)] }
    let picture = try await DrawnStyle.picture(
      StyledTilePictureTests.style([.object(roads)]), tile: tile,
      resources: try MadeSprites.resources())
    #expect(picture.omissions == [])
    return try PictureDecoder.decode(picture.data)
  }

  private static func dashed(
    _ dashes: JSONValue?, cap: String? = nil
  ) async throws -> PixelImage {
    var paint: JSONObject = ["line-width": 10, "line-color": "#204060"]
    paint["line-dasharray"] = dashes
    return try await picture(paint, cap: cap)
  }

  @Test func `Square ends of a line leave the gaps between dashes as they are`() async throws {
    #expect(try await Self.dashed([3, 1], cap: "square") == Self.dashed([3, 1]))
    #expect(try await Self.dashed([3, 1], cap: "round") != Self.dashed([3, 1]))
  }

  @Test func `The last of an odd number of dashes joins the first`() async throws {
    #expect(try await Self.dashed([3, 1, 2]) == Self.dashed([3, 1, 2, 0]))
  }

  @Test func `A single dash has no gap`() async throws {
    #expect(try await Self.dashed([3]) == Self.dashed(nil))
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
}
