internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanProtobuf

/// Writes answers to queries as `f=pbf` has them.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
enum FeatureBuffer {
  /// The features.
  static func data(_ answer: QueryFeatures) -> Data {
    let grid = answer.quantization ?? .storage(answer.spatialReference)
    return result(1) { result in
      header(answer, grid, &result)
      for field in answer.fields.fields { result.message(field: 13) { write(field, &$0) } }
      for feature in answer.features {
        result.message(field: 15) { write(feature, answer, grid, &$0) }
      }
    }
  }

  /// The number of features.
  static func data(count: Int) -> Data { result(2) { $0.unsigned(UInt64(count), field: 1) } }

  /// Their ids.
  static func data(ids: [Int64], objectIDField: String) -> Data {
    result(3) { result in
      result.string(objectIDField, field: 1)
      result.packed(ids.lazy.map { UInt64(bitPattern: $0) }, field: 3)
    }
  }

  /// The box around them, and how many they are.
  static func data(extent: Envelope, count: Int, reference: SpatialReference?) -> Data {
    result(4) { result in
      result.message(field: 1) { box in
        let ordinates = [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
        for (index, ordinate) in ordinates.enumerated() {
          box.double(extent.isEmpty ? .nan : ordinate, field: index + 1)
        }
        write(reference, field: 5, &box)
      }
      result.unsigned(UInt64(count), field: 2)
    }
  }

  private static func result(
    _ kind: Int, _ write: (inout ProtobufWriter) -> Void
  ) -> Data {
    var writer = ProtobufWriter()
    writer.message(field: 2) { $0.message(field: kind, write) }
    return writer.data
  }

  // MARK: What holds for all features

  private static func header(
    _ answer: QueryFeatures, _ grid: Quantization, _ result: inout ProtobufWriter
  ) {
    let schema = answer.schema
    result.string(schema.objectIDField, field: 1)
    result.message(field: 2) { unique in
      unique.string(schema.objectIDField, field: 1)
      unique.bool(true, field: 2)
    }
    if let field = schema.globalIDField { result.string(field, field: 3) }
    if let type = schema.geometryType, type.bufferNumber > 0 {
      result.unsigned(type.bufferNumber, field: 7)
    }
    guard schema.geometryType != nil else {
      result.unsigned(127, field: 7)
      if answer.exceedsLimit { result.bool(true, field: 9) }
      return
    }
    write(answer.spatialReference, field: 8, &result)
    if answer.exceedsLimit { result.bool(true, field: 9) }
    if answer.hasZ { result.bool(true, field: 10) }
    if answer.hasM { result.bool(true, field: 11) }
    guard answer.hasGeometry else { return }
    result.message(field: 12) { write(grid, answer, &$0) }
  }

  private static func write(
    _ grid: Quantization, _ answer: QueryFeatures, _ transform: inout ProtobufWriter
  ) {
    if grid.origin == .lowerLeft { transform.unsigned(1, field: 1) }
    let (z, m) = (answer.hasZ, answer.hasM)
    transform.message(field: 2) { scale in
      scale.double(grid.xScale, field: 1)
      scale.double(grid.yScale, field: 2)
      if m { scale.double(Quantization.otherScale, field: 3) }
      if z { scale.double(Quantization.otherScale, field: 4) }
    }
    transform.message(field: 3) { translate in
      translate.double(grid.xTranslate, field: 1)
      translate.double(grid.yTranslate, field: 2)
      if m { translate.double(Quantization.otherTranslate, field: 3) }
      if z { translate.double(Quantization.otherTranslate, field: 4) }
    }
  }

  private static func write(
    _ reference: SpatialReference?, field: Int, _ writer: inout ProtobufWriter
  ) {
    guard let reference else { return }
    writer.message(field: field) { message in
      if let id = reference.wkid { message.unsigned(UInt64(id), field: 1) }
      if let id = reference.latestWKID ?? reference.wkid { message.unsigned(UInt64(id), field: 2) }
    }
  }

  private static func write(_ field: Field, _ message: inout ProtobufWriter) {
    message.string(field.name, field: 1)
    if field.type.bufferNumber > 0 { message.unsigned(field.type.bufferNumber, field: 2) }
    message.string(field.alias, field: 3)
    message.unsigned(16, field: 4)
    if let domain = field.domain {
      message.string(domain.json(as: field.type).text(), field: 5)
    }
  }

  // MARK: A feature

  private static func write(
    _ feature: Feature, _ answer: QueryFeatures, _ grid: Quantization,
    _ message: inout ProtobufWriter
  ) {
    for (field, value) in zip(feature.attributes.fields, feature.attributes.values) {
      message.message(field: 1) { write(value, field.type, &$0) }
    }
    guard answer.hasGeometry, let geometry = feature.geometry, !geometry.isEmpty else { return }
    let shape = QuantizedShape(geometry, grid, hasZ: answer.hasZ, hasM: answer.hasM)
    message.message(field: 2) { part in
      if geometry.type != .point {
        part.packed(shape.lengths.lazy.map { UInt64($0) }, field: 2)
      }
      part.packedZigZag(shape.deltas, field: 3)
    }
  }

  private static func write(
    _ value: AttributeValue, _ type: FieldType, _ message: inout ProtobufWriter
  ) {
    switch value {
    case .null: break
    case .integer(let number): write(number, type, &message)
    case .double(let number):
      type == .single
        ? message.float(Float(number), field: 2) : message.double(number, field: 3)
    case .text(let text): message.string(HostedValue.text(text, as: type), field: 1)
    case .date(let date):
      message.zigZag(Int64((date.timeIntervalSince1970 * 1000).rounded()), field: 8)
    case .blob(let data): message.string(data.base64EncodedString(), field: 1)
    }
  }

  private static func write(
    _ number: Int64, _ type: FieldType, _ message: inout ProtobufWriter
  ) {
    switch type {
    case .objectID: message.unsigned(UInt64(bitPattern: number), field: 5)
    case .smallInteger, .integer: message.zigZag(number, field: 4)
    case .single: message.float(Float(number), field: 2)
    case .double: message.double(Double(number), field: 3)
    default: message.zigZag(number, field: 8)
    }
  }
}

extension GeometryType {
  /// The number in Esri's buffers.
  fileprivate var bufferNumber: UInt64 {
    switch self {
    case .point: 0
    case .multipoint: 1
    case .polyline: 2
    case .polygon: 3
    case .envelope: 5
    }
  }
}

extension FieldType {
  /// The number in Esri's buffers.
  fileprivate var bufferNumber: UInt64 {
    switch self {
    case .smallInteger: 0
    case .integer: 1
    case .single: 2
    case .double: 3
    case .string: 4
    case .date: 5
    case .objectID: 6
    case .geometry: 7
    case .blob: 8
    case .raster: 9
    case .guid: 10
    case .globalID: 11
    case .xml: 12
    case .bigInteger: 13
    case .dateOnly: 14
    case .timeOnly: 15
    case .timestampOffset: 16
    }
  }
}
