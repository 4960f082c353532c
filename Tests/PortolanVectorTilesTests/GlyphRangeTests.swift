import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import PortolanTiles
import Synchronization
import Testing

@testable import PortolanVectorTiles

/// The ranges of glyphs that the texts of a style need.
struct GlyphRangeTests {
  /// Records which glyphs are requested.
  private final class Requests: StyleResources {
    private let ranges = Mutex<Set<Int>>([])

    var firsts: [Int] { ranges.withLock { $0.sorted() } }

    func sprites(isDouble: Bool) -> [StyleSprite] { [] }

    func glyphs(fontStack: String, range: ClosedRange<Int>) -> Data? {
      ranges.withLock { _ = $0.insert(range.lowerBound) }
      return nil
    }
  }

  private static func firsts(_ layout: JSONObject, _ properties: JSONValue) async -> [Int] {
    let feature: JSONValue = [
      "type": "Feature", "id": "\u{416}", "properties": properties,
      "geometry": ["type": "Point", "coordinates": [10, 10]],
    ]
    let style: JSONValue = [
      "version": 8, "state": ["unit": ["default": "\u{20AC}"]],
      "sources": ["places": ["type": "geojson", "data": feature]],
      "layers": [["id": "a", "type": "symbol", "source": "places", "layout": .object(layout)]],
    ]
    let read = VectorStyle(style)
    let world = Envelope(xMin: -2e7, yMin: -2e7, xMax: 2e7, yMax: 2e7)
    let tiles = read.geoJSON["places"]?.tiles(covering: world, zoom: 0) ?? []
    let requests = Requests()
    var resources = LoadedStyleResources(requests)
    _ = await resources.fonts(for: style, read, tiles, zoom: 0)
    return requests.firsts
  }

  @Test(
    arguments: [
      (["text-field": ["get", "name"]], [0]),
      (["text-field": "{name}", "text-transform": "uppercase"], [0, 0x100]),
      (["text-field": ["upcase", ["get", "name"]]], [0, 0x100]),
      (["text-field": ["get", ["concat", "name_", "ru"]]], [0, 0x400]),
      (["text-field": ["to-string", ["id"]]], [0, 0x400]),
      (["text-field": ["concat", "1 ", ["global-state", "unit"]]], [0, 0x2000]),
      (["text-field": ["number-format", 1.5, ["locale": "fa"]]], [0, 0x600, 0xFB00, 0xFE00]),
    ] as [(JSONObject, [Int])])
  func `Letters that an expression makes or finds are requested too`(
    _ layout: JSONObject, _ expected: [Int]
  ) async {
    // The capital of the first letter is in the second range.
    let firsts = await Self.firsts(layout, ["name": "\u{FF}", "name_ru": "\u{416}"])
    #expect(firsts == expected)
  }

  @Test func `A feature without the text of a layer needs no glyphs`() async {
    let layout: JSONObject = ["text-field": ["upcase", ["get", "other"]]]
    #expect(await Self.firsts(layout, ["name": "\u{416}"]) == [0])
  }
}
