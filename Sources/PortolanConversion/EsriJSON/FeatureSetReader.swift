internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON

/// Reads the answer of a feature service to a query, saved as a file: features in Esri's JSON.
struct FeatureSetReader {
  /// The largest file, in bytes; all of it is held in memory.
  private static let maximumSize = 512 << 20

  private let name: String
  private let featureSet: FeatureSet

  /// Reads a file.
  ///
  /// - Throws: `FeatureStoreError`.
  init(_ url: URL) throws(FeatureStoreError) {
    name = url.lastPathComponent
    let data: Data
    do { data = try FileSystem.live.read(url, limit: Self.maximumSize) } catch {
      throw .unreadable(file: name, reason: error.reason)
    }
    let read: FeatureSet?
    do { read = try FeatureSet(parsing: data) } catch {
      guard error != .tooManyValues else {
        throw .unsupported(file: name, feature: "features with more values than fit in memory")
      }
      throw .damaged(file: name, place: "the document", reason: error.plainReason)
    }
    guard let read else {
      throw .damaged(file: name, place: "the document", reason: "it lists no features")
    }
    featureSet = read
  }

  /// The rows; those whose shape cannot be read are without one.
  func contents() -> TableFileContents {
    let own = ownFields
    let key = featureSet.objectIDField.flatMap { field in
      own.first { $0.name.lowercased() == field.lowercased() }?.name
    }
    let objectIDField = key ?? ObjectIDColumn.name(besides: own.map(\.name))
    let fields = (key == nil ? [Field(objectIDField, .objectID)] : []) + own
    let list = FieldList(fields)
    var contents = TableFileContents(
      name: (name as NSString).deletingPathExtension, fields: fields,
      objectIDField: objectIDField, reference: featureSet.spatialReference,
      geometryType: featureSet.geometryType == .envelope ? .polygon : featureSet.geometryType)
    (contents.hasZ, contents.hasM) = (featureSet.hasZ, featureSet.hasM)
    contents.features = featureSet.features.map { feature in
      var feature = feature
      let ids: [AttributeValue] = key == nil ? [.integer(feature.objectID)] : []
      let values = own.map { feature.attributes[$0.name] ?? .null }
      feature.attributes = Attributes(list, ids + values)
      return feature
    }
    for shape in featureSet.unreadableShapes {
      contents.add(
        ConversionResult.Failure(
          part: name, item: "feature \(shape.index + 1)",
          reason: "\(shape.reason.plainReason); its row is kept without a shape"))
    }
    if featureSet.exceedsTransferLimit {
      contents.notes = [
        "\"\(name)\" does not have all features: the service had more than it sends at a time."
      ]
    }
    return contents
  }

  /// The fields, each once, of which only the one with the ids is of their type.
  ///
  /// Some services send two of one name.
  private var ownFields: [Field] {
    var known: Set<String> = []
    return featureSet.fields.filter { known.insert($0.name.lowercased()).inserted }.map { field in
      var field = field
      let isKey = field.name.lowercased() == featureSet.objectIDField?.lowercased()
      if isKey { field.type = .objectID } else if field.type == .objectID { field.type = .integer }
      return field
    }
  }
}
