import PortolanFeatures
import PortolanGeometry

extension FeatureTableContents {
  /// A table of points with a text each.
  static func rows(_ name: String, _ count: Int) -> FeatureTableContents {
    let fields = FieldList([Field("OBJECTID", .objectID), Field("text", .string)])
    let schema = FeatureTableSchema(
      name: name, geometryType: .point, spatialReference: .wgs84, fields: fields.fields)
    let features = (0..<count).map { index in
      let id = Int64(index + 1)
      return Feature(
        objectID: id, attributes: Attributes(fields, [.integer(id), .text("row \(id)")]),
        geometry: .point(Point(x: Double(index % 360) - 180, y: Double(index % 170) - 85)))
    }
    return FeatureTableContents(schema: schema, features: features)
  }
}
