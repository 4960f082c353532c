internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The contents of a GeoJSON file, found by reading all of it: once where one table holds all its
/// shapes, else twice.
struct GeoJSONSurvey {
  /// The tables, one for each family of shapes.
  let tables: [GeoJSONTable]
  /// What the fields could not take over as it is, in sentences.
  let notes: [String]
  /// Features that cannot be read, or only without their shape, the first ones.
  private(set) var damages: [GeoJSONItems.Damage] = []
  /// How many features cannot be read, or only without their shape.
  private(set) var damageCount = 0

  /// Reads a file; `stem` is the name of the table where the file names none.
  init(_ source: any ByteSource, stem: String) throws(FeatureStoreError) {
    var items = GeoJSONItems(source)
    var whole = TableSurvey()
    var families: Set<GeoJSONItem.Family> = []
    var damages: [GeoJSONItems.Damage] = []
    var damageCount = 0
    func note(_ damage: GeoJSONItems.Damage) {
      damageCount += 1
      if damages.count < ConversionResult.mostFailures { damages.append(damage) }
    }
    try items.readAllNumbered { item, number in
      switch item {
      case .success(let item):
        whole.add(item)
        families.insert(item.family)
        if item.lacksInfinity {
          note(
            GeoJSONItems.Damage(
              number: number, reason: "it has an infinite number, which is left out"))
        }
        guard let shape = item.foreignShape else { return }
        note(
          GeoJSONItems.Damage(
            number: number,
            reason: "it has \(shape), which is not supported; it is kept without a shape"))
      case .failure(let damage): note(damage)
      }
    }
    guard !damages.contains(where: \.isTopology) else {
      throw .unsupported(file: source.name, feature: "TopoJSON")
    }
    let members = items.splitter.members
    let name = members["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? stem
    let reference = try Self.reference(members["crs"], source.name)
    let shaped = families.subtracting([.none])
    if shaped.count > 1 {
      (tables, notes) = try Self.tables(of: families, in: source, name, reference)
    } else {
      // Features without a shape are rows of the only table there is.
      tables = [
        whole.table(
          name: name, shape: shaped.first ?? .none, families: Set(GeoJSONItem.Family.allCases),
          reference: reference)
      ]
      notes = whole.notes(ofTable: name)
    }
    self.damages = damages
    self.damageCount = damageCount
  }

  /// Reads the file again, each family for itself.
  private static func tables(
    of families: Set<GeoJSONItem.Family>, in source: any ByteSource, _ name: String,
    _ reference: SpatialReference
  ) throws(FeatureStoreError) -> ([GeoJSONTable], [String]) {
    var surveys: [GeoJSONItem.Family: TableSurvey] = [:]
    var items = GeoJSONItems(source)
    try items.readAll { item in
      if case .success(let item) = item {
        surveys[item.family, default: TableSurvey()].add(item)
      }
    }
    var tables: [GeoJSONTable] = []
    var notes: [String] = []
    for family in GeoJSONItem.Family.allCases {
      guard let survey = surveys[family] else { continue }
      let own = "\(name)_\(family.suffix)"
      tables.append(
        survey.table(name: own, shape: family, families: [family], reference: reference))
      notes += survey.notes(ofTable: own)
    }
    return (tables, notes)
  }

  /// What a `crs` member means, which GeoJSON had before RFC 7946; WGS 84 without one.
  static func reference(
    _ crs: JSONValue?, _ file: String
  ) throws(FeatureStoreError) -> SpatialReference {
    guard let crs, !crs.isNull else { return .wgs84 }
    guard let name = Self.name(of: crs) else {
      throw .unsupported(file: file, feature: "a \"crs\" that names no spatial reference")
    }
    if name.hasSuffix("CRS84") || name.hasSuffix("CRS84h") { return .wgs84 }
    // `EPSG:25832`, `urn:ogc:def:crs:EPSG::25832`, `http://www.opengis.net/def/crs/EPSG/0/25832`, ...
    let parts = name.split { ":/#.".contains($0) }.map { $0.uppercased() }
    guard parts.contains("EPSG") || parts.contains("ESRI"),
      let id = parts.last.flatMap({ Int($0) }), id > 0
    else { throw .unsupported(file: file, feature: "the spatial reference \"\(name)\"") }
    return id == 4326 ? .wgs84 : id == 3857 ? .webMercator : SpatialReference(wkid: id)
  }

  /// The name that a `crs` member gives or is, or the number that it gave in drafts of the format.
  private static func name(of crs: JSONValue) -> String? {
    let properties = crs["properties"]
    if let name = properties?["name"]?.string ?? properties?["urn"]?.string ?? crs.string {
      return name
    }
    let code = crs["type"]?.string?.uppercased() == "EPSG" ? properties?["code"] : nil
    if let code = code?.string { return "EPSG:\(code)" }
    return (code ?? properties?["name"] ?? crs).int.map { "EPSG:\($0)" }
  }
}
