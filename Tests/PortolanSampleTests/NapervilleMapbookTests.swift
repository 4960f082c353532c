import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanSample

@Suite(.temporaryDirectory) struct NapervilleMapbookTests {
  @Test func `The picture of the mapbook shows its streets`() throws {
    let picture = try NapervilleMapbook.picture(width: 200, height: 133)
    #expect(picture.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    // A picture of one colour has less than a kilobyte.
    #expect(picture.count > 5_000)
  }

  @Test func `The mapbook has three maps of a network of 20,000 parts`() async throws {
    let url = temporaryDirectory.appending(path: "book.mmpk")
    try await NapervilleMapbook.write(to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: Date())
    #expect(package.info.title == NapervilleMapbook.title)
    #expect(package.failures.isEmpty)
    #expect(
      package.maps.map(\.title) == ["811", "Emergency Response", "Capital Improvement Program"])
    var counts: [String: Int] = [:]
    for map in package.maps {
      #expect(map.webMap.bookmarks.count == 2)
      #expect(Set(map.webMap.searchSettings.entries.map(\.layerID)).count == 4)
      #expect(map.item.thumbnail != nil)
      #expect(map.item.json.text("snippet")?.isEmpty == false)
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        let content = await map.contents.content(of: layer)
        #expect(content.problem == nil, "\(map.title): \(layer.title)")
        for table in content.features {
          counts[table.schema.name] = try await table.store.count(
            in: table.schema.name, matching: QueryParameters())
        }
      }
    }
    #expect(
      counts == [
        "Mains": 2244, "Laterals": 6732, "Valves": 2312, "Hydrants": 2244, "Addresses": 6732,
      ])
    #expect(counts.values.reduce(0, +) > 20_000)
  }

  @Test func `The mapbook leaves nothing behind`() async throws {
    let url = temporaryDirectory.appending(path: "book.mmpk")
    try await NapervilleMapbook.write(to: url)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(left == ["book.mmpk"])
  }
}
