internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// A replica of a service that a client has created and may synchronize.
struct Replica: Sendable {
  /// Whether layers are synchronized together, each for itself, or not at all.
  enum SyncModel: String, Sendable {
    case perReplica
    case perLayer
    case none
  }

  let id: UUID
  var name: String
  var owner: String
  var syncModel: SyncModel
  /// `bidirectional`, `download` or `upload`.
  var syncDirection: String
  /// `none`, `upload` or `bidirectional`.
  var attachmentsDirection: String
  var returnsAttachments: Bool
  /// The area that limits the rows, and what its coordinates mean.
  var geometry: Geometry?
  var geometryReference: SpatialReference?
  /// The reference of the copy's shapes; `nil` for the layers' own.
  var spatialReference: SpatialReference?
  var layers: [ReplicaLayer]
  var created: Date
  var lastSync: Date?
  /// The global ids of the rows that the client has got, in small letters, by layer.
  var held: [Int: Set<String>] = [:]

  /// The id as services write it.
  var textID: String { id.uuidString.lowercased() }

  /// The generation up to which the client has everything, where layers go together.
  var generation: Int64 { layers.map(\.generation).min() ?? 0 }

  /// The resource of the replica at `replicas/{id}`.
  var json: JSONValue {
    var members: JSONObject = [
      "replicaName": .string(name), "replicaID": .string(textID), "replicaOwner": .string(owner),
      "replicaVersion": "", "syncModel": .string(syncModel.rawValue), "targetType": "client",
      "syncDirection": .string(syncDirection),
      "attachmentsSyncDirection": .string(attachmentsDirection),
      "returnAttachments": .bool(returnsAttachments),
      "layers": .array(layers.map(\.json)),
      "creationDate": .integer(created.epochMilliseconds),
      "lastSyncDate": .integer((lastSync ?? created).epochMilliseconds),
    ]
    members["spatialReference"] = spatialReference?.esriJSON
    members["geometryType"] = geometry.map { .string($0.type.rawValue) }
    members["geometry"] = geometry?.esriJSON(spatialReference: geometryReference)
    addGenerations(to: &members)
    return .object(members)
  }

  /// The generations, for each layer or for all together.
  func addGenerations(to members: inout JSONObject) {
    if syncModel == .perReplica {
      members["replicaServerGen"] = .integer(generation)
      return
    }
    guard syncModel == .perLayer else { return }
    members["layerServerGens"] = .array(
      layers.map { layer in
        [
          "id": .integer(Int64(layer.id)), "serverGen": .integer(layer.generation),
          "serverSibGen": 0,
        ]
      })
  }
}

/// A layer of a replica: which of its rows the client wants.
struct ReplicaLayer: Sendable {
  /// The rows of a layer that a replica holds.
  enum QueryOption: String, Sendable {
    case none
    case useFilter
    case all
  }

  let id: Int
  var queryOption: QueryOption
  var whereClause: String
  var usesGeometry: Bool
  var includesRelated: Bool
  /// The generation up to which the client has everything.
  var generation: Int64

  var json: JSONValue {
    [
      "id": .integer(Int64(id)), "queryOption": .string(queryOption.rawValue),
      "where": .string(whereClause), "useGeometry": .bool(usesGeometry),
      "includeRelated": .bool(includesRelated), "serverGen": .integer(generation),
    ]
  }
}
