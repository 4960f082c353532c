internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanTileFiles
internal import PortolanTiles

/// Draws the tables of a backdrop as a vector tile package.
///
/// Tiles are made where there is something to see, and those above them. The features are held in
/// memory meanwhile: a backdrop is no place for millions.
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

  /// A layer with its features.
  private struct Content {
    var layer: BackdropSpecification.Layer
    var features: [Feature]
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
    var contents: [Content] = []
    for layer in tileLayers {
      contents.append(Content(layer: layer, features: try await features(of: layer)))
    }
    let extents = contents.flatMap(\.features).compactMap(\.geometry?.extent)
    guard let first = extents.first else {
      throw DataFault("The backdrop has no features.", at: specification.path)
    }
    do {
      try write(contents, extents.reduce(first) { $0.union($1) }, to: url)
    } catch {
      throw DataFault(error, at: specification.path)
    }
  }

  /// The features of a layer, with their shapes only: the tiles are drawn, and not asked.
  private func features(
    of layer: BackdropSpecification.Layer
  ) async throws(DataFault) -> [Feature] {
    guard let table = tables.first(where: { $0.schema.name == layer.data }) else { return [] }
    let rows = PackageFeatures([table]).features(
      in: table.schema.name, matching: QueryParameters())
    let none = FieldList([])
    var features: [Feature] = []
    do throws(FeatureStoreError) {
      var iterator = rows.makeAsyncIterator()
      while case let page = try await iterator.nextFeatures(), !page.isEmpty {
        features += page.compactMap { row in
          row.geometry.map {
            Feature(objectID: row.objectID, attributes: Attributes(none), geometry: $0)
          }
        }
        guard features.count <= Self.mostFeatures else { break }
      }
    } catch {
      throw DataFault(error, file: table.specification)
    }
    guard features.count <= Self.mostFeatures else {
      throw DataFault(
        "A backdrop can have \(Self.mostFeatures) features of a table at most.",
        at: layer.dataPath)
    }
    return features
  }

  private func write(_ contents: [Content], _ extent: Envelope, to url: URL) throws {
    let scheme = TileScheme.webMercator(
      tileSide: Self.side, levels: 0...specification.maxLevel)
    let description = TilePackageDescription(
      name: specification.name, title: title, scheme: scheme, fullExtent: extent,
      geographicExtent: try Projection(from: .webMercator, to: .wgs84).project(extent),
      format: "pbf", vectorMetadata: metadata)
    var writer = try VectorTilePackageWriter(at: url, description, style: style)
    var pending = [(id: TileID(level: 0, row: 0, column: 0), contents: contents)]
    while let (id, candidates) = pending.popLast() {
      try Task.checkCancellation()
      guard let ground = scheme.envelope(of: id) else { continue }
      let reach = VectorTileEncoder.reach(of: ground)
      let inside = candidates.compactMap { content -> Content? in
        var content = content
        content.features = content.features.filter {
          $0.geometry?.extent.map(reach.intersects) ?? false
        }
        return content.features.isEmpty ? nil : content
      }
      guard !inside.isEmpty else { continue }
      var encoder = VectorTileEncoder(of: ground)
      for content in inside where content.layer.minLevel <= id.level {
        try encoder.add(layer: content.layer.data, content.features)
      }
      // A tile without anything to see still leads to those below it.
      try writer.add(try Gzip.compress(encoder.data), at: id)
      if id.level < specification.maxLevel { pending += id.children.map { ($0, inside) } }
    }
    try writer.finish()
  }

  // MARK: Documents

  private var metadata: JSONValue {
    [
      "vector_layers": .array(
        tileLayers.map { layer in
          [
            "id": .string(layer.data), "fields": [:],
            "minzoom": .integer(Int64(layer.minLevel)),
            "maxzoom": .integer(Int64(specification.maxLevel)),
          ]
        })
    ]
  }

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
