internal import PortolanFeatures
internal import PortolanGeometry

/// A spatial reference with its grid, under the number that tables refer to it by.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2 and 2.7
struct RegisteredReference: Hashable, Sendable {
  /// The number: the well-known id itself, or one from 300000 for a row in
  /// `st_aux_spatial_reference_systems`.
  var srid: Int64
  /// `nil` if nothing is known about the coordinates.
  var reference: SpatialReference?
  var precision: CoordinatePrecision
  /// The definition in well-known text, if it can be told.
  var wkt: String?

  /// The least number of a row of its own, and that of the unknown reference.
  static let firstCustomID: Int64 = 300_000

  /// The unknown reference, which each file has.
  static let unknown = RegisteredReference(
    srid: firstCustomID, reference: nil, precision: .widest, wkt: nil)

  /// The reference of the extents of items.
  static let wgs84 = RegisteredReference(
    srid: 4326, reference: .wgs84, precision: .degrees, wkt: SpatialReference.wgs84.esriWKT)

  /// Whether coordinates are degrees.
  var isGeographic: Bool {
    if let wkt { return wkt.hasPrefix("GEOGC") }
    return reference?.isWGS84 ?? false
  }

  /// Whether the well-known id alone says everything.
  var isWellKnown: Bool { srid < Self.firstCustomID }

  /// A box in degrees on WGS 84; `nil` if there is no way there.
  func degrees(of box: Envelope?) -> Envelope? {
    guard let box, let reference else { return nil }
    if reference.isWGS84 { return box }
    // An item without an extent is only not found by its place, which is better than no file.
    guard let projection = try? Projection(from: reference, to: .wgs84) else { return nil }
    // As above.
    guard let degrees = try? projection.project(box) else { return nil }
    return degrees.isEmpty || !degrees.isFinite ? nil : degrees
  }

  /// How far apart two coordinates must be to differ: a millimetre, or as much in degrees.
  var tolerance: Double { isGeographic ? 8.983_152_841_195_215e-9 : 0.001 }
}

extension Envelope {
  fileprivate var isFinite: Bool { [xMin, yMin, xMax, yMax].allSatisfy(\.isFinite) }
}

extension CoordinatePrecision {
  /// A grid of tenths of a millimetre that holds every projected coordinate on earth.
  static let widest = CoordinatePrecision(
    xOrigin: -450_359_962_737.05, yOrigin: -450_359_962_737.05, xyScale: 10_000)
}

/// Gives spatial references their numbers.
struct ReferenceRegistry {
  /// Those that need a row of their own, in the order of their numbers; the first is unknown.
  private(set) var custom = [RegisteredReference.unknown]

  /// The number for the shapes of a table.
  mutating func register(_ table: GeodatabaseDefinition.Table) -> RegisteredReference {
    guard let reference = table.schema.spatialReference else {
      return unnamed(table.precision)
    }
    let usual = reference.currentWKID.flatMap(CoordinatePrecision.esriDefault(wkid:))
    var registered = RegisteredReference(
      srid: 0, reference: reference, precision: .widest, wkt: reference.esriWKT)
    registered.precision =
      table.precision ?? usual ?? (registered.isGeographic ? .degrees : .widest)
    if let id = reference.currentWKID, registered.precision == usual,
      id < RegisteredReference.firstCustomID
    {
      registered.srid = Int64(id)
      return registered
    }
    return numbered(registered)
  }

  private mutating func unnamed(_ precision: CoordinatePrecision?) -> RegisteredReference {
    var registered = RegisteredReference.unknown
    guard let precision, precision != registered.precision else { return registered }
    registered.precision = precision
    return numbered(registered)
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
