import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles

@testable import PortolanRendering

/// A style of the style specification's rendering cases, and the picture that it must give.
struct RenderingFixture: Sendable {
  static let root = SharedFiles.url("fixtures/style-rendering")

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
    let expected = try PictureDecoder.decode(
      try Data(contentsOf: Self.root.appending(path: "tests/\(name)/expected.png")))
    let (image, omissions) = try await picture()
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
    let sprites = sprites(ratio: session.pixelRatio)
    let fonts = fonts()
    for run in runs() {
      await VectorTileLayerDrawing(
        source(run.source), style: VectorStyle(run.style), sprites: sprites, fonts: fonts,
        title: "style", in: session
      ).draw()
    }
    await session.drawLabels()
    return (try await session.image(), session.omissions.entries)
  }

  /// Layers one above the other that draw the same source, as styles of their own.
  private func runs() -> [(source: String, style: JSONValue)] {
    var runs: [(source: String, layers: [JSONValue])] = []
    for layer in style["layers"]?.array ?? [] {
      var object = layer.object ?? [:]
      let source = object["source"]?.string ?? runs.last?.source ?? ""
      if style["sources"]?[source]?["type"]?.string == "geojson" {
        object["source-layer"] = .string(source)
        object["source"] = nil
      }
      if runs.last?.source == source {
        runs[runs.count - 1].layers.append(.object(object))
      } else {
        runs.append((source, [.object(object)]))
      }
    }
    return runs.map { run in
      (run.source, ["layers": .array(run.layers), "sources": style["sources"] ?? [:]])
    }
  }

  private func source(_ name: String) -> InMemoryTileSource {
    let json = style["sources"]?[name]
    var tiles: [TileID: Tile] = [:]
    var levels = 0...0
    if json?["type"]?.string == "geojson" {
      let data = GeoJSONTile.tile(
        geoJSON(json?["data"] ?? .null), name: name, zoom: min(max(Int(zoom), 0), 18))
      tiles[TileID(level: 0, row: 0, column: 0)] = Tile(data: data, format: .gzippedVectorTile)
    } else if let template = json?["tiles"]?[0]?.string {
      levels = 0...min(max(json?["maxzoom"]?.int ?? 14, 0), 18)
      tiles = self.tiles(template, levels, isFlipped: json?["scheme"]?.string == "tms")
    }
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: name, scheme: .webMercator(tileSide: 512, levels: levels), levels: levels,
        declaredFormat: "pbf"), tiles: tiles)
  }

  private func geoJSON(_ data: JSONValue) -> JSONValue {
    guard let path = data.string else { return data }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    // Broken files are among the cases: nothing is drawn of them.
    let file = try? Data(contentsOf: Self.root.appending(path: "data/\(name)"))
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
      tiles[id] = Tile(data: data, format: .gzippedVectorTile)
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

  private func sprites(ratio: Double) -> SpriteSheet? {
    guard let address = style["sprite"]?.string else { return nil }
    let base = address.replacing("local://", with: "")
    for name in (ratio > 1 ? ["\(base)@2x", base] : [base]) {
      // Styles may name icons that there are not.
      guard let index = try? Data(contentsOf: Self.root.appending(path: "\(name).json")),
        let json = try? JSONValue(parsing: index),
        let image = try? Data(contentsOf: Self.root.appending(path: "\(name).png"))
      else { continue }
      return try? SpriteSheet(index: json, image: image)
    }
    return nil
  }

  private func fonts() -> GlyphFonts? {
    guard style["glyphs"] != nil else { return nil }
    return GlyphFonts { stack, range throws(TileError) in
      let path = "glyphs/\(stack)/\(range.lowerBound)-\(range.upperBound).pbf"
      // A range that is absent has no letters.
      return try? Data(contentsOf: Self.root.appending(path: path))
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
