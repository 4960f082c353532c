import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTiles

/// 10,000 polygons as a picture of 1024 x 768, from a GeoPackage to PNG, and a
/// tile from its parent (7).
struct PictureBenchmark: BenchmarkSuite {
  let name = "picture"

  func run(_ bed: BenchmarkBed) async throws {
    let file = bed.data("local/polys10k.gpkg")
    let path = file.path(percentEncoded: false)
    let renderer = try await Self.polygons(file)
    await Contest(
      job: "Picture: 10,000 polygons, 1024 x 768",
      contenders: [
        Self.picture("Portolan, one thread", renderer, concurrency: 1),
        Self.picture("Portolan, two threads", renderer, concurrency: 2),
        bed.floor("C floor: exact coverage, one thread", "floor_render \(path) 11"),
        bed.peer("Pillow, no smoothing", script: "bench_render.py", row: "Pillow ImageDraw"),
        bed.peer("pycairo", script: "bench_render.py", row: "pycairo"),
        bed.peer(
          "mapnik 3.1, memory source", script: "bench_render.py",
          row: "mapnik 3.1 AGG, memory source"),
      ]
    ).run(on: bed)
    try await overzoom(bed)
  }

  private func overzoom(_ bed: BenchmarkBed) async throws {
    let renderer = try await Self.renderer(bed.data("pack/t.mbtiles"))
    let tiles = bed.data("tiles").path(percentEncoded: false)
    await Contest(
      job: "Tile of level 8 from its parent, PNG to PNG",
      contenders: [
        .ours("Portolan, bilinear", count: 100) {
          for index in 0..<100 {
            let request = Self.child(index)
            _ = try await renderer.picture(request)
          }
        },
        bed.floor("C floor: palette kept, nearest", "floor_overzoom \(tiles) 3000 1 1"),
        bed.peer("libvips linear", script: "bench_overzoom.py", row: "libvips linear"),
        bed.peer(
          "Pillow RGB bilinear, zlib 1", script: "bench_overzoom.py",
          row: "Pillow RGB bilinear, zlib 1"),
      ]
    ).run(on: bed)
  }

  private static func renderer(_ url: URL) async throws -> MapRenderer {
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: FileManager.default.temporaryDirectory, now: .now)
    guard let map = package.maps.first else { throw BenchmarkError("\(url.path()) has no map") }
    return await MapRenderer(of: map)
  }

  /// The polygons in nine colours by kind, as the rivals draw them.
  private static func polygons(_ url: URL) async throws -> MapRenderer {
    var renderer = try await renderer(url)
    let colors: [(UInt8, UInt8, UInt8)] = [
      (200, 220, 160), (240, 200, 150), (160, 190, 230), (230, 170, 170), (180, 220, 200),
      (220, 220, 140), (200, 180, 220), (170, 210, 170), (230, 210, 190),
    ]
    let classes = colors.enumerated().map { index, color in
      let fill = RGBAColor(red: color.0, green: color.1, blue: color.2, alpha: 200)
      return (
        value: .integer(Int64(index)) as AttributeValue, label: "\(index)",
        symbol: Symbol.simpleFill(SimpleFillSymbol(color: fill))
      )
    }
    for index in renderer.layers.indices {
      guard case .features(let tables) = renderer.layers[index].content else { continue }
      var info = DrawingInfo()
      info.renderer = .uniqueValue(UniqueValueRenderer(field: "kind", classes: classes))
      renderer.layers[index].content = .features(
        tables.map {
          FeatureLayerContent(
            store: $0.store, schema: $0.schema, drawingInfo: info, popup: $0.popup)
        })
    }
    return renderer
  }

  private static func picture(
    _ name: String, _ renderer: MapRenderer, concurrency: Int
  ) -> Contender {
    let extent = Envelope(
      xMin: 1_000_000, yMin: 6_000_000, xMax: 1_003_450, yMax: 6_002_610)
    var frame = MapFrame(
      center: extent.center, scale: 1, width: 1024, height: 768, spatialReference: .webMercator,
      properties: .webMercator)
    frame = frame.showing(extent)
    let request = MapPictureRequest(frame: frame, concurrency: concurrency)
    return .ours(name, count: 1) { _ = try await renderer.picture(request) }
  }

  /// The ground of a tile of level 8 below one of level 7.
  private static func child(_ index: Int) -> MapPictureRequest {
    let scheme = TileScheme.webMercator
    let id = TileID(level: 8, row: (index * 91 & 127) * 2, column: (index * 37 & 127) * 2 + 1)
    let ground = scheme.envelope(of: id) ?? .empty
    let frame = MapFrame(
      center: ground.center, scale: 1, width: 256, height: 256, spatialReference: .webMercator,
      properties: .webMercator)
    return MapPictureRequest(frame: frame.showing(ground), concurrency: 1)
  }
}
