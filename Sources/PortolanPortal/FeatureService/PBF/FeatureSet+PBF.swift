public import PortolanFeatures
internal import PortolanGeometry
public import PortolanProtobuf

public import struct Foundation.Data

extension FeatureSet {
  /// Parses the answer to a query in the services' binary form (Docs/REST.md, 3).
  ///
  /// Lax as ``init(json:fields:)`` is: a shape that cannot be read is left away and noted in
  /// ``unreadableShapes``. Coordinates are as exact as the grid that the service chose.
  ///
  /// - Throws: ``PBFError`` if the bytes are something else, break off, or hold an answer
  ///   without features.
  public init(parsingPBF data: Data) throws(PBFError) {
    self = try Self.result(in: data)
  }

  private static func result(in data: Data) throws(PBFError) -> FeatureSet {
    try unsafe data.withUnsafeBytes { bytes -> Result<FeatureSet, PBFError> in
      do throws(PBFError) {
        var root = unsafe PBFCursor(bytes)
        guard var query = try root.lastMessage(2), let features = try query.lastMessage(1) else {
          throw .noResult
        }
        return .success(try FeatureSet(PBFFeatureResult(features)))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// The maximum number of values in a set; a feature takes some for each field, though it may say
  /// nothing of most.
  private static let mostValues = 1 << 24

  private init(_ result: consuming PBFFeatureResult) throws(PBFError) {
    guard result.fields.count <= Self.mostValues / max(result.features.count, 1) else {
      throw .malformed(reason: "its features have more values than fit in memory", offset: 0)
    }
    self.init(
      fields: result.fields, objectIDField: result.objectIDField,
      geometryType: result.geometryType, spatialReference: result.spatialReference,
      hasZ: result.hasZ, hasM: result.hasM, exceedsTransferLimit: result.exceedsTransferLimit)
    try read(result)
    if objectIDField == nil { objectIDField = fields.first { $0.type == .objectID }?.name }
    giveObjectIDs()
    noteGeometryType()
  }

  private mutating func read(_ result: PBFFeatureResult) throws(PBFError) {
    var reader = PBFFeatureReader(result)
    features.reserveCapacity(result.features.count)
    for message in result.features {
      let (feature, failure) = try reader.feature(message)
      if let failure {
        unreadableShapes.append(UnreadableShape(index: features.count, reason: failure))
      }
      features.append(feature)
    }
  }
}

extension PBFCursor {
  /// The last message in the field of that number, if there is one.
  fileprivate mutating func lastMessage(_ field: UInt64) throws(PBFError) -> PBFCursor? {
    var found: PBFCursor?
    while !isAtEnd {
      let tag = try tag()
      if tag.field == field, tag.type == .lengthDelimited {
        found = try message()
      } else {
        try skip(tag.type)
      }
    }
    return found
  }
}
