import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

/// A style of the style specification's rendering cases, and the picture that it must give.
struct RenderingFixture: Sendable {
  static let root = SharedFiles.url("fixtures/style-rendering")

  /// A folder for the pictures that were compared, to look at them beside the expected ones.
  private static let pictures = ProcessInfo.processInfo.environment["PORTOLAN_PICTURES"]

  let name: String
  let style: JSONValue

  static let all: [RenderingFixture] = {
    let paths = FileManager.default.enumerator(
      atPath: root.appending(path: "tests").path(percentEncoded: false))
    return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("/style.json") }
      .sorted().compactMap { path in
        // A case that cannot be read is missing from the count, which is asserted.
        guard let data = try? Data(contentsOf: root.appending(path: "tests/\(path)")),
          let style = try? JSONValue(parsing: data)
        else { return nil }
        return RenderingFixture(name: String(path.dropLast("/style.json".count)), style: style)
      }
  }()

  var property: String { String(name.prefix { $0 != "/" }) }
  private var test: JSONValue? { style["metadata"]?["test"] }
  private var zoom: Double { style["zoom"]?.double ?? 0 }

  /// The share of inked pixels that differ, and what the drawing reported.
  func difference() async throws -> (share: Double, omissions: [String]) {
    let expected = try ImageDecoder.decode(
      try Data(contentsOf: Self.root.appending(path: "tests/\(name)/expected.png")))
    let (image, omissions) = try await picture()
    if let folder = Self.pictures {
      try image.pngData().write(
        to: URL(filePath: folder).appending(path: name.replacing("/", with: "-") + ".png"))
    }
    return (InkComparison(image, expected).share, omissions.map(\.reason))
  }

  func picture() async throws -> (PixelImage, [PictureOmission]) {
    let center = FeaturePlace(style["center"]).mercator
    var frame = MapFrame(
      center: center, scale: 1, width: test?["width"]?.double ?? 512,
      height: test?["height"]?.double ?? 512, spatialReference: .webMercator,
      properties: .webMercator)
    frame.scale = frame.properties.scale(forResolution: 78_271.516_964_020_48 / exp2(zoom))
    frame.rotation = style["bearing"]?.double ?? 0
    let session = try DrawingSession(
      MapPictureRequest(
        frame: frame, pixelRatio: test?["pixelRatio"]?.double ?? 1, concurrency: 1),
      referenceScale: 0)
    await session.fill(.white)
    await VectorTileLayerDrawing(styled, title: "style", in: session).draw()
    await session.drawLabels()
    return (try await session.image(), session.omissions.entries)
  }

  /// The style with its sources; features in files are put into it.
  private var styled: StyledVectorTiles {
    var object = style.object ?? [:]
    var sources: [String: any TileSource] = [:]
    var declared: JSONObject = [:]
    for member in style["sources"]?.object?.members ?? [] {
      declared[member.name] = member.value
      if member.value["type"]?.string == "geojson", var source = member.value.object {
        source["data"] = geoJSON(source["data"] ?? .null)
        declared[member.name] = .object(source)
      } else {
        sources[member.name] = source(member.name, member.value)
      }
    }
    object["sources"] = .object(declared)
    return StyledVectorTiles(
      sources: sources, style: .object(object), resources: FixtureResources(style: style))
  }

  private func source(_ name: String, _ json: JSONValue) -> InMemoryTileSource {
    var tiles: [TileID: Tile] = [:]
    var levels = 0...0
    let kind = json["type"]?.string
    let isPicture = kind == "raster" || kind == "raster-dem"
    let side = isPicture ? json["tileSize"]?.int ?? 512 : 512
    if let template = json["tiles"]?[0]?.string {
      let least = max(json["minzoom"]?.int ?? 0, 0)
      levels = least...max(min(json["maxzoom"]?.int ?? 14, 18), least)
      tiles = self.tiles(template, levels, isFlipped: json["scheme"]?.string == "tms")
    }
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: name, scheme: .webMercator(tileSide: side, levels: levels), levels: levels,
        declaredFormat: isPicture ? "PNG" : "pbf"), tiles: tiles)
  }

  private func geoJSON(_ data: JSONValue) -> JSONValue {
    guard let path = data.string else { return data }
    // Names without a scheme are in a folder of their own.
    let name =
      path.hasPrefix("local://")
      ? path.replacing("local://", with: "")
      : "data/" + (path.split(separator: "/").last.map(String.init) ?? "")
    // Broken files are among the cases: nothing is drawn of them.
    let file = try? Data(contentsOf: Self.root.appending(path: name))
    return file.flatMap { try? JSONValue(parsing: $0) } ?? .null
  }

  private func tiles(
    _ template: String, _ levels: ClosedRange<Int>, isFlipped: Bool
  ) -> [TileID: Tile] {
    let file = template.replacing("local://tiles/", with: "")
    let names =
      (try? FileManager.default.contentsOfDirectory(
        atPath: Self.root.appending(path: "tiles").path(percentEncoded: false))) ?? []
    var tiles: [TileID: Tile] = [:]
    func add(_ name: String, _ id: TileID) {
      guard let data = try? Data(contentsOf: Self.root.appending(path: "tiles/\(name)")) else {
        return
      }
      tiles[id] = Tile(data: data, format: TileFormat(detecting: data) ?? .gzippedVectorTile)
    }
    guard let suffix = file.split(separator: "{y}").last, file.contains("{z}") else {
      for level in levels.prefix(6) {
        for row in 0..<(1 << level) {
          for column in 0..<(1 << level) {
            add(file, TileID(level: level, row: row, column: column))
          }
        }
      }
      return tiles
    }
    for name in names where name.hasSuffix(suffix) {
      let parts = name.dropLast(suffix.count).split(separator: "-").compactMap { Int($0) }
      guard parts.count == 3, levels.contains(parts[0]) else { continue }
      let row = isFlipped ? (1 << parts[0]) - 1 - parts[2] : parts[2]
      add(name, TileID(level: parts[0], row: row, column: parts[1]))
    }
    return tiles
  }
}

/// The icons and letters of the fixtures.
private struct FixtureResources: StyleResources {
  let style: JSONValue

  func sprites(isDouble: Bool) -> [StyleSprite] {
    StyleSprite.addresses(of: style).compactMap { id, address in
      let name = address.replacing("local://", with: "") + (isDouble ? "@2x" : "")
      let root = RenderingFixture.root
      // Styles may name icons that there are not.
      guard let index = try? Data(contentsOf: root.appending(path: "\(name).json")),
        let json = try? JSONValue(parsing: index),
        let image = try? Data(contentsOf: root.appending(path: "\(name).png"))
      else { return nil }
      return StyleSprite(id: id, index: json, image: image)
    }
  }

  func glyphs(fontStack: String, range: ClosedRange<Int>) -> Data? {
    guard style["glyphs"] != nil else { return nil }
    let path = "glyphs/\(fontStack)/\(range.lowerBound)-\(range.upperBound).pbf"
    // A range that is absent has no letters.
    return try? Data(contentsOf: RenderingFixture.root.appending(path: path))
  }

  func file(at address: String) throws(TileError) -> Data {
    let path = address.replacing("local://", with: "")
    do {
      return try Data(contentsOf: RenderingFixture.root.appending(path: path))
    } catch {
      throw .unreadable(file: address, reason: "it is not among the fixtures")
    }
  }
}

/// The center of a style on the map.
private struct FeaturePlace {
  let mercator: Coordinate

  init(_ center: JSONValue?) {
    let radius = 6_378_137.0
    let latitude = min(max(center?[1]?.double ?? 0, -85.06), 85.06) * .pi / 180
    mercator = Coordinate(
      x: (center?[0]?.double ?? 0) * .pi / 180 * radius,
      y: log(tan(.pi / 4 + latitude / 2)) * radius)
  }
}
