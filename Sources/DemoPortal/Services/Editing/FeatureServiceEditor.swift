internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// Answers requests that change features.
struct FeatureServiceEditor: Sendable {
  let service: HostedFeatureService

  /// Edits to one layer, `FeatureServer/0/applyEdits`, or one of the operations it stands for.
  func applyLayerEdits(
    _ request: DemoRequest, to table: HostedTable, as operation: String
  ) async throws -> DemoResponse {
    try request.requirePost()
    try checkEditable()
    let edits = try await self.edits(request.parameters, of: table, as: operation)
    let results = try await service.apply(
      [edits], rules: Self.rules(request.parameters), rollsBack: Self.rollsBack(request),
      user: request.viewer.username)
    var answer = results[0].json(moment: await moment(request))
    switch operation {
    case "addFeatures": answer = answer.only("addResults")
    case "updateFeatures": answer = answer.only("updateResults")
    case "deleteFeatures": answer = answer.only("deleteResults")
    default: break
    }
    return .json(.object(answer))
  }

  /// Edits to several layers, `FeatureServer/applyEdits`.
  func applyServiceEdits(_ request: DemoRequest) async throws -> DemoResponse {
    try request.requirePost()
    try checkEditable()
    guard let list = try request.parameters.json("edits")?.array else {
      throw DemoFailure.badRequest("'edits' is missing.")
    }
    let results = try await service.apply(
      try list.map(LayerEdits.init(json:)), rules: Self.rules(request.parameters),
      rollsBack: Self.rollsBack(request), user: request.viewer.username)
    let moment = await moment(request)
    return .json(
      .array(
        results.map { layer in
          var members: JSONObject = ["id": .integer(Int64(layer.layerID))]
          for member in layer.json(moment: moment).members { members[member.name] = member.value }
          return .object(members)
        }))
  }

  /// Refuses what a service does not allow.
  func checkEditable() throws(DemoFailure) {
    guard service.options.isEditable else {
      throw DemoFailure(
        code: 400, "Unable to complete operation.",
        details: ["Operation is not supported on this layer."])
    }
  }

  private func edits(
    _ parameters: DemoParameters, of table: HostedTable, as operation: String
  ) async throws -> LayerEdits {
    guard operation != "applyEdits" else {
      return try LayerEdits(parameters, layerID: table.id)
    }
    var edits = LayerEdits(layerID: table.id)
    switch operation {
    case "addFeatures": edits.adds = try LayerEdits.list(parameters, "features")
    case "updateFeatures": edits.updates = try LayerEdits.list(parameters, "features")
    default: edits.deletes = try deletes(parameters, of: table)
    }
    return edits
  }

  /// The rows of `deleteFeatures`, by their ids or by a condition.
  private func deletes(
    _ parameters: DemoParameters, of table: HostedTable
  ) throws -> [JSONValue] {
    guard parameters["where"] != nil || parameters["geometry"] != nil else {
      return try LayerEdits.ids(parameters["objectIds"], "objectIds")
    }
    return try FeatureQuery(parameters, of: table, in: service.options)
      .selected(from: table, now: service.clock.now()).map { .integer($0.objectID) }
  }

  private func moment(_ request: DemoRequest) async -> Int64? {
    guard request.parameters.bool("returnEditMoment") ?? false else { return nil }
    return await service.content.lastEdit.epochMilliseconds
  }

  private static func rules(_ parameters: DemoParameters) -> EditTransaction.Rules {
    EditTransaction.Rules(usesGlobalIDs: parameters.bool("useGlobalIds") ?? false)
  }

  private static func rollsBack(_ request: DemoRequest) -> Bool {
    request.parameters.bool("rollbackOnFailure") ?? true
  }
}

extension JSONObject {
  /// The member of that name alone.
  fileprivate func only(_ name: String) -> JSONObject {
    var object = JSONObject()
    object[name] = self[name]
    return object
  }
}
