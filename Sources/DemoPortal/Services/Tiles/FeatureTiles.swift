internal import Foundation
internal import PortolanConversion
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
  /// The layers with their fields, as `vector_layers` has them.
  let metadata: JSONValue

  private let pyramid: VectorTilePyramid
  /// The tiles there are, and whether each has children.
  private let nodes: [TileID: Bool]

  /// Below this level a tile with a single shape has no children.
  private static let firstLeafLevel = 6

  /// Creates the tiles of some layers, all on the Web Mercator.
  init(_ tables: [HostedTable]) {
    fullExtent = tables.reduce(.empty) { $0.union($1.extent) }
    let levels = self.levels
    let rows = tables.map(Self.rows)
    metadata = ["vector_layers": .array(rows.map { $0.metadata(levels) })]
    pyramid = VectorTilePyramid(of: rows, levels: levels, Self.limits)
    nodes = Self.nodes(of: pyramid, to: levels.upperBound)
  }

  /// Nothing is left out or simplified, since a leaf is drawn at all finer levels too.
  private static var limits: VectorTileConversion.Limits {
    var limits = VectorTileConversion.Limits()
    limits.size = .max
    limits.featureCount = .max
    limits.tolerance = 0
    limits.smallestArea = 0
    return limits
  }

  private static func rows(of table: HostedTable) -> TileRows {
    var rows = TileRows(name: table.schema.name, fields: table.schema.fields)
    for row in table.rows {
      let positions = rows.fieldPositions(in: row.feature.attributes)
      rows.add(row.feature, positions, row.feature.geometry)
    }
    rows.finish()
    return rows
  }

  private static func nodes(of pyramid: VectorTilePyramid, to lastLevel: Int) -> [TileID: Bool] {
    var nodes: [TileID: Bool] = [:]
    pyramid.visit { id, count in
      let isLeaf = id.level == lastLevel || (id.level >= firstLeafLevel && count == 1)
      nodes[id] = !isLeaf
      return !isLeaf
    }
    return nodes
  }

  func tile(at id: TileID) throws -> Data? {
    guard nodes[id] != nil else { return nil }
    return try pyramid.tile(at: id)
  }

  /// `tilemap`: 0 for no tile, 1 for a leaf, else the four children.
  var index: JSONValue { ["index": node(TileID(level: 0, row: 0, column: 0))] }

  private func node(_ id: TileID) -> JSONValue {
    guard let hasChildren = nodes[id] else { return 0 }
    return hasChildren ? .array(id.children.map(node)) : 1
  }
}
