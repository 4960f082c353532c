internal import PortolanFeatures
internal import PortolanGeometry

extension ConversionFormat {
  /// What is to be said of the heights of a table that are measured from something that files of the format do
  /// not name; `nil` if they do, or if there are no heights.
  func heightNote(
    _ table: FeatureTableSchema, _ coordinates: Conversion.Coordinates
  ) -> String? {
    guard table.geometryType != nil, table.hasZ, let native = table.spatialReference,
      let heights = native.heightReference()
    else { return nil }
    var isNamed = names(heights)
    if case .reference(let wanted) = coordinates, !wanted.isEquivalent(to: native) {
      isNamed = wanted.heightReference().map { $0.name == heights.name && names($0) } ?? false
    }
    return isNamed
      ? nil
      : "The heights of \"\(table.name)\" refer to \"\(heights.name)\", which the target does not say. "
        + "They were written as they are."
  }

  /// Whether files say what heights are measured from: by the id of the whole reference, or by its text.
  private func names(_ heights: SpatialReference.HeightReference) -> Bool {
    switch self {
    case .geoPackage, .flatGeobuf, .geoJSON, .folder: heights.isIdentified
    case .shapefile: !heights.isIdentified
    case .geodatabase: true
    case .csv, .tiles: false
    }
  }
}
