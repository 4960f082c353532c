import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanImages
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTiles

/// 10,000 polygons as a picture of 1024 x 768, from a GeoPackage to PNG (8), and tiles from their
/// parents (7).
struct PictureBenchmark: BenchmarkSuite {
  let name = "picture"

  func run(_ bed: BenchmarkBed) async throws {
    let file = bed.data("local/polys10k.gpkg")
    let renderer = try await Self.polygons(file)
    try await wholes(bed, file, renderer)
    try await parts(bed, file, renderer)
    try await OverzoomBenchmark().run(bed)
  }

  private func wholes(
    _ bed: BenchmarkBed, _ file: URL, _ renderer: MapRenderer
  ) async throws {
    let path = file.path(percentEncoded: false)
    let mapnik = bed.peer(
      "mapnik 3.1, memory source", script: "bench_render.py", row: "mapnik 3.1 AGG, memory source")
    let floor = bed.floor("C floor: exact coverage, one thread", "floor_render \(path) 11")
    await Contest(
      job: "Picture: 10,000 polygons, 1024 x 768, one thread",
      contenders: [
        Self.picture("Portolan, one thread", renderer, concurrency: 1), mapnik, floor,
        bed.peer("Pillow, no smoothing", script: "bench_render.py", row: "Pillow ImageDraw"),
        bed.peer("pycairo", script: "bench_render.py", row: "pycairo"),
      ]
    ).run(on: bed)
    await Contest(
      job: "Picture: 10,000 polygons, 1024 x 768, two threads",
      contenders: [
        Self.picture("Portolan, two threads", renderer, concurrency: 2), mapnik, floor,
      ]
    ).run(on: bed)
  }

  /// The first picture of a file, and the share of writing it as PNG.
  private func parts(_ bed: BenchmarkBed, _ file: URL, _ renderer: MapRenderer) async throws {
    await Contest(
      job: "The first picture of a file, one thread",
      contenders: [
        .ours("Portolan, open and draw", count: 1) {
          _ = try await Self.polygons(file).picture(Self.request(concurrency: 1))
        },
        Self.picture("Portolan, the next picture", renderer, concurrency: 1),
      ]
    ).run(on: bed)
    let image = try await renderer.image(Self.request(concurrency: 1)).image
    let size = try image.pngData(.fast).count
    await Contest(
      job: "The picture's pixels as PNG, one thread (\(size) bytes)",
      contenders: [
        .ours("Portolan, fast", count: 4) { for _ in 0..<4 { _ = try image.pngData(.fast) } },
        .ours("Portolan, small", count: 1) { _ = try image.pngData(.small) },
        Self.picture("Portolan, the whole picture", renderer, concurrency: 1),
      ]
    ).run(on: bed)
  }

  private static func renderer(_ url: URL) async throws -> MapRenderer {
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: FileManager.default.temporaryDirectory, now: .now)
    guard let map = package.maps.first else { throw BenchmarkError("\(url.path()) has no map") }
    return MapRenderer(await DrawnMap(of: map))
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
    for index in renderer.map.layers.indices {
      guard case .features(let tables) = renderer.map.layers[index].content else { continue }
      var info = DrawingInfo()
      info.renderer = .uniqueValue(UniqueValueRenderer(field: "kind", classes: classes))
      renderer.map.layers[index].content = .features(
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
    .ours(name, count: 1) { _ = try await renderer.picture(request(concurrency: concurrency)) }
  }

  private static func request(concurrency: Int) -> MapPictureRequest {
    let extent = Envelope(
      xMin: 1_000_000, yMin: 6_000_000, xMax: 1_003_450, yMax: 6_002_610)
    let frame = MapFrame(
      center: extent.center, scale: 1, width: 1024, height: 768, spatialReference: .webMercator,
      properties: .webMercator)
    return MapPictureRequest(
      frame: frame.showing(extent),
      background: RGBAColor(red: 245, green: 245, blue: 245), concurrency: concurrency)
  }
}
