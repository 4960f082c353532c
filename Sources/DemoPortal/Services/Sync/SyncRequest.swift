internal import Foundation
internal import PortolanJSON

/// The parameters of a `synchronizeReplica` request.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct SyncRequest: Sendable {
  /// A layer with the generation that its client has.
  struct Layer: Sendable {
    var id: Int
    var generation: Int64
    /// `nil` for that of the whole request.
    var direction: String?
  }

  var replicaID: String?
  var direction: String
  var generation: Int64?
  var layers: [Layer]
  var edits: [LayerEdits]
  var uploadID: String?
  var dataFormat: ReplicaRequest.DataFormat
  var isAsynchronous: Bool
  var isEmbedded: Bool
  var closesReplica: Bool
  var rollsBack: Bool
  var filesByURL: Bool

  /// Reads a request.
  init(_ parameters: DemoParameters) throws(DemoFailure) {
    replicaID = parameters["replicaID"]
    direction = parameters["syncDirection"]?.lowercased() ?? "bidirectional"
    generation = parameters["replicaServerGen"].flatMap { Int64($0) }
    // A client says "perReplica" here where it means none (Docs/DEMO-PORTAL.md).
    let list = parameters["syncLayers"] == "perReplica" ? nil : try parameters.json("syncLayers")
    layers = (list?.array ?? []).compactMap { entry in
      entry["id"]?.int.map { id in
        Layer(
          id: id, generation: entry["serverGen"]?.integer ?? 0,
          direction: entry["syncDirection"]?.string?.lowercased())
      }
    }
    edits = []
    for entry in try parameters.json("edits")?.array ?? [] {
      edits.append(try LayerEdits(replicaJSON: entry))
    }
    uploadID = parameters["editsUploadID"]
    dataFormat =
      parameters["dataFormat"].flatMap {
        ReplicaRequest.DataFormat(rawValue: $0.lowercased())
      } ?? .json
    isAsynchronous = parameters.bool("async") ?? false
    isEmbedded =
      !isAsynchronous && dataFormat == .json
      && parameters["transportType"]?.lowercased() == "esritransporttypeembedded"
    closesReplica = parameters.bool("closeReplica") ?? false
    rollsBack = parameters.bool("rollbackOnFailure") ?? true
    filesByURL =
      parameters.bool("returnAttachmentsDataByUrl")
      ?? parameters.bool("returnAttachmentDatabyURL") ?? true
  }

  /// Whether changes go in that direction for a layer.
  func goes(_ way: String, layer id: Int) -> Bool {
    let own = layers.first { $0.id == id }?.direction ?? direction
    return own == "bidirectional" || own == way || (own == "snapshot" && way == "download")
  }

  /// The generation that the client has of a layer, as far as the request says.
  func generation(ofLayer id: Int) -> Int64? {
    layers.first { $0.id == id }?.generation ?? generation
  }

  /// Whether the request names layers but not this one.
  func leavesOut(layer id: Int) -> Bool { !layers.isEmpty && !layers.contains { $0.id == id } }
}
