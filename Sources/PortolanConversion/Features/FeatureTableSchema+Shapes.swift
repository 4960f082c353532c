internal import PortolanFeatures
internal import PortolanGeometry

extension FeatureTableSchema {
  /// Why a file whose shapes are all of the table's type has no place for a shape; `nil` if it has one.
  func refusal(of geometry: Geometry?) -> String? {
    guard let geometry, !geometry.isEmpty else { return nil }
    guard let geometryType else { return "a file without shapes has no place for its shape" }
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
