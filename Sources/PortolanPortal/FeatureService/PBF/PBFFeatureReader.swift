internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanProtobuf

/// Reads features from their messages.
struct PBFFeatureReader {
  private let fieldList: FieldList
  private let columns: [Int?]
  private let types: [FieldType]
  private var geometries: PBFGeometryReader

  init(_ result: PBFFeatureResult) {
    fieldList = FieldList(result.fields)
    columns = result.columns
    types = result.fields.map(\.type)
    geometries = PBFGeometryReader(
      type: result.geometryType, hasZ: result.hasZ, hasM: result.hasM,
      transform: result.transform)
  }

  /// Reads a feature, and why its shape could not be.
  mutating func feature(
    _ message: PBFCursor
  ) throws(PBFError) -> (feature: Feature, failure: GeometryError?) {
    var message = message
    var values: [AttributeValue] = []
    values.reserveCapacity(types.count)
    var column = 0
    var shape: PBFCursor?
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .lengthDelimited):
        let value = try message.message()
        if column < columns.count, let place = columns[column] {
          values.append(try PBFValueReader.value(value, as: types[place]))
        }
        column += 1
      case (2, .lengthDelimited): shape = try message.message()
      default: try message.skip(tag.type)
      }
    }
    var feature = Feature(objectID: 0, attributes: Attributes(fieldList, values))
    let failure = try read(shape, into: &feature)
    return (feature, failure)
  }

  private mutating func read(
    _ shape: PBFCursor?, into feature: inout Feature
  ) throws(PBFError) -> GeometryError? {
    guard let shape else { return nil }
    do {
      feature.geometry = try geometries.geometry(shape)
      return nil
    } catch let error as PBFError {
      throw error
    } catch let error as GeometryError {
      return error
    } catch {
      return .malformed(.pbf, place: "geometry", reason: "\(error)")
    }
  }
}
