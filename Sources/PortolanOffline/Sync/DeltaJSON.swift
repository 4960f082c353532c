internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// Edits as services take them that have no place for uploads.
struct DeltaJSON {
  private let delta: GeodatabaseDelta

  init(_ delta: GeodatabaseDelta) { self.delta = delta }

  var json: JSONValue { .array(delta.layers.map(layer)) }

  /// The new features of a layer and their attachments, as `applyEdits` takes them.
  static func additions(of layer: GeodatabaseDelta.Layer) -> JSONValue {
    var members: JSONObject = [
      "id": .integer(Int64(layer.layerID)), "adds": list(layer.adds, layer),
    ]
    if !layer.addedFiles.isEmpty { members["attachments"] = ["adds": files(layer.addedFiles)] }
    return .object(members)
  }

  private static func list(
    _ features: [Feature], _ layer: GeodatabaseDelta.Layer
  ) -> JSONValue {
    .array(
      features.map { feature in
        var members: JSONObject = ["attributes": feature.attributes.esriJSON]
        members["geometry"] = feature.geometry?.esriJSON(
          spatialReference: layer.schema.spatialReference)
        return .object(members)
      })
  }

  private static func files(_ files: [GeodatabaseDelta.File]) -> JSONValue {
    .array(
      files.map { file in
        [
          "globalId": .string(file.attachment.globalID ?? ""),
          "parentGlobalId": .string(file.parentGlobalID),
          "contentType": .string(file.attachment.contentType),
          "name": .string(file.attachment.name),
          "data": .string(file.attachment.data.base64EncodedString()),
        ]
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
        "adds": Self.files(layer.addedFiles), "updates": Self.files(layer.updatedFiles),
        "deletes": .array(layer.deletedFiles.map { .string($0) }),
      ],
    ]
  }
}
