internal import PortolanFeatures
internal import PortolanGeometry

/// A feature with the length and the area of its shape as attributes.
///
/// Services offer them as fields that no geodatabase stores, and popups name them; so they are
/// measured here, in the plane and in units of the layer, as the services do.
///
/// - SeeAlso: Docs/FORMATS.md, 2.1
struct MeasuredFeature {
  /// The table with the fields added that were missing.
  private(set) var schema: FeatureTableSchema
  /// The feature with their values.
  private(set) var feature: Feature

  /// Adds what is missing and can be measured.
  init(_ feature: Feature, in schema: FeatureTableSchema) {
    self.feature = feature
    self.schema = schema
    guard let shape = feature.geometry else { return }
    let lengths = ["Shape__Length", "Shape_Length", "st_length(SHAPE)"]
    let areas = ["Shape__Area", "Shape_Area", "st_area(SHAPE)"]
    let isArea = shape.type == .polygon
    guard isArea || shape.type == .polyline else { return }
    add(lengths, GeometryEngine.length(of: shape))
    if isArea { add(areas, GeometryEngine.area(of: shape)) }
  }

  private mutating func add(_ names: [String], _ value: Double) {
    let missing = names.filter { schema.field(named: $0) == nil }
    schema.fields += missing.map { Field($0, .double, isEditable: false) }
    let attributes = feature.attributes
    feature.attributes = Attributes(
      FieldList(attributes.fields + missing.map { Field($0, .double, isEditable: false) }),
      attributes.values + missing.map { _ in .double(value) })
  }
}
