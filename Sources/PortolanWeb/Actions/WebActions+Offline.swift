internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

// Areas of web maps that are taken offline, and maps that are synchronized.
extension WebActions {
  func offline(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let model = try await library().offlineMaps()
    let request = try offlineRequest(body)
    switch name {
    case "capabilities": return try await model.loadCapabilities(of: request).pageJSON
    case "estimate": return try await model.loadEstimate(of: request).pageJSON
    case "take":
      let (job, isNew) = try await model.takeOffline(request)
      return ["job": .string(job.id.text), "isNew": .bool(isNew)]
    default: throw Self.unknown("offline/\(name)")
    }
  }

  private func offlineRequest(
    _ body: ActionParameters
  ) throws(Problem) -> OfflineMapModel.Request {
    var options = OfflineMapOptions()
    options.title = body.object["title"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    options.minScale = body.object["minScale"]?.double.flatMap { $0 > 0 ? $0 : nil }
    options.maxScale = body.object["maxScale"]?.double.flatMap { $0 > 0 ? $0 : nil }
    options.leavesOutBasemap = body.isOn("noBasemap")
    options.keepsOnlineLayers = body.isOn("keepOnline")
    options.hasNoUpdates = body.isOn("noUpdates")
    options.schemaOnly = body.isOn("schemaOnly")
    options.allRows = body.isOn("allRows")
    options.ignoresFilters = body.isOn("ignoreFilters")
    options.stopsOnErrors = body.isOn("stopOnErrors")
    options.attachments = body.object["attachments"]?.string.flatMap { .init(rawValue: $0) }
    options.attachmentSync = body.object["attachmentSync"]?.string.flatMap { .init(rawValue: $0) }
    options.leftOutLayers = Set((body.object["without"]?.array ?? []).compactMap(\.string))
    return OfflineMapModel.Request(
      webMap: try body.text("webMap"), area: try area(body), options: options)
  }

  /// The area that was drawn: its corners in degrees; all that can be taken where none was.
  private func area(_ body: ActionParameters) throws(Problem) -> OfflineMapArea {
    guard body.object["parts"] != nil else {
      return .world
    }
    guard case .parts(let parts, _) = try body.sketch(), let corners = parts.first,
      corners.count > 2
    else {
      throw Problem(
        message: "An area has three corners at least.", suggestion: "Draw it again.")
    }
    guard let area = OfflineMapArea(corners: corners) else {
      throw Problem(message: "The area crosses itself.", suggestion: "Draw it again.")
    }
    return area
  }

  // MARK: - Synchronizing

  func sync(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let model = try await syncModel()
    let id = try body.text("id")
    switch name {
    case "start":
      await app.endEditing(ofStored: id)
      let direction = body.object["direction"]?.string.flatMap(
        SyncModel.Direction.init)
      let (job, isNew) = try await model.sync(id, direction ?? .bidirectional)
      return ["job": .string(job.id.text), "isNew": .bool(isNew)]
    case "conflicts":
      try await model.loadConflicts(of: id)
      return model.state.pageJSON
    case "resolve":
      let number = Int(clamping: try body.integer("number"))
      if model.state.map != id { try await model.loadConflicts(of: id) }
      await app.endEditing(ofStored: id)
      if let values = body.object["values"]?.object {
        try await model.resolve(
          number, setting: values.members.map { ($0.name, $0.value.string ?? "") })
      } else {
        guard let resolution = SyncModel.Resolution(rawValue: try body.text("resolution")) else {
          throw Problem(message: "The request has no valid \"resolution\".")
        }
        try await model.resolve(number, as: resolution)
      }
      await app.storedMapHasChanged(id)
      return model.state.pageJSON
    default: throw Self.unknown("sync/\(name)")
    }
  }

  private func syncModel() async throws(Problem) -> SyncModel {
    if let syncScreen { return syncScreen }
    let model = try await library().sync()
    syncScreen = model
    return model
  }
}

extension OfflineMapModel.Capabilities {
  fileprivate var pageJSON: JSONValue {
    [
      "hasErrors": .bool(hasErrors),
      "layers": .array(
        (layers + tables).map { layer in
          let state =
            layer.isCopyOnly
            ? "copy" : layer.remainsOnline ? "online" : layer.supportsOffline ? "yes" : "no"
          return [
            "id": .string(layer.id.isEmpty ? layer.title : layer.id),
            "title": .string(layer.title), "isBasemap": .bool(layer.isBasemap),
            "state": .string(state), "reason": JSONValue(layer.issue),
          ]
        }),
    ]
  }
}

extension OfflineMapModel.Estimate {
  fileprivate var pageJSON: JSONValue {
    [
      "parts": .array(
        parts.map { part in
          [
            "title": .string(part.title), "features": JSONValue(part.features),
            "tiles": JSONValue(part.tiles), "tileLimit": JSONValue(part.tileLimit),
            "exceedsLimit": .bool(part.exceedsLimit),
            "leastBytes": JSONValue(part.bytes?.lowerBound),
            "mostBytes": JSONValue(part.bytes?.upperBound), "reason": JSONValue(part.issue),
          ]
        }),
      "leastBytes": JSONValue(bytes.lowerBound), "mostBytes": JSONValue(bytes.upperBound),
      "isComplete": .bool(isComplete), "freeBytes": JSONValue(freeBytes), "fits": .bool(fits),
      "isPossible": .bool(isPossible),
    ]
  }
}

extension SyncModel.State {
  fileprivate var pageJSON: JSONValue {
    [
      "map": JSONValue(map), "title": JSONValue(title),
      "conflicts": .array(conflicts.map(\.json)),
    ]
  }
}
