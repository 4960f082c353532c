internal import Foundation
internal import PortolanArchives
internal import PortolanAuthoring
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// The layers of a feature service as vector tiles in gzip.
///
/// The tiles form a tree that ends where finer tiles would show nothing more: there a leaf stands
/// for all below it.
struct FeatureTiles: TileRenderer {
  let scheme = TileScheme.webMercator(tileSide: 512, levels: 0...16)
  let levels = 0...9
  let fullExtent: Envelope

  private let tables: [HostedTable]
  /// The tiles there are, and whether each has children.
  private let nodes: [TileID: Bool]

  /// Creates the tiles of some layers, all on the Web Mercator.
  init(_ tables: [HostedTable]) {
    self.tables = tables
    fullExtent = tables.reduce(.empty) { $0.union($1.extent) }
    let shapes = tables.flatMap { $0.rows.compactMap(\.feature.geometry) }
    nodes = Self.nodes(over: shapes, in: scheme, to: levels.upperBound)
  }

  func tile(at id: TileID) throws -> Data? {
    guard nodes[id] != nil, let ground = scheme.envelope(of: id) else { return nil }
    var encoder = VectorTileEncoder(of: ground)
    for table in tables {
      try encoder.add(layer: table.schema.name, table.rows.lazy.map(\.feature))
    }
    return try Gzip.compress(encoder.data)
  }

  /// `tilemap`: 0 for no tile, 1 for a leaf, else the four children.
  var index: JSONValue { ["index": node(TileID(level: 0, row: 0, column: 0))] }

  /// The layers with their fields, as `vector_layers` has them.
  var metadata: JSONValue {
    [
      "vector_layers": .array(
        tables.map { table in
          let fields = table.schema.fields.map { field in
            JSONObject.Member(
              name: field.name, value: field.type.isNumeric ? "Number" : "String")
          }
          return [
            "id": .string(table.schema.name), "fields": .object(JSONObject(fields)),
            "minzoom": 0, "maxzoom": .integer(Int64(levels.upperBound)),
          ]
        })
    ]
  }

  private func node(_ id: TileID) -> JSONValue {
    guard let hasChildren = nodes[id] else { return 0 }
    return hasChildren ? .array(id.children.map(node)) : 1
  }

  /// Below this level a tile with a single shape has no children.
  private static let firstLeafLevel = 6

  private static func nodes(
    over shapes: [Geometry], in scheme: TileScheme, to lastLevel: Int
  ) -> [TileID: Bool] {
    var nodes: [TileID: Bool] = [:]
    var pending = [(TileID(level: 0, row: 0, column: 0), shapes)]
    while let (id, candidates) = pending.popLast() {
      guard let ground = scheme.envelope(of: id) else { continue }
      let reach = VectorTileEncoder.reach(of: ground)
      let inside = candidates.filter { $0.intersects(reach) }
      guard !inside.isEmpty else { continue }
      let isLeaf =
        id.level == lastLevel || (id.level >= firstLeafLevel && inside.count == 1)
      nodes[id] = !isLeaf
      if !isLeaf { pending += id.children.map { ($0, inside) } }
    }
    return nodes
  }
}
