internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite
internal import PortolanTileFiles
internal import PortolanTiles

/// Reads the summary of a SQLite file: MBTiles, a GeoPackage or a mobile geodatabase.
struct DatabaseSummary {
  let url: URL
  let title: String
  let signature: FileSignature

  /// The summary; `nil` if the file is a database of another kind.
  func summary() throws -> PackageSummary? {
    let tables = try MetadataTables(at: url)
    switch signature {
    case .geodatabase: return try geodatabase(tables)
    case .geoPackage:
      if let summary = try geoPackage(tables) { return summary }
      throw PackageError.damaged(
        file: url.lastPathComponent, place: "its tables", reason: "there is no \"gpkg_contents\"")
    default: break
    }
    if let summary = try geoPackage(tables) { return summary }
    if tables.declares("tiles") { return try mbtiles(tables) }
    if tables.declares("GDB_Items") { return try geodatabase(tables) }
    guard PackageSummary.knownExtensions.contains(url.pathExtension.lowercased()) else {
      return nil
    }
    throw PackageError.damaged(
      file: url.lastPathComponent, place: "its tables", reason: "those of such a file are missing")
  }

  // MARK: - MBTiles

  private func mbtiles(_ tables: MetadataTables) throws -> PackageSummary {
    let rows = try tables.rows(of: "metadata", ["name", "value"], limit: 1_000) ?? []
    var properties: [String: String] = [:]
    for row in rows {
      if let name = row[0].text { properties[name.lowercased()] = row[1].description }
    }
    var summary = PackageSummary(kind: .mbtiles, title: properties["name"] ?? title)
    if let low = properties["minzoom"].flatMap({ Int($0) }),
      let high = properties["maxzoom"].flatMap({ Int($0) }), low <= high
    {
      summary.levels = low...high
    } else {
      // Only the tiles tell, through their index.
      summary.levels = try MBTilesFile.open(url).info.levels
    }
    let edges = (properties["bounds"] ?? "").split(separator: ",")
      .compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    if edges.count == 4 { summary.extent = PackageSummary.Extent(edges, wkid: 4326) }
    return summary
  }

  // MARK: - GeoPackage

  private func geoPackage(_ tables: MetadataTables) throws -> PackageSummary? {
    let columns = [
      "table_name", "data_type", "identifier", "srs_id", "min_x", "min_y", "max_x", "max_y",
    ]
    guard let rows = try tables.rows(of: "gpkg_contents", columns) else { return nil }
    var summary = PackageSummary(kind: .geoPackage, title: title)
    let numbers = try references(tables, among: Set(rows.compactMap(\.[3].integer)))
    summary.add(
      rows.map { row in
        let name = row[2].text.flatMap { $0.isEmpty ? nil : $0 } ?? row[0].text ?? ""
        let edges = row[4...].compactMap(\.number)
        let wkid = row[3].integer.flatMap { numbers[$0] }
        return PackageSummary.Layer(
          name: name,
          extent: edges.count == 4 ? PackageSummary.Extent(edges, wkid: wkid) : nil)
      })
    if rows.contains(where: { $0[1].text == "tiles" }) {
      let matrices = try tables.rows(of: "gpkg_tile_matrix", ["zoom_level"]) ?? []
      let levels = matrices.compactMap(\.[0].integer)
      if let low = levels.min(), let high = levels.max() { summary.levels = low...high }
    }
    return summary
  }

  /// The well-known ids of spatial references, by the numbers that the file gives them.
  private func references(
    _ tables: MetadataTables, among numbers: Set<Int>
  ) throws -> [Int: Int] {
    // This one has a fixed number, and mostly is the only one.
    guard numbers.contains(where: { $0 != 4326 && $0 > 0 }) else { return [4326: 4326] }
    let rows =
      try tables.rows(
        of: "gpkg_spatial_ref_sys", ["srs_id", "organization", "organization_coordsys_id"]) ?? []
    return rows.reduce(into: [:]) { ids, row in
      guard let number = row[0].integer, row[1].text?.lowercased() != "none" else { return }
      ids[number] = row[2].integer
    }
  }

  // MARK: - Geodatabase

  private func geodatabase(_ tables: MetadataTables) throws -> PackageSummary {
    var summary = PackageSummary(kind: .geodatabase, title: title)
    let extents = try self.extents(tables)
    summary.add(
      try tableNames(tables).map { name in
        PackageSummary.Layer(name: name, extent: extents[name.lowercased()])
      })
    return summary
  }

  /// The tables that people are meant to see (Docs/FORMATS.md, 2.2).
  private func tableNames(_ tables: MetadataTables) throws -> [String] {
    let items = try tables.rows(
      of: "GDB_ServiceItems", ["ItemId", "ItemType", "DatasetName"])
    let listed = (items ?? []).filter { $0[1].integer == 1 }
      .sorted { ($0[0].integer ?? 0) < ($1[0].integer ?? 0) }
      .compactMap(\.[2].text).map(Self.unqualified)
    guard listed.isEmpty else { return listed }
    return try GeodatabaseReader(at: url).schemas().map(\.name)
  }

  private func extents(_ tables: MetadataTables) throws -> [String: PackageSummary.Extent] {
    let columns = ["table_name", "srid", "minx", "miny", "maxx", "maxy"]
    let rows = try tables.rows(of: "GDB_Layers", columns) ?? []
    return rows.reduce(into: [:]) { extents, row in
      let edges = row[2...].compactMap(\.number)
      guard let name = row[0].text, edges.count == 4 else { return }
      // Greater numbers are rows of the file.
      let wkid = row[1].integer.flatMap { (1..<300_000).contains($0) ? $0 : nil }
      extents[Self.unqualified(name).lowercased()] = PackageSummary.Extent(edges, wkid: wkid)
    }
  }

  private static func unqualified(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

extension PackageSummary.Extent {
  /// West, south, east, north.
  fileprivate init?(_ edges: [Double], wkid: Int?) {
    self.init(
      Envelope(xMin: edges[0], yMin: edges[1], xMax: edges[2], yMax: edges[3]), wkid: wkid)
  }
}

extension SQLValue {
  /// The text, if it is one.
  fileprivate var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one.
  fileprivate var integer: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }

  /// The number, whole or not.
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The value as a text, for columns in which some write numbers.
  fileprivate var description: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .null, .blob: nil
    }
  }
}
