import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

/// The documents that describe tiles, and ones that nobody should have written.
@Suite struct CacheConfigurationTests {
  static func read(_ xml: String) throws(TileError) -> CacheConfiguration {
    try CacheConfiguration(
      xml: Data(xml.utf8), extent: nil, path: "v101/Layers/conf.xml", file: "a.tpk")
  }

  @Test func `A conf file is understood`() throws {
    let text = CacheBuilder.configuration("esriMapCacheStorageModeCompact")
    let configuration = try Self.read(text)
    #expect(configuration.storage == .compact)
    #expect(configuration.declaredFormat == "PNG8")
    #expect(configuration.tilesFolder == "v101/Layers/_alllayers")
    #expect(configuration.scheme.levels.map(\.level) == Array(0...9))
    #expect(configuration.scheme.spatialReference.isWebMercator)
    #expect(configuration.fullExtent == nil)
  }

  @Test func `A conf file cut anywhere is refused`() {
    let text = CacheBuilder.configuration("esriMapCacheStorageModeCompact")
    for length in 0..<text.utf8.count - 1 {
      let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
      #expect(throws: TileError.self) { try Self.read(cut) }
    }
  }

  @Test(arguments: [
    ("<TileCols>256", "<TileCols>0"), ("<TileCols>256", "<TileCols>99999999999"),
    ("<TileRows>256", "<TileRows>-1"), ("<X>-20037508.342787", "<X>nan"),
    ("<X>-20037508.342787", "<X>1e999"), ("<PacketSize>128", "<PacketSize>64"),
    ("Compact</StorageFormat>", "Compact9</StorageFormat>"), ("TileCacheInfo>", "Other>"),
    ("LODInfos>", "Other>"), ("<CacheInfo>", "<!DOCTYPE x [<!ENTITY a 'b'>]><CacheInfo>"),
  ])
  func `A conf file that makes no sense is refused`(_ old: String, _ new: String) {
    let text = CacheBuilder.configuration("esriMapCacheStorageModeCompact")
    #expect(text.contains(old))
    #expect(throws: TileError.self) { try Self.read(text.replacing(old, with: new)) }
  }

  @Test func `A resolution that cannot be is left out`() throws {
    let text = CacheBuilder.configuration("esriMapCacheStorageModeCompactV2")
      .replacing("<Resolution>156543.03392800014", with: "<Resolution>-1")
    #expect(try Self.read(text).scheme.levels.map(\.level) == Array(1...9))
  }

  @Test(.needsSharedFiles) func `A root document cut anywhere is refused`() throws {
    let data = try SharedFiles.data("fixtures/tilepackage/Esri-tile-package-spec__root.json")
    for length in stride(from: 0, to: data.count - 1, by: 7) {
      #expect(throws: JSONError.self) { try JSONValue(parsing: data.prefix(length)) }
    }
    let root = try JSONValue(parsing: data)
    let configuration = try CacheConfiguration(root: root, path: "root.json", file: "Usa.tpkx")
    #expect(configuration.levels == 0...5)
    #expect(configuration.tilesFolder == "tile")
    #expect(configuration.fullExtent?.xMin == -19839092.300098713)
  }

  @Test(arguments: ["../tile", "/tile", "tile/../../x", "https://example.com/tile"])
  func `A folder of tiles outside the package is refused`(_ folder: String) {
    let root: JSONValue = [
      "tileInfo": ["origin": ["x": 0, "y": 0], "lods": [["level": 0, "resolution": 1]]],
      "storageInfo": ["storageFormat": "esriMapCacheStorageModeCompactV2"],
      "tileBundlesPath": .string(folder),
    ]
    #expect(throws: TileError.self) {
      try CacheConfiguration(root: root, path: "root.json", file: "a.tpkx")
    }
  }

  @Test func `An extent in another reference is not passed off as the tiles'`() throws {
    let root: JSONValue = [
      "tileInfo": [
        "origin": ["x": 0, "y": 0], "lods": [["level": 0, "resolution": 1]],
        "spatialReference": ["wkid": 102_100],
      ],
      "storageInfo": ["storageFormat": "esriMapCacheStorageModeCompactV2"],
      "fullExtent": [
        "xmin": -10, "ymin": -10, "xmax": 10, "ymax": 10, "spatialReference": ["wkid": 4326],
      ],
    ]
    let configuration = try CacheConfiguration(root: root, path: "root.json", file: "a.tpkx")
    #expect(configuration.fullExtent == nil)
  }
}
