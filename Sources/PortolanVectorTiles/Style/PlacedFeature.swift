internal import Foundation
internal import PortolanDrawing
package import PortolanExpressions
internal import PortolanGeometry
package import PortolanJSON
internal import PortolanMap

/// A feature of a tile at its place, as expressions ask about it.
package struct PlacedFeature: StyleFeature {
  let feature: VectorTileFeature
  let tile: PlacedVectorTile
  let layer: VectorTileLayer

  package var identifier: StyleValue { feature.id ?? .null }
  package var geometryType: String? { feature.kind.rawValue }

  package func property(_ name: String) -> StyleValue? { feature.properties[name] }

  package var allProperties: JSONObject { feature.properties.json }

  /// The areas of a polygon, each with its holes, in coordinates of which the sides of a tile have 8192.
  var areas: [PixelPath] {
    let unit = FeatureGeometry.unitsPerTile / layer.extent
    let rings = feature.paths.map { $0.map { Coordinate(x: $0.x * unit, y: $0.y * unit) } }
    return PixelPath(rings, isClosed: true).areas
  }

  /// The place on the grid of Web Mercator; tiles in other references have none.
  package var geometry: FeatureGeometry? {
    let world = 40_075_016.685_578_49
    let zoom = log2(world / tile.extent.width).rounded()
    guard tile.spatialReference.isWebMercator, (0...30).contains(zoom) else { return nil }
    let unit = FeatureGeometry.unitsPerTile * pow(2, zoom) / world
    let (across, down) = (tile.extent.width / layer.extent, tile.extent.height / layer.extent)
    let paths = feature.paths.map { path in
      path.map {
        FeatureGeometry.Point(
          x: ((tile.extent.xMin + $0.x * across + world / 2) * unit).rounded(),
          y: ((world / 2 - tile.extent.yMax + $0.y * down) * unit).rounded())
      }
    }
    let kind: FeatureGeometry.Kind =
      switch feature.kind {
      case .point: .points
      case .line: .lines
      case .polygon: .polygon
      }
    return FeatureGeometry(
      kind: kind, zoom: Int(zoom), paths: kind == .points ? [paths.flatMap(\.self)] : paths)
  }
}

extension StyleValue {
  /// A value of a feature, as documents hold it.
  var json: JSONValue {
    switch self {
    case .bool(let isTrue): .bool(isTrue)
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    case .list(let elements): .array(elements.map(\.json))
    case .object(let object): .object(object)
    default: .null
    }
  }
}

extension RGBAColor {
  /// The color in bytes.
  init(_ color: StyleColor) {
    func byte(_ share: Double) -> UInt8 {
      share.isNaN ? 0 : UInt8((min(max(share, 0), 1) * 255).rounded())
    }
    self.init(
      red: byte(color.red), green: byte(color.green), blue: byte(color.blue),
      alpha: byte(color.alpha))
  }
}
