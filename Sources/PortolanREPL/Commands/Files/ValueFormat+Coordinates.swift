internal import PortolanApp
internal import PortolanGeometry

extension ValueFormat<FeatureExport.Coordinates> {
  /// `native`, or the id of a spatial reference that EPSG or Esri lists, also as `EPSG:25832`.
  static let coordinates = ValueFormat(
    "native, or the id of a spatial reference, such as 4326 or 25832"
  ) { text in
    let text = text.lowercased()
    guard text != "native" else { return .native }
    let id = ["epsg:", "esri:"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    guard let number = Int(id ?? text[...]), number > 0 else { return nil }
    let reference = SpatialReference(wkid: number)
    // These two need no registry.
    if reference.isWGS84 { return .wgs84 }
    if reference.isWebMercator { return .reference(.webMercator) }
    return reference.registered() == nil ? nil : .reference(reference)
  }
}
