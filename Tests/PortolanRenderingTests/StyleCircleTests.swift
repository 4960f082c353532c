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

  /// How many pixels are not white in the row through the middle.
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

  @Test func `A circle with neither an inside nor an edge is not drawn`() async throws {
    #expect(Self.width(try await Self.picture(["circle-radius": 0])) == 0)
  }
}
