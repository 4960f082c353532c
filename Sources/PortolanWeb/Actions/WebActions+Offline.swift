internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

// Areas of web maps that are taken offline, and maps that are synchronized.
extension WebActions {
  func offline(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let model = try await library().offlineMaps()
    switch name {
    case "capabilities":
      // The capabilities are the same everywhere.
      return try await model.loadCapabilities(of: request(body, for: .world, model)).pageJSON
    case "estimate":
      return try await model.loadEstimate(of: request(body, for: area(body), model)).pageJSON
    case "basemaps":
      return ["basemaps": .array(try await model.basemapFiles().map(\.pageJSON))]
    case "take":
      let (job, isNew) = try await model.takeOffline(request(body, for: area(body), model))
      return ["job": .string(job.id.text), "isNew": .bool(isNew)]
    default: throw Self.unknown("offline/\(name)")
    }
  }

  private func request(
    _ body: ActionParameters, for area: OfflineMapArea, _ model: OfflineMapModel
  ) async throws(Problem) -> OfflineMapModel.Request {
    var options = body.offlineOptions
    if let id = body.object["basemap"]?.string {
      guard let basemap = try await model.basemapFiles().first(where: { $0.id == id }) else {
        throw Problem(
          .noReferenceBasemap, message: "That tile package is no longer on this device.",
          suggestion: "Choose another basemap.")
      }
      options.referenceBasemap = basemap.file
    }
    return OfflineMapModel.Request(
      webMap: try body.text("webMap"), area: area, options: options)
  }

  /// The area that was drawn, by its corners in degrees.
  ///
  /// Drawing no area does not mean the whole map.
  private func area(_ body: ActionParameters) throws(Problem) -> OfflineMapArea {
    guard body.object["parts"] != nil else {
      throw Problem(
        .usage, message: "The request does not say which area is to be taken offline.",
        suggestion: "Draw the area.")
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
      let direction = try body.direction()
      await app.endEditing(ofStored: id)
      let (job, isNew) = try await model.sync(id, direction)
      return ["job": .string(job.id.text), "isNew": .bool(isNew)]
    case "conflicts":
      try await model.loadConflicts(of: id)
      return try await conflicts(of: id, model)
    case "resolve":
      let resolution = try body.resolution()
      let number = Int(clamping: try body.integer("number"))
      await app.endEditing(ofStored: id)
      _ = try await conflicts(of: id, model)
      switch resolution {
      case .values(let values):
        try await model.resolve(
          number, setting: values, codes: Set(body.texts("codes")), ifStill: body.seenConflict)
      case .side(let side):
        try await model.resolve(number, as: side, ifStill: body.seenConflict)
      }
      await app.storedMapHasChanged(id)
      return try await conflicts(of: id, model)
    default: throw Self.unknown("sync/\(name)")
    }
  }

  /// The conflicts of a map; another page may have looked at those of another map, with the same numbers.
  private func conflicts(of id: String, _ model: SyncModel) async throws(Problem) -> JSONValue {
    if model.state.map != id { try await model.loadConflicts(of: id) }
    guard model.state.map == id else {
      throw Problem(
        message: "Another page looks at the conflicts of another map.",
        suggestion: "Try again.", actions: [NextAction(.retry)])
    }
    return model.pageJSON
  }

  private func syncModel() async throws(Problem) -> SyncModel {
    if let syncScreen { return syncScreen }
    let model = try await library().sync()
    syncScreen = model
    return model
  }
}

/// The resolution of a conflict.
private enum ConflictResolution {
  case values([(field: String, text: String)])
  case side(SyncModel.Resolution)
}

extension ActionParameters {
  /// The conflict as the page shows it; `nil` if it does not say so.
  fileprivate var seenConflict: SeenConflict? {
    object["seen"]?.string.flatMap(Int.init).map(SeenConflict.init(number:))
  }

  /// The directions of edits, both unless a page says so; a word that means none is not taken for
  /// both.
  fileprivate func direction() throws(Problem) -> SyncModel.Direction {
    guard let word = object["direction"], word != .null else { return .bidirectional }
    guard let direction = word.string.flatMap(SyncModel.Direction.init) else {
      throw missing("direction")
    }
    return direction
  }

  /// The resolution that a page requests; a value that is not a text is not taken for none.
  fileprivate func resolution() throws(Problem) -> ConflictResolution {
    guard let values = object["values"] else {
      guard let side = SyncModel.Resolution(rawValue: try text("resolution")) else {
        throw missing("resolution")
      }
      return .side(side)
    }
    let members = values.object?.members ?? []
    let texts = members.compactMap { member in
      member.value.string.map { (field: member.name, text: $0) }
    }
    guard !texts.isEmpty, texts.count == members.count else { throw missing("values") }
    return .values(texts)
  }

  /// The options of an offline map, apart from its area.
  fileprivate var offlineOptions: OfflineMapOptions {
    var options = OfflineMapOptions()
    options.title = object["title"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    options.minScale = object["minScale"]?.double.flatMap { $0 > 0 ? $0 : nil }
    options.maxScale = object["maxScale"]?.double.flatMap { $0 > 0 ? $0 : nil }
    options.leavesOutBasemap = isOn("noBasemap")
    options.keepsOnlineLayers = isOn("keepOnline")
    options.hasNoUpdates = isOn("noUpdates")
    options.schemaOnly = isOn("schemaOnly")
    options.allRows = isOn("allRows")
    options.ignoresFilters = isOn("ignoreFilters")
    options.stopsOnErrors = isOn("stopOnErrors")
    options.attachments = object["attachments"]?.string.flatMap { .init(rawValue: $0) }
    options.attachmentSync = object["attachmentSync"]?.string.flatMap { .init(rawValue: $0) }
    options.leftOutLayers = Set((object["without"]?.array ?? []).compactMap(\.string))
    return options
  }
}

extension OfflineMapModel.BasemapFile {
  /// The tile package without its place, which the page need not know.
  fileprivate var pageJSON: JSONValue {
    [
      "id": .string(id), "name": .string(name), "map": .string(mapTitle),
      "bytes": JSONValue(byteCount),
    ]
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

extension SyncModel {
  fileprivate var pageJSON: JSONValue {
    [
      "map": JSONValue(state.map), "title": JSONValue(state.title),
      "conflicts": .array(state.conflicts.map { json(of: $0) }),
    ]
  }

  /// A conflict, with what tells whether it was changed since a page has shown it.
  private func json(of conflict: Conflict) -> JSONValue {
    var members = conflict.json.object ?? [:]
    // As text: JavaScript has no integers of that size.
    members["seen"] = seen(conflict.id).map { .string("\($0.number)") } ?? .null
    members["related"] = .array(conflict.related.map { Self.json(of: $0) })
    return .object(members)
  }

  /// An edit that is decided on with a conflict, with what tells whether it was edited again.
  private static func json(of edit: RelatedEdit) -> JSONValue {
    var members = edit.json.object ?? [:]
    members["seen"] = .string("\(edit.number)")
    return .object(members)
  }
}
