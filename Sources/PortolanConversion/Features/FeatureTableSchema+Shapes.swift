internal import PortolanFeatures
internal import PortolanGeometry

extension FeatureTableSchema {
  /// Why there is no place for a shape where all are of the table's type, or there are none; `nil` if there is one.
  func refusal(of geometry: Geometry?) -> String? {
    guard let geometry, !geometry.isEmpty else { return nil }
    guard let geometryType else { return "it has a shape, and its table has none" }
    let (found, held) = (geometry.type.plural, geometryType.plural)
    return found == held ? nil : "a file of \(held) has no place for \(found)"
  }
}

extension GeometryType {
  /// Shapes of the type, as messages call them.
  fileprivate var plural: String {
    switch self {
    case .point: "points"
    case .multipoint: "sets of points"
    case .polyline: "lines"
    case .polygon, .envelope: "areas"
    }
  }
}
