import PortolanJSON
import Testing

/// Circles of styles and their edges.
struct StyleCircleTests {
  private static func picture(_ paint: JSONObject) async throws -> StyledWorld.Picture {
    try await StyledWorld.picture([
      "version": 8,
      "sources": [
        "point": ["type": "geojson", "data": ["type": "Point", "coordinates": [0, 0]]]
      ],
      "layers": [
        ["id": "circle", "type": "circle", "source": "point", "paint": .object(paint)]
      ],
    ])
  }

  /// The number of pixels that are not white in the row through the middle.
  private static func width(_ picture: StyledWorld.Picture) -> Int {
    (0..<512).filter { picture.color($0, 256) != [255, 255, 255] }.count
  }

  /// MapLibre Native draws discs of a diameter of 19.
  @Test(arguments: [0.0, 0.25]) func `The edge of a circle without an inside is a disc`(
    _ radius: Double
  ) async throws {
    let picture = try await Self.picture([
      "circle-radius": .number(radius), "circle-color": "#f00", "circle-stroke-width": 10,
      "circle-stroke-color": "#080",
    ])
    #expect((19...22).contains(Self.width(picture)))
    #expect(picture.color(256, 256) == [0, 136, 0])
  }

  /// The inside ends in the middle of a pixel of the row.
  @Test(arguments: [1.0, 0.5])
  func `Nothing shines through between the inside of a circle and its edge`(
    _ opacity: Double
  ) async throws {
    let picture = try await Self.picture([
      "circle-radius": 20, "circle-color": "#000", "circle-stroke-width": 6,
      "circle-stroke-color": "#000", "circle-stroke-opacity": .number(opacity),
    ])
    let inside = (237..<275).map { picture.color($0, 256)[0] }
    #expect(inside.allSatisfy { $0 == 0 })
    // The pixel in which the inside ends is half its color and half that of the edge.
    let between = [236, 275].map { picture.color($0, 256)[0] }
    let expected = 255 * (1 - opacity) / 2
    #expect(between.allSatisfy { abs(Double($0) - expected) < 4 })
  }

  /// As MapLibre draws them.
  @Test func `The vertex where a ring begins has two circles, each other vertex one`() async throws
  {
    let picture = try await StyledWorld.picture([
      "version": 8,
      "sources": [
        "area": [
          "type": "geojson",
          "data": [
            "type": "Polygon", "coordinates": [[[-45, 0], [45, 0], [0, 45], [-45, 0]]],
          ],
        ]
      ],
      "layers": [
        [
          "id": "circle", "type": "circle", "source": "area",
          "paint": ["circle-radius": 8, "circle-opacity": 0.5],
        ]
      ],
    ])
    #expect((62...66).contains(picture.color(192, 256)[0]))
    #expect((126...129).contains(picture.color(320, 256)[0]))
  }

  @Test(arguments: [0.5, 1])
  func `A circle that fades and can be seen through is as opaque in its middle as it is to be`(
    _ opacity: Double
  ) async throws {
    let picture = try await Self.picture([
      "circle-radius": 20, "circle-blur": 0.7, "circle-opacity": .number(opacity),
    ])
    #expect(abs(Double(picture.color(256, 256)[0]) - 255 * (1 - opacity)) <= 6)
  }

  /// As in MapLibre, whose circles always fade over the outermost pixel.
  @Test(arguments: [(4.0, 0.2, 8), (8, 0.2, 16), (20, 0, 40)] as [(Double, Double, Int)])
  func `A circle that fades reaches as far as its radius`(
    _ radius: Double, _ blur: Double, _ width: Int
  ) async throws {
    let picture = try await Self.picture([
      "circle-radius": .number(radius), "circle-blur": .number(blur),
    ])
    // A pixel that is covered by a quarter counts.
    #expect((0..<512).filter { picture.color($0, 256)[0] < 200 }.count == width)
  }

  @Test func `A circle with neither an inside nor an edge is not drawn`() async throws {
    #expect(Self.width(try await Self.picture(["circle-radius": 0])) == 0)
  }
}
