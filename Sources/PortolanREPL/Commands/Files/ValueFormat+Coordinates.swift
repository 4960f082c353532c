internal import PortolanApp
internal import PortolanGeometry

extension ValueFormat<FeatureExport.Coordinates> {
  /// `native`, or the id of a spatial reference as ``ValueFormat/reference`` has it.
  static let coordinates = ValueFormat(
    "native, or the id of a spatial reference, such as 4326 or 25832"
  ) { text in
    guard text.lowercased() != "native" else { return .native }
    return SpatialReference(typed: text).map { .reference($0) }
  }
}

extension ValueFormat<SpatialReference> {
  /// The id of a spatial reference that EPSG or Esri lists, also as `EPSG:25832`.
  static let reference = ValueFormat(
    "the id of a spatial reference, such as 4326 or 25832"
  ) { SpatialReference(typed: $0) }
}

extension SpatialReference {
  /// The listed reference whose id was typed; `nil` if there is none.
  fileprivate init?(typed text: String) {
    let text = text.lowercased()
    let id = ["epsg:", "esri:"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    guard let number = Int(id ?? text[...]), number > 0 else { return nil }
    let reference = SpatialReference(wkid: number)
    // These two need no registry.
    if reference.isWGS84 {
      self = .wgs84
    } else if reference.isWebMercator {
      self = .webMercator
    } else {
      guard reference.registered() != nil else { return nil }
      self = reference
    }
  }
}
