internal import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanTileFiles
internal import PortolanTiles

/// Draws the tables of a backdrop as a vector tile package.
///
/// Tiles are made where there is something to see, and those above them. Shapes are simplified for
/// each level; no feature is left out. The features are held in memory meanwhile: a backdrop is no
/// place for millions.
struct BackdropTiles {
  private let specification: BackdropSpecification
  private let tables: [PackageTable]
  private let title: String

  /// The most features of a backdrop.
  private static let mostFeatures = 500_000
  /// The side of a tile, in pixels.
  private static let side = 512

  /// Creates the tiles of tables, whose shapes come on the Web Mercator.
  init(_ specification: BackdropSpecification, _ tables: [PackageTable], title: String) {
    self.specification = specification
    self.tables = tables
    self.title = specification.title ?? title
  }

  /// The layers in the tiles: one of each table, however many draw it, from the coarsest level on which
  /// one does.
  private var tileLayers: [BackdropSpecification.Layer] {
    var layers: [BackdropSpecification.Layer] = []
    for layer in specification.layers {
      guard let known = layers.firstIndex(where: { $0.data == layer.data }) else {
        layers.append(layer)
        continue
      }
      layers[known].minLevel = min(layers[known].minLevel, layer.minLevel)
    }
    return layers
  }

  /// Writes the file.
  func write(to url: URL) async throws(DataFault) {
    var rows: [TileRows] = []
    for layer in tileLayers { rows.append(try await self.rows(of: layer)) }
    guard !rows.allSatisfy(\.isEmpty) else {
      throw DataFault("The backdrop has no features.", at: specification.path)
    }
    do { try await write(rows, to: url) } catch {
      throw DataFault(error, at: specification.path)
    }
  }

  /// The rows of a layer, with their shapes only: a backdrop is drawn, and not identified.
  private func rows(
    of layer: BackdropSpecification.Layer
  ) async throws(DataFault) -> TileRows {
    var rows = TileRows(name: layer.data, fields: [], minLevel: layer.minLevel)
    guard let table = tables.first(where: { $0.schema.name == layer.data }) else { return rows }
    var count = 0
    do throws(FeatureStoreError) {
      var iterator = PackageFeatures([table])
        .features(in: table.schema.name, matching: QueryParameters()).makeAsyncIterator()
      while case let page = try await iterator.nextFeatures(), !page.isEmpty {
        for row in page where row.geometry != nil {
          rows.add(row, [], row.geometry)
          count += 1
        }
        guard count <= Self.mostFeatures else { break }
      }
    } catch {
      throw DataFault(error, file: table.specification)
    }
    guard count <= Self.mostFeatures else {
      throw DataFault(
        "A backdrop can have \(Self.mostFeatures) features of a table at most.",
        at: layer.dataPath)
    }
    rows.finish()
    return rows
  }

  private func write(_ rows: [TileRows], to url: URL) async throws {
    let extent = rows.reduce(Envelope.empty) { $0.union($1.extent) }
    let levels = 0...specification.maxLevel
    let description = TilePackageDescription(
      name: specification.name, title: title,
      scheme: TileScheme.webMercator(tileSide: Self.side, levels: levels), fullExtent: extent,
      geographicExtent: try Projection(from: .webMercator, to: .wgs84).project(extent),
      format: "pbf", vectorMetadata: ["vector_layers": .array(rows.map { $0.metadata(levels) })])
    var writer = try VectorTilePackageWriter(at: url, description, style: style)
    var limits = VectorTileConversion.Limits()
    limits.size = .max
    limits.featureCount = .max
    try await write(VectorTilePyramid(of: rows, levels: levels, limits), to: &writer)
    try writer.finish()
  }

  private func write(
    _ pyramid: VectorTilePyramid, to writer: inout VectorTilePackageWriter
  ) async throws {
    try await pyramid.forEachTile { id, tile in try writer.add(tile, at: id) }
  }

  // MARK: Documents

  private var style: JSONValue {
    var layers: [JSONValue] = []
    if let background = specification.background {
      layers.append([
        "id": "background", "type": "background",
        "paint": ["background-color": .string(background.css)],
      ])
    }
    layers += specification.layers.enumerated().map { index, layer in
      self.layer(layer, id: "\(index)-\(layer.data)")
    }
    return [
      "version": 8, "sources": ["esri": ["type": "vector", "url": "../../"]],
      "layers": .array(layers),
    ]
  }

  private func layer(_ layer: BackdropSpecification.Layer, id: String) -> JSONValue {
    let table = tables.first { $0.schema.name == layer.data }
    var paint: JSONObject = [:]
    let type: String
    switch table?.schema.geometryType {
    case .polygon, .envelope:
      type = "fill"
      paint["fill-color"] = .string(layer.color.css)
      paint["fill-outline-color"] = layer.outline.map { .string($0.css) }
    case .polyline:
      type = "line"
      paint["line-color"] = .string(layer.color.css)
      paint["line-width"] = .number(layer.width)
    default:
      type = "circle"
      paint["circle-color"] = .string(layer.color.css)
      paint["circle-radius"] = .number(layer.width)
    }
    return [
      "id": .string(id), "type": .string(type), "source": "esri",
      "source-layer": .string(layer.data), "minzoom": .integer(Int64(layer.minLevel)),
      "layout": [:], "paint": .object(paint),
    ]
  }
}

extension RGBAColor {
  /// The color as styles of vector tiles write it.
  fileprivate var css: String {
    alpha == 255 ? hexadecimal : "rgba(\(red),\(green),\(blue),\(Double(alpha) / 255))"
  }
}
