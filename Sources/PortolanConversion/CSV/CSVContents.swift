internal import PortolanFeatures
internal import PortolanGeometry

/// The rows of a file of comma-separated values on their way into tables.
struct CSVContents {
  let name: String
  let fields: [Field]
  /// What the coordinates mean.
  let reference: SpatialReference?
  /// Whether shapes are points, even where there is none.
  let arePoints: Bool
  /// All rows.
  var features: [Feature] = []
  /// The rows without the shape that their cells should be, the first ones.
  private(set) var failures: [ConversionResult.Failure] = []
  /// What is guessed of the file, in sentences.
  var notes: [String] = []
  /// How many rows have no shape though their cells should be one.
  private(set) var damagedCount = 0

  init(name: String, fields: [Field], reference: SpatialReference?, arePoints: Bool) {
    self.name = name
    self.fields = fields
    self.reference = reference
    self.arePoints = arePoints
  }

  mutating func add(_ failure: ConversionResult.Failure) {
    damagedCount += 1
    if failures.count < ConversionResult.mostFailures { failures.append(failure) }
  }

  /// One table, or one for each family of shapes where there are several, as of a GeoJSON file.
  func tables() -> [FeatureTableContents] {
    let rows = Dictionary(grouping: features) { GeoJSONItem.Family($0.geometry) }
    let families = GeoJSONItem.Family.allCases.filter {
      $0 != GeoJSONItem.Family.none && rows[$0] != nil
    }
    guard families.count > 1 else {
      let family = families.first ?? (arePoints ? .point : GeoJSONItem.Family.none)
      return [table(name, family, features)]
    }
    return GeoJSONItem.Family.allCases.compactMap { family in
      rows[family].map { table("\(name)_\(family.suffix)", family, $0) }
    }
  }

  private func table(
    _ name: String, _ family: GeoJSONItem.Family, _ features: [Feature]
  ) -> FeatureTableContents {
    let isSet = features.contains { $0.geometry?.type == .multipoint }
    let type: GeometryType? =
      switch family {
      case .point: isSet ? .multipoint : .point
      case .line: .polyline
      case .area: .polygon
      case .none: nil
      }
    let hasZ = features.contains { $0.geometry?.paths.contains { $0.z != nil } == true }
    let schema = FeatureTableSchema(
      name: name, geometryType: type, hasZ: hasZ, spatialReference: type == nil ? nil : reference,
      fields: fields)
    return FeatureTableContents(
      schema: schema,
      features: isSet ? features.map(Self.withSet) : features)
  }

  /// The row with its point as a set of one.
  private static func withSet(_ feature: Feature) -> Feature {
    guard case .point(let point)? = feature.geometry else { return feature }
    var feature = feature
    feature.geometry = .multipoint(
      Multipoint(points: Path([point.coordinate], z: point.z.map { [$0] })))
    return feature
  }
}
