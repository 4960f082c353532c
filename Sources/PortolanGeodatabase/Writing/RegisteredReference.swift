internal import PortolanFeatures
package import PortolanGeometry

/// A spatial reference with its grid, under the number that tables refer to it by.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2 and 2.7
package struct RegisteredReference: Hashable, Sendable {
  /// The number: the well-known id itself, or one from 300000 for a row in
  /// `st_aux_spatial_reference_systems`.
  package var srid: Int64
  /// `nil` if nothing is known about the coordinates.
  package var reference: SpatialReference?
  package var precision: CoordinatePrecision
  /// The definition in well-known text, if it is known.
  package var wkt: String?

  /// The least number of a row of its own, and that of the unknown reference.
  package static let firstCustomID: Int64 = 300_000

  /// The unknown reference, which each file has.
  package static let unknown = RegisteredReference(
    srid: firstCustomID, reference: nil, precision: .remote, wkt: nil)

  /// The reference of the extents of items.
  package static let wgs84 = RegisteredReference(
    srid: 4326, reference: .wgs84, precision: .degrees, wkt: SpatialReference.wgs84.esriWKT)

  /// A reference that no table refers to, with the grid that Esri's software would use.
  package static func unnumbered(_ reference: SpatialReference?) -> RegisteredReference {
    var registered = RegisteredReference(
      srid: 0, reference: reference, precision: .remote, wkt: reference?.esriWKT)
    registered.precision =
      reference?.currentWKID.flatMap(CoordinatePrecision.esriDefault(wkid:))
      ?? registered.suitablePrecision
    return registered
  }

  /// Whether coordinates are degrees.
  package var isGeographic: Bool {
    if let wkt { return wkt.hasPrefix("GEOGC") }
    return reference?.isWGS84 ?? false
  }

  /// A grid that loses nothing, whatever the coordinates are as far as is known.
  fileprivate var suitablePrecision: CoordinatePrecision {
    guard wkt != nil else { return .anything }
    return isGeographic ? .degrees : .projected
  }

  /// How far apart two coordinates must be to differ: a millimetre, or as much in degrees.
  package var tolerance: Double { isGeographic ? 8.983_152_841_195_215e-9 : 0.001 }
}

extension CoordinatePrecision {
  /// The grid that real files give the unknown reference; no table of ours uses it, for its
  /// origin is so far away that doubles cannot tell its steps.
  fileprivate static let remote = CoordinatePrecision(
    xOrigin: -450_359_962_737.05, yOrigin: -450_359_962_737.05, xyScale: 10_000)

  /// Tenths of a millimetre, or of a thousandth of a foot, wherever on earth.
  fileprivate static let projected = CoordinatePrecision(
    xOrigin: -100_000_000, yOrigin: -100_000_000, xyScale: 10_000)

  /// Steps of 2^-26 from -2^26 to 2^26: fine enough for degrees, wide enough for feet.
  fileprivate static let anything = CoordinatePrecision(
    xOrigin: -67_108_864, yOrigin: -67_108_864, xyScale: 67_108_864)
}

/// Gives spatial references their numbers.
package struct ReferenceRegistry {
  /// Those that need a row of their own, in the order of their numbers; the first is unknown.
  package private(set) var custom = [RegisteredReference.unknown]
  /// The definitions looked up so far.
  private var texts: [SpatialReference: String?] = [:]

  /// The number for the shapes of a table.
  package mutating func register(_ table: GeodatabaseDefinition.Table) -> RegisteredReference {
    let reference = table.schema.spatialReference
    var registered = RegisteredReference.unknown
    registered.reference = reference
    registered.wkt = text(of: reference)
    let standard = reference?.currentWKID.flatMap(CoordinatePrecision.esriDefault(wkid:))
    registered.precision = table.precision ?? standard ?? registered.suitablePrecision
    if let id = reference?.currentWKID, registered.precision == standard,
      id < RegisteredReference.firstCustomID
    {
      registered.srid = Int64(id)
      return registered
    }
    return numbered(registered)
  }

  private mutating func text(of reference: SpatialReference?) -> String? {
    guard let reference else { return nil }
    if let known = texts[reference] { return known }
    let text = reference.esriWKT
    texts[reference] = .some(text)
    return text
  }

  private mutating func numbered(_ registered: RegisteredReference) -> RegisteredReference {
    var registered = registered
    for known in custom {
      registered.srid = known.srid
      if registered == known { return known }
    }
    registered.srid = RegisteredReference.firstCustomID + Int64(custom.count)
    custom.append(registered)
    return registered
  }
}
