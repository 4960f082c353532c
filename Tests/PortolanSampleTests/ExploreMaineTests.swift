import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanSample

@Suite(.temporaryDirectory) struct ExploreMaineTests {
  @Test func `The sample has the same bytes every time`() async throws {
    let urls = ["a.mmpk", "b.mmpk"].map { temporaryDirectory.appending(path: $0) }
    for url in urls { try await ExploreMaine.write(to: url) }
    #expect(try Data(contentsOf: urls[0]) == Data(contentsOf: urls[1]))
  }

  @Test func `The sample is small and leaves nothing behind`() async throws {
    let url = temporaryDirectory.appending(path: "sample.mmpk")
    try await ExploreMaine.write(to: url)
    let size = try #require(url.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(size < 3_000_000)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(left == ["sample.mmpk"])
  }

  @Test func `Sources that are missing are named`() throws {
    let sources = try SampleSources(folder: temporaryDirectory)
    let folder = temporaryDirectory.path(percentEncoded: false)
    #expect(throws: SampleError.missingSource(name: "land.geojson", folder: folder)) {
      try sources.records("land.geojson")
    }
  }

  @Test func `Every map opens without complaint`() async throws {
    let package = try await SampleFixture().package
    #expect(package.info.title == "Explore Maine")
    #expect(package.maps.map(\.name) == ExploreMaine.mapNames)
    #expect(package.failures.isEmpty)
    #expect(package.warnings == [])
  }

  @Test func `Every map is read as its source has it`() async throws {
    let package = try await SampleFixture().package
    let sources = try SampleSources()
    for map in package.maps {
      let source = try #require(sources.document("maps/\(map.name).json")["map"])
      #expect(map.webMap == (try WebMap(json: source)))
      #expect(map.webMap.json == (try WebMap(json: source)).strictJSON)
    }
  }

  @Test func `Every layer finds its data`() async throws {
    for map in try await SampleFixture().package.maps {
      for layer in map.webMap.allLayers + map.webMap.basemap.layers {
        let content = await map.contents.content(of: layer)
        #expect(content.problem == nil, "\(map.name): \(layer.title)")
        for features in content.features {
          let count = try await features.store.count(
            in: features.schema.name, matching: features.limited(QueryParameters()))
          #expect(count > 0, "\(map.name): \(layer.title)")
        }
      }
    }
  }

  @Test func `There is a renderer of each kind`() async throws {
    let layers = try await SampleFixture().package.maps.flatMap(\.webMap.allLayers)
    let kinds = Set(layers.compactMap { $0.layerDefinition.drawingInfo.renderer?.type })
    #expect(
      kinds == [
        "simple", "uniqueValue", "classBreaks", "heatmap", "dotDensity", "pieChart",
      ])
    let texts = layers.map { JSONValue.object($0.json).text() }
    for member in ["uniqueValueInfos", "uniqueValueGroups", "popupElements", "mediaInfos"] {
      #expect(texts.contains { $0.contains("\"\(member)\"") }, "\(member)")
    }
  }
}
