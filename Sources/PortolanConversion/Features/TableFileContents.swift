internal import PortolanFeatures
internal import PortolanGeometry

/// The rows of a file that is read as a whole, on their way into tables.
struct TableFileContents {
  let name: String
  let fields: [Field]
  /// The field with the object ids.
  let objectIDField: String
  /// The spatial reference of the coordinates.
  let reference: SpatialReference?
  /// The type of all shapes, even where there is none; `nil` where each has its own.
  let geometryType: GeometryType?
  /// Whether shapes have heights, even where there is none.
  var hasZ = false
  /// Whether shapes have measures, even where there is none.
  var hasM = false
  /// All rows.
  var features: [Feature] = []
  /// The rows without the shape that they should have, the first ones.
  private(set) var failures: [ConversionResult.Failure] = []
  /// What is guessed of the file, in sentences.
  var notes: [String] = []
  /// The definition of what coordinates mean that is not understood.
  var unknownReference: UnknownReference?
  /// How many rows have no shape though they should have one.
  private(set) var damagedCount = 0

  init(
    name: String, fields: [Field], objectIDField: String = "OBJECTID",
    reference: SpatialReference?, geometryType: GeometryType?
  ) {
    self.name = name
    self.fields = fields
    self.objectIDField = objectIDField
    self.reference = reference
    self.geometryType = geometryType
  }

  /// How many values any file may have; in larger ones there may be as many as bytes.
  private static let leastMaximumValues = 1 << 24

  /// How many columns rows may have; see ``checkSize(rows:columns:byteCount:file:)``.
  static func mostColumns(rows: Int, byteCount: Int) -> Int {
    max(leastMaximumValues, byteCount) / max(rows, 1)
  }

  /// Makes sure that the values of a file fit in memory: a row takes some for each of its columns, though it
  /// may say nothing of most of them.
  static func checkSize(
    rows: Int, columns: Int, byteCount: Int, file: String
  ) throws(FeatureStoreError) {
    guard columns <= mostColumns(rows: rows, byteCount: byteCount) else {
      throw .unsupported(
        file: file, feature: "more rows of \(columns) columns than fit in memory")
    }
  }

  mutating func add(_ failure: ConversionResult.Failure) {
    damagedCount += 1
    if failures.count < ConversionResult.mostFailures { failures.append(failure) }
  }

  /// One table, or one for each family of shapes where there are several, as of a GeoJSON file.
  func tables() -> [FeatureTableContents] {
    if let geometryType { return [table(name, geometryType, features)] }
    let rows = Dictionary(grouping: features) { GeoJSONItem.Family($0.geometry) }
    let families = GeoJSONItem.Family.allCases.filter {
      $0 != GeoJSONItem.Family.none && rows[$0] != nil
    }
    guard families.count > 1 else {
      let family = families.first ?? GeoJSONItem.Family.none
      return [table(name, Self.shapeType(of: features, family), features)]
    }
    return GeoJSONItem.Family.allCases.compactMap { family in
      rows[family].map { rows in
        table("\(name)_\(family.suffix)", Self.shapeType(of: rows, family), rows)
      }
    }
  }

  /// The type of a table that holds the shapes of a family.
  private static func shapeType(
    of features: [Feature], _ family: GeoJSONItem.Family
  ) -> GeometryType? {
    switch family {
    case .point: features.contains { $0.geometry?.type == .multipoint } ? .multipoint : .point
    case .line: .polyline
    case .area: .polygon
    case .none: nil
    }
  }

  private func table(
    _ name: String, _ type: GeometryType?, _ features: [Feature]
  ) -> FeatureTableContents {
    let paths = features.lazy.compactMap { $0.geometry?.paths }
    let schema = FeatureTableSchema(
      name: name, geometryType: type, hasZ: hasZ || paths.contains { $0.contains { $0.z != nil } },
      hasM: hasM || paths.contains { $0.contains { $0.m != nil } },
      spatialReference: type == nil ? nil : reference, fields: fields,
      objectIDField: objectIDField)
    return FeatureTableContents(
      schema: schema,
      features: type == .multipoint ? features.map(Self.withSet) : features)
  }

  /// The row with its point as a set of one.
  static func withSet(_ feature: Feature) -> Feature {
    guard case .point(let point)? = feature.geometry else { return feature }
    var feature = feature
    feature.geometry = .multipoint(
      Multipoint(
        points: Path([point.coordinate], z: point.z.map { [$0] }, m: point.m.map { [$0] })))
    return feature
  }
}
