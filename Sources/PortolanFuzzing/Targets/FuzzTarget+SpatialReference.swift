internal import PortolanGeometry
internal import PortolanJSON

internal import struct Foundation.Data

extension FuzzTarget {
  /// A spatial reference is read, written again, and its text cut to what PROJ is given.
  static let spatialReference = FuzzTarget(
    "spatial-reference", words: FormatWords.spatialReference, form: .json,
    texts: GeometrySeeds.spatialReferences
  ) { data in
    let reference = try FuzzTarget.reference(data)
    let copy = SpatialReference(esriJSON: reference.esriJSON)
    try FuzzFinding.check(copy != nil, "is written as something that cannot be read")
    guard let text = reference.wkt else { return }
    let horizontal = SpatialReference.horizontalText(of: text)
    try FuzzFinding.check(text.hasPrefix(horizontal), "is cut to something else")
  }

  /// What was read is looked up, identified and projected from, by PROJ, which takes some 20
  /// milliseconds for each: its parser is the library's own, and is fuzzed there.
  static let projection = FuzzTarget(
    "projection", cost: 100, words: FormatWords.spatialReference, form: .json,
    texts: GeometrySeeds.spatialReferences
  ) { data in
    let reference = try FuzzTarget.reference(data)
    _ = reference.identified()
    _ = try reference.properties()
    _ = try reference.esriWellKnownText()
    let projection = try Projection(from: .wgs84, to: reference)
    _ = try projection.project(Envelope(xMin: -70, yMin: 43, xMax: -67, yMax: 47))
  }

  private static func reference(
    _ data: Data
  ) throws -> SpatialReference {
    let json = try JSONValue(parsing: data)
    guard let reference = SpatialReference(esriJSON: json) else {
      throw FuzzTarget.NoReference()
    }
    return reference
  }

  /// The JSON is no spatial reference, which is no error of the reader's own.
  private struct NoReference: Error {}
}
