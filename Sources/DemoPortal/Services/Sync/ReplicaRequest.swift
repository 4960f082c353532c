internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The parameters of a `createReplica` request.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct ReplicaRequest: Sendable {
  /// The data format of the replica.
  enum DataFormat: String, Sendable {
    case json
    case sqlite
  }

  var name: String?
  var syncModel: Replica.SyncModel
  var syncDirection: String
  var dataFormat: DataFormat
  var isAsynchronous: Bool
  var isEmbedded: Bool
  var returnsAttachments: Bool
  var attachmentsDirection: String
  var spatialReference: SpatialReference?
  var geometry: Geometry?
  var geometryReference: SpatialReference?
  var layers: [ReplicaLayer]
  /// The replica whose data the client has already, where it only wants to be registered.
  var referenceID: String?

  /// Reads a request.
  ///
  /// - Throws: ``DemoFailure`` for what no service would accept.
  init(_ parameters: DemoParameters, _ content: HostedContent) throws {
    name = parameters["replicaName"]
    syncModel = try Self.choice(parameters, "syncModel") ?? .perReplica
    syncDirection = parameters["syncDirection"]?.lowercased() ?? "bidirectional"
    dataFormat = try Self.choice(parameters, "dataFormat") ?? .json
    isAsynchronous = parameters.bool("async") ?? false
    isEmbedded =
      parameters["transportType"]?.lowercased() == "esritransporttypeembedded"
      && dataFormat == .json && !isAsynchronous
    returnsAttachments = parameters.bool("returnAttachments") ?? false
    attachmentsDirection =
      parameters["attachmentsSyncDirection"]?.lowercased()
      ?? (returnsAttachments ? "bidirectional" : "none")
    spatialReference = try FeatureQuery.reference(parameters, "replicaSR")
    layers = []
    let options = try parameters.json("replicaOptions")
    referenceID = options?.object?.value(ignoringCase: "refReplicaId")?.string
    try check()
    try readGeometry(parameters, content)
    layers = try Self.layers(parameters, content)
  }

  private func check() throws(DemoFailure) {
    let allowed = returnsAttachments ? ["bidirectional", "upload"] : ["upload", "none"]
    guard allowed.contains(attachmentsDirection) || syncModel == .none else {
      throw .badReplica(
        "'attachmentsSyncDirection' does not go with 'returnAttachments'.")
    }
    guard ["bidirectional", "download", "upload"].contains(syncDirection) else {
      throw .badReplica("'syncDirection' is invalid.")
    }
  }

  private mutating func readGeometry(
    _ parameters: DemoParameters, _ content: HostedContent
  ) throws {
    guard let text = parameters["geometry"] else { return }
    let (shape, own) = try SpatialFilter.geometry(text)
    geometry = shape
    geometryReference =
      try own ?? FeatureQuery.reference(parameters, "inSR")
      ?? content.layers.first?.schema.spatialReference
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ parameters: DemoParameters, _ name: String
  ) throws(DemoFailure) -> Choice? {
    guard let text = parameters[name] else { return nil }
    guard let choice = Choice(rawValue: text) ?? Choice(rawValue: text.lowercased()) else {
      throw .badReplica("'\(name)' is invalid: \(text).")
    }
    return choice
  }

  private static func layers(
    _ parameters: DemoParameters, _ content: HostedContent
  ) throws -> [ReplicaLayer] {
    let queries = try parameters.json("layerQueries")
    let ids = try LayerEdits.ids(parameters["layers"], "layers").map {
      $0.int ?? $0["id"]?.int ?? -1
    }
    return try (ids.isEmpty ? content.tables.map(\.id) : ids).map { id in
      guard let table = content.table(id) else {
        throw DemoFailure.badReplica("There is no layer \(id).")
      }
      return layer(table, queries?["\(id)"], generation: content.generation)
    }
  }

  /// Tables without shapes hold what relates to the layers by default.
  private static func layer(
    _ table: HostedTable, _ query: JSONValue?, generation: Int64
  ) -> ReplicaLayer {
    let isSpatial = table.schema.geometryType != nil
    let clause = query?["where"]?.string ?? ""
    return ReplicaLayer(
      id: table.id,
      queryOption: query?["queryOption"]?.string.flatMap(ReplicaLayer.QueryOption.init)
        ?? (isSpatial || !clause.isEmpty ? .useFilter : .none),
      whereClause: clause, usesGeometry: isSpatial && query?["useGeometry"]?.bool ?? true,
      includesRelated: query?["includeRelated"]?.bool ?? true, generation: generation)
  }
}

extension DemoFailure {
  /// A replica that cannot be made or found; `detail` says why.
  static func badReplica(_ detail: String) -> DemoFailure {
    DemoFailure(code: 400, "Unable to complete operation.", details: [detail])
  }
}
