internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanProtobuf

/// The answer with features, split into its parts; the features are yet to be read.
struct PBFFeatureResult {
  private(set) var objectIDField: String?
  private(set) var geometryType: GeometryType? = .point
  private(set) var spatialReference: SpatialReference?
  private(set) var exceedsTransferLimit = false
  private(set) var hasZ = false
  private(set) var hasM = false
  private(set) var transform = PBFTransform()
  /// The fields; ``columns`` says which of the values belong to them.
  private(set) var fields: [Field] = []
  /// The place of the field of each value of a feature, or `nil` if it belongs to none.
  private(set) var columns: [Int?] = []
  private(set) var features: [PBFCursor] = []

  init(_ message: PBFCursor) throws(PBFError) {
    var message = message
    while !message.isAtEnd { try read(&message) }
  }

  private mutating func read(_ message: inout PBFCursor) throws(PBFError) {
    let tag = try message.tag()
    switch (tag.field, tag.type) {
    case (1, .lengthDelimited):
      let name = try message.string()
      objectIDField = name.isEmpty ? nil : name
    case (7, .varint): geometryType = PBFGeometryReader.type(try message.varint())
    case (8, .lengthDelimited):
      spatialReference = try Self.spatialReference(try message.message())
    case (9, .varint): exceedsTransferLimit = try message.varint() != 0
    case (10, .varint): hasZ = try message.varint() != 0
    case (11, .varint): hasM = try message.varint() != 0
    case (12, .lengthDelimited): transform = try PBFTransform(try message.message())
    case (13, .lengthDelimited): append(try PBFFieldReader.field(try message.message()))
    case (15, .lengthDelimited): features.append(try message.message())
    default: try message.skip(tag.type)
    }
  }

  private mutating func append(_ field: Field?) {
    columns.append(field == nil ? nil : fields.count)
    if let field { fields.append(field) }
  }

  private static func spatialReference(
    _ message: PBFCursor
  ) throws(PBFError) -> SpatialReference? {
    var message = message
    var ids: [UInt64: Int] = [:]
    var wkt: String?
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1...4, .varint):
        ids[tag.field] = Int(exactly: try message.varint()).flatMap { $0 > 0 ? $0 : nil }
      case (5, .lengthDelimited), (6, .lengthDelimited):
        let text = try message.string()
        if wkt == nil, !text.isEmpty { wkt = text }
      default: try message.skip(tag.type)
      }
    }
    guard ids[1] != nil || ids[2] != nil || wkt != nil else { return nil }
    return SpatialReference(
      wkid: ids[1], latestWKID: ids[2], wkt: wkt, verticalWKID: ids[3] ?? ids[4])
  }
}
