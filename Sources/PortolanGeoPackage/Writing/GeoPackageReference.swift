internal import PortolanGeodatabase
internal import PortolanGeometry

/// A row of `gpkg_spatial_ref_sys`.
struct GeoPackageReference: Hashable, Sendable {
  var srsID: Int64
  var name: String
  var organization: String
  var organizationID: Int64
  var definition: String
  var summary: String?

  /// The three rows that every file has.
  static let required = [
    GeoPackageReference(
      srsID: -1, name: "Undefined cartesian SRS", organization: "NONE", organizationID: -1,
      definition: "undefined", summary: "undefined cartesian coordinate reference system"),
    GeoPackageReference(
      srsID: 0, name: "Undefined geographic SRS", organization: "NONE", organizationID: 0,
      definition: "undefined", summary: "undefined geographic coordinate reference system"),
    GeoPackageReference(
      srsID: 4326, name: "WGS 84 geodetic", organization: "EPSG", organizationID: 4326,
      definition: """
        GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,\
        AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,\
        AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],\
        AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]
        """,
      summary: "longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid"),
  ]
}

/// Gives spatial references their numbers: their ids where they are listed.
struct GeoPackageReferences {
  /// The rows, in the order in which they were asked for.
  private(set) var rows = GeoPackageReference.required
  private var numbers: [SpatialReference: Int64] = [:]

  /// From here on numbers are those of references that no registry lists.
  private static let firstCustomID: Int64 = 300_000

  /// The number of a reference; -1 for an unknown one.
  mutating func register(_ reference: SpatialReference?) -> Int64 {
    guard let reference else { return -1 }
    if reference.isWGS84 { return 4326 }
    if let number = numbers[reference] { return number }
    let number = add(reference)
    numbers[reference] = number
    return number
  }

  private mutating func add(_ reference: SpatialReference) -> Int64 {
    guard let listed = reference.registered() else { return addUnlisted(reference) }
    let number = Int64(listed.id)
    if !rows.contains(where: { $0.srsID == number }) {
      rows.append(
        GeoPackageReference(
          srsID: number, name: listed.name, organization: listed.authority,
          organizationID: number, definition: listed.wellKnownText))
    }
    return number
  }

  /// A reference by its text, or by an id that nothing is known about.
  private mutating func addUnlisted(_ reference: SpatialReference) -> Int64 {
    let text = reference.plainWellKnownText()
    if let id = reference.currentWKID, text == nil {
      let row = GeoPackageReference(
        srsID: Int64(id), name: "EPSG:\(id)", organization: "EPSG", organizationID: Int64(id),
        definition: "undefined")
      if !rows.contains(where: { $0.srsID == row.srsID }) { rows.append(row) }
      return row.srsID
    }
    if let known = rows.first(where: { $0.organization == "NONE" && $0.definition == text }) {
      return known.srsID
    }
    let number = Self.firstCustomID + Int64(rows.count)
    let name = text?.split(separator: "\"").dropFirst().first.map(String.init) ?? "Custom"
    rows.append(
      GeoPackageReference(
        srsID: number, name: name, organization: "NONE", organizationID: number,
        definition: text ?? "undefined"))
    return number
  }
}
