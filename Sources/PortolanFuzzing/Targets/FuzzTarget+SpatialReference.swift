internal import PortolanGeometry
internal import PortolanJSON

extension FuzzTarget {
  /// A spatial reference is read, looked up, identified and projected from.
  ///
  /// PROJ takes milliseconds for each.
  static let spatialReference = FuzzTarget(
    "spatial-reference", cost: 100,
    words: FormatWords.json + ["wkid", "wkt", "PROJCS[", "GEOGCS[", "UNIT[", "\\\"", "PARAMETER["],
    form: .json,
    texts: GeometrySeeds.spatialReferences
  ) { data in
    let json = try JSONValue(parsing: data)
    guard let reference = SpatialReference(esriJSON: json) else { return }
    let copy = SpatialReference(esriJSON: reference.esriJSON)
    try FuzzFinding.check(copy != nil, "is written as something that cannot be read")
    _ = reference.identified()
    _ = try reference.properties()
    _ = try reference.esriWellKnownText()
    let projection = try Projection(from: .wgs84, to: reference)
    _ = try projection.project(Envelope(xMin: -70, yMin: 43, xMax: -67, yMax: 47))
  }
}
