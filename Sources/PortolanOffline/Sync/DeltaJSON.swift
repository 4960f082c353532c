internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// Edits in JSON, for services that have no place for uploads.
struct DeltaJSON {
  private let delta: GeodatabaseDelta

  init(_ delta: GeodatabaseDelta) { self.delta = delta }

  var json: JSONValue { .array(delta.layers.map(layer)) }

  /// The new features of a layer and their attachments, as `applyEdits` takes them.
  static func additions(of layer: GeodatabaseDelta.Layer) -> JSONValue {
    var members: JSONObject = [
      "id": .integer(Int64(layer.layerID)), "adds": list(layer.adds, layer),
    ]
    if !layer.addedFiles.isEmpty {
      members["attachments"] = ["adds": files(layer.addedFiles, .applyEdits)]
    }
    return .object(members)
  }

  private static func list(
    _ features: [Feature], _ layer: GeodatabaseDelta.Layer
  ) -> JSONValue {
    let isSpatial = layer.schema.geometryType != nil
    return .array(
      features.map { feature in
        var members: JSONObject = ["attributes": feature.attributes.esriJSON]
        // A member that is not there leaves the shape as it is.
        members["geometry"] =
          feature.geometry.map { json($0, in: layer.schema) }
          ?? (isSpatial ? JSONValue?.some(.null) : JSONValue?.none)
        return .object(members)
      })
  }

  /// A shape; of a point whose height is not known that is said, since services give it one where it is left
  /// out.
  private static func json(_ shape: Geometry, in schema: FeatureTableSchema) -> JSONValue {
    let json = shape.esriJSON(spatialReference: schema.spatialReference)
    guard schema.hasZ, case .point(let point) = shape, point.z == nil, !point.x.isNaN,
      var members = json.object
    else { return json }
    members["z"] = "NaN"
    return .object(members)
  }

  /// How the two operations spell the ids of attachments.
  ///
  /// - SeeAlso: Docs/REST.md, 4
  private struct FileNames {
    let id: String
    let parent: String

    static let applyEdits = FileNames(id: "globalId", parent: "parentGlobalId")
    static let synchronizeReplica = FileNames(id: "globalid", parent: "parentGlobalid")
  }

  private static func files(
    _ files: [GeodatabaseDelta.File], _ names: FileNames
  ) -> JSONValue {
    .array(
      files.map { file in
        var members: JSONObject = [
          "contentType": .string(file.attachment.contentType),
          "name": .string(file.attachment.name),
          "data": .string(file.attachment.data.base64EncodedString()),
        ]
        members[names.id] = .string(file.attachment.globalID ?? "")
        members[names.parent] = .string(file.parentGlobalID)
        return .object(members)
      })
  }

  private func layer(_ layer: GeodatabaseDelta.Layer) -> JSONValue {
    [
      "id": .integer(Int64(layer.layerID)),
      "features": [
        "adds": Self.list(layer.adds, layer), "updates": Self.list(layer.updates, layer),
        "deletes": .array(layer.deletes.map { .string($0) }),
      ],
      "attachments": [
        "adds": Self.files(layer.addedFiles, .synchronizeReplica),
        "updates": Self.files(layer.updatedFiles, .synchronizeReplica),
        "deletes": .array(layer.deletedFiles.map { .string($0) }),
      ],
    ]
  }
}
