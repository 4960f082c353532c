import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPortal
import PortolanTiles
import PortolanTransport
import Testing

extension RecordedBodyReader {
  /// The readers of the bodies of map, image and vector tile services, and of servers.
  static let maps: [RecordedBodyReader] = [
    RecordedBodyReader("mapserver/*_token.json", plain),
    RecordedBodyReader("mapserver/*_layers.json") { portal, url in
      let layers = try await FeatureService(url: url, client: portal.client).layers()
      #expect(!layers.isEmpty)
    },
    RecordedBodyReader("mapserver/*_legend.json", legend),
    RecordedBodyReader("imageserver/*_legend.json", legend),
    RecordedBodyReader("mapserver/*apserver.json", map),
    RecordedBodyReader("mapserver/*apServer.json", map),
    RecordedBodyReader("mapserver/*time-enabled.json", map),
    RecordedBodyReader("serverroot/*MS.json", map),
    RecordedBodyReader("mapserver/*Marine_31.json", layer),
    RecordedBodyReader("mapserver/*Marine_32.json", layer),
    RecordedBodyReader("mapserver/*Vehicles_17.json") { portal, url in
      let group = try await ServiceFeatureTable.load(url, client: portal.client)
      #expect(group.info.type == "Group Layer")
    },
    RecordedBodyReader("imageserver/*_imageserver.json") { portal, url in
      let info = try await ImageService(url: url, client: portal.client).info()
      #expect(!info.name.isEmpty && info.fullExtent != nil)
    },
    RecordedBodyReader("imageserver/*_identify.json") { portal, url in
      let service = ImageService(url: url, client: portal.client)
      let pixel = try await service.identify(at: Point(x: 0, y: 0), in: .webMercator)
      #expect(pixel.name == "Pixel" && pixel.text != nil && pixel.location != nil)
    },
    RecordedBodyReader("vectortile/*BasemapStyle_*.json", style),
    RecordedBodyReader("vectortile/*-resource-style.json", style),
    RecordedBodyReader("vectortile/*service-info.json") { portal, url in
      let info = try await VectorTileService(url: url, client: portal.client).info()
      #expect(info.tileScheme?.tileWidth == 512 && info.levels == 0...23)
    },
    RecordedBodyReader("vectortile/*-resource-info.json") { portal, url in
      let service = VectorTileService(url: url, client: portal.client)
      let paths = try await service.resourcePaths()
      #expect(paths.contains { $0.hasSuffix(".pbf") })
    },
    RecordedBodyReader("vectortile/*-style-resource.json") { portal, _ in
      let id = try someID
      let resources = try await portal.resources(of: id)
      #expect(resources.count == 3)
    },
    RecordedBodyReader("serverroot/*FS.json") { portal, url in
      let info = try await FeatureService(url: url, client: portal.client).info()
      #expect(!info.layers.isEmpty)
    },
    RecordedBodyReader("serverroot/*_services.json", catalog),
    RecordedBodyReader("serverroot/*_services_*.json", catalog),
    RecordedBodyReader("serverroot/*_AGP.json", catalog),
    RecordedBodyReader("serverroot/*_Elevation.json", catalog),
    RecordedBodyReader("webmap/*.json") { portal, _ in
      let id = try someID
      let json = try #require(try await portal.json(of: id))
      // The form of the print service is another, which is told.
      guard json["mapOptions"] == nil else { return }
      _ = try WebMap(json: json)
    },
    RecordedBodyReader("webmap/*.txt") { portal, url in
      let response = try await portal.client.data(url)
      #expect(!response.body.isEmpty)
    },
  ]

  @Sendable private static func map(_ portal: Portal, _ url: URL) async throws {
    let info = try await MapService(url: url, client: portal.client).info()
    #expect(info.spatialReference != nil && info.fullExtent != nil)
    #expect(!info.layers.isEmpty || info.tileScheme != nil)
  }

  @Sendable private static func legend(_ portal: Portal, _ url: URL) async throws {
    let legends = try await MapService(url: url, client: portal.client).legend()
    for line in legends.flatMap(\.lines) { #expect(line.imageData?.isEmpty == false) }
  }

  @Sendable private static func style(_ portal: Portal, _ url: URL) async throws {
    let style = try await ServiceStyle.load(url, client: portal.client)
    #expect(!style.sourceURLs.isEmpty && !style.spriteURLs.isEmpty)
    #expect(
      style.glyphsURL(of: "Arial Regular", from: 256)?.path().hasSuffix("256-511.pbf") == true)
  }

  @Sendable private static func catalog(_ portal: Portal, _ url: URL) async throws {
    let catalog = try await ArcGISServer(url: url, client: portal.client).catalog()
    #expect(!catalog.services.isEmpty)
    for service in catalog.services { #expect(service.url(below: url) != nil) }
  }
}
