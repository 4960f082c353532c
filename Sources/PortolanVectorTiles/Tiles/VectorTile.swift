internal import PortolanExpressions
internal import PortolanGeometry

/// A vector tile.
package struct VectorTile: Sendable {
  package var layers: [VectorTileLayer]

  /// The vertices of all features.
  var vertexCount: Int {
    layers.reduce(0) { count, layer in
      layer.features.reduce(count) { $0 + $1.paths.reduce(0) { $0 + $1.count } }
    }
  }
}

/// A layer of a vector tile.
package struct VectorTileLayer: Sendable {
  package var name: String
  /// The side of the tile, in units of the coordinates of the features.
  var extent: Double
  var features: [VectorTileFeature]
}

/// A feature of a vector tile.
struct VectorTileFeature: Sendable {
  enum Kind: String, Sendable {
    case point = "Point"
    case line = "LineString"
    case polygon = "Polygon"
  }

  /// A number, or a text where the feature is from GeoJSON.
  var id: StyleValue?
  var kind: Kind
  var properties: FeatureProperties
  /// The points, lines or rings, from the top left corner of the tile, y downwards.
  var paths: [[Coordinate]]
  /// The range of each path along its whole line, from 0 to 1; empty where that is not known.
  var spans: [ClosedRange<Double>] = []
  /// The vertex of each ring at which dashes and symbols along it begin; empty where that is the
  /// first.
  var ringStarts: [Int] = []
}
