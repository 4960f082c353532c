internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

// The content of this device: maps, downloads, storage.
extension WebActions {
  func maps(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let library = try library()
    let maps = try await library.maps()
    switch name {
    case "refresh": _ = try await maps.checkUpdates()
    case "download":
      let (job, isNew) = try await maps.download(
        try body.text("id"), options: try body.downloadOptions())
      return ["job": .string(job.id.text), "isNew": .bool(isNew)]
    case "deletion":
      let deletion = try await maps.deletion(of: try body.text("id"))
      return ["title": .string(deletion.title), "byteCount": JSONValue(deletion.byteCount)]
    case "delete":
      try await maps.delete(
        try body.text("id"), discardingEdits: body.object["discardingEdits"]?.bool ?? false)
      try await library.storage().measure()
    case "undo-deletion":
      let restored = try await maps.undoDeletion(of: body.object["id"]?.string)
      try await library.storage().measure()
      return restored.json
    case "details": return try await app.contents(ofStored: try body.text("id")).pageJSON
    case "find": return find(body, in: maps)
    case "import": return try await importPackage(body, into: maps)
    case "export": return try await exportMap(body, of: maps)
    case "share": return try await shareMap(body, of: maps)
    case "roll-back": return try await maps.rollBack(try body.text("id")).json
    case "update-all":
      return ["updates": .array(try await maps.startUpdates().map(\.json))]
    default:
      guard let answer = try await watching(name, body, in: library) else {
        throw Self.unknown("maps/\(name)")
      }
      return answer
    }
    return [:]
  }

  /// The ids of the rows that a page searches its list for, in the order that it wants.
  private func find(_ body: ActionParameters, in maps: MapListModel) -> JSONValue {
    let found = maps.state.items.matching(body.object["text"]?.string ?? "")
    let order = body.object["order"]?.string.flatMap(MapListOrder.init)
    let rows = order.map { found.sorted(by: $0) } ?? found
    return ["ids": .array(rows.map { .string($0.id) })]
  }

  func jobs(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let jobs = try await library().jobs()
    let job = try jobs.job(named: try body.text("id")).id
    switch name {
    case "pause": try await jobs.pause(job)
    case "resume": try await jobs.resume(job)
    case "cancel": try await jobs.cancel(job)
    case "run-next": try await jobs.move(job, to: 0)
    case "retry": try await jobs.retryFailedItems(job)
    case "accept": try await jobs.acceptAsPartial(job)
    case "forget": try await jobs.forget(job)
    case "log": return try await jobs.log(of: job).json
    default: throw Self.unknown("jobs/\(name)")
    }
    return [:]
  }

  func storage(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let storage = try await library().storage()
    switch name {
    case "usage":
      try await storage.measure()
      return storage.usage?.json ?? [:]
    case "kept":
      try await storage.listKept()
      return ["kept": .array((storage.kept ?? []).map(\.json))]
    case "open-kept":
      try await openKept(try body.text("path"), of: storage)
      return [:]
    case "restore-kept":
      let restored = try await storage.putBackKept(try body.text("name"))
      try await storage.measure()
      return restored.json
    case "delete-kept":
      let removal = try await storage.deleteKept(try body.text("name"))
      try await storage.measure()
      return removal.json
    case "drop-messages":
      let count = try await storage.dropMessages(to: try body.text("host"))
      return ["dropped": JSONValue(count)]
    case "empty-trash":
      let freed = try await storage.emptyTrash()
      try await storage.measure()
      return ["freed": JSONValue(freed)]
    case "audit":
      let audit = try await storage.audit(body.isOn("deep") ? .deep : .quick)
      // Its rows say what was found; until the catalogue can be read again they stay as they were.
      try? await library().maps().load()
      return [
        "audit": JSONValue(audit.number), "findings": .array(audit.findings.map(\.json)),
      ]
    case "repair":
      // The user of this page has not seen what another page has found since.
      return try await storage.repair(Int(clamping: try body.integer("audit"))).json
    default: throw Self.unknown("storage/\(name)")
    }
  }

  /// Opens a geodatabase that was set aside, as far as it can be read.
  private func openKept(_ path: String, of storage: StorageModel) async throws(Problem) {
    try await storage.listKept()
    // Nothing else of this device is opened by its path.
    guard storage.kept?.contains(where: { $0.geodatabases.contains(path) }) == true else {
      throw Problem(message: "Nothing of that name was set aside.", kind: .absence)
    }
    try await app.open(URL(filePath: path))
  }
}

extension ActionParameters {
  /// The options of a download; those that the page does not give keep their defaults.
  fileprivate func downloadOptions() throws(Problem) -> DownloadOptions {
    var options = DownloadOptions()
    if let leavesOut = object["noBasemap"]?.bool { options.includesBasemap = !leavesOut }
    if let stops = object["stopOnErrors"]?.bool { options.continuesOnErrors = !stops }
    if let name = object["updateMode"] {
      guard let mode = name.string.flatMap(DownloadOptions.UpdateMode.init) else {
        throw missing("updateMode")
      }
      options.updateMode = mode
    }
    return options
  }
}
