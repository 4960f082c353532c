internal import PortolanFeatures
internal import PortolanGeometry

/// A table on its way from one file to another.
struct TableTransfer: Sendable {
  /// The table as the source has it.
  let source: FeatureTableSchema
  /// The table as the target will have it.
  let target: FeatureTableSchema
  /// The fields under their new names, where one had to be renamed.
  let renamedFields: FieldList?
  /// Projects shapes to the target's reference; `nil` if they are in it.
  let projection: Projection?
  /// How many decimals projected coordinates have; `nil` for all, as files of numbers keep them.
  private(set) var decimals: Int?
  /// Whether it only joins two others, and is made with their relation.
  let isJoin: Bool
  /// Which rows of the source go to the table; all if `nil`.
  var selection: TablePart.Selection?

  /// A table whose shapes stay where they are.
  init(_ source: FeatureTableSchema, isJoin: Bool = false) {
    self.init(source, source, nil, isJoin: isJoin)
  }

  /// A table with coordinates of a kind; coordinates of unknown meaning stay as they are.
  ///
  /// - Parameters:
  ///   - source: The table as the source has it.
  ///   - adapted: The table with the names that the target has, if these are others.
  ///   - coordinates: What coordinates are to mean.
  /// - Throws: ``GeometryError`` if the coordinates cannot be projected.
  init(
    _ source: FeatureTableSchema, as adapted: FeatureTableSchema? = nil,
    in coordinates: Conversion.Coordinates
  ) throws(GeometryError) {
    var target = adapted ?? source
    guard case .reference(let wanted) = coordinates, target.geometryType != nil,
      let native = target.spatialReference
    else {
      self.init(source, target, nil, isJoin: false)
      return
    }
    let projection = try Projection(from: native, to: wanted)
    target.spatialReference = wanted
    if !projection.isIdentity { target.extent = nil }
    self.init(source, target, projection.isIdentity ? nil : projection, isJoin: false)
  }

  /// The same for a file of text, in which noise of a projection would be seen.
  func asText() -> TableTransfer {
    var text = self
    text.decimals = projection == nil ? nil : target.spatialReference?.writtenDecimals
    return text
  }

  /// The shape as the target will have it.
  func projected(_ shape: Geometry) throws(GeometryError) -> Geometry {
    guard let projection else { return shape }
    let image = try projection.project(shape)
    return decimals.map { image.rounded(toDecimals: $0) } ?? image
  }

  private init(
    _ source: FeatureTableSchema, _ target: FeatureTableSchema, _ projection: Projection?,
    isJoin: Bool
  ) {
    self.source = source
    self.target = target
    self.projection = projection
    self.isJoin = isJoin
    let isRenamed = target.fields.map(\.name) != source.fields.map(\.name)
    renamedFields = isRenamed ? FieldList(target.fields) : nil
  }
}
