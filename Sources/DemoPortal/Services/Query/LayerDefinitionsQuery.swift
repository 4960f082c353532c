internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// A question to several layers of a service at once, `FeatureServer/query`.
struct LayerDefinitionsQuery {
  private let parameters: DemoParameters
  private let conditions: [(layer: Int, clause: String)]

  /// Reads `layerDefs`: `{"0":"A = 1"}`, `[{"layerId":0,"where":"A = 1"}]` or `0:A = 1;1:B = 2`.
  init(_ parameters: DemoParameters) throws(DemoFailure) {
    self.parameters = parameters
    guard let text = parameters["layerDefs"] else {
      throw .badQuery("'layerDefs' must be specified")
    }
    if text.hasPrefix("{") || text.hasPrefix("[") {
      let json = try parameters.json("layerDefs")
      conditions =
        json?.array.map { list in
          list.compactMap { entry in
            entry["layerId"]?.int.map { (layer: $0, clause: entry["where"]?.string ?? "1=1") }
          }
        }
        ?? (json?.object?.members ?? []).compactMap { member in
          Int(member.name).map { (layer: $0, clause: member.value.string ?? "1=1") }
        }
    } else {
      conditions = text.split(separator: ";").compactMap { part in
        let halves = part.split(separator: ":", maxSplits: 1)
        return halves.first.flatMap { Int($0) }.map {
          (layer: $0, clause: halves.count > 1 ? String(halves[1]) : "1=1")
        }
      }
    }
    guard !conditions.isEmpty else { throw .badQuery("'layerDefs' parameter is invalid") }
  }

  /// The answers of the layers, in the order of the question.
  func answer(
    from content: HostedContent, _ options: FeatureServiceOptions, now: Date
  ) throws -> JSONValue {
    var layers: [JSONValue] = []
    for condition in conditions {
      guard let table = content.table(condition.layer) else {
        throw DemoFailure.badQuery("There is no layer \(condition.layer)")
      }
      var own = DemoParameters([("where", condition.clause), ("outFields", "*"), ("f", "json")])
      for name in parameters.names where !["where", "f", "layerdefs"].contains(name.lowercased()) {
        if let value = parameters[name] { own.append(value, to: name) }
      }
      let response = try FeatureQuery(own, of: table, in: options)
        .answer(from: table, options, now: now)
      guard case .bytes(let data) = response.body else { continue }
      let id: JSONObject = ["id": .integer(Int64(table.id))]
      let members = try JSONValue(parsing: data).object?.members ?? []
      layers.append(.object(JSONObject(id.members + members)))
    }
    return ["layers": .array(layers)]
  }
}
