internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

// What is on this device: maps, downloads, storage.
extension WebActions {
  func maps(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let library = try library()
    let maps = try await library.maps()
    switch name {
    case "refresh": _ = try await maps.checkUpdates()
    case "download":
      let (job, isNew) = try await maps.download(try body.text("id"))
      return ["job": .string(job.id.text), "isNew": .bool(isNew)]
    case "deletion":
      let deletion = try await maps.deletion(of: try body.text("id"))
      return ["title": .string(deletion.title), "byteCount": JSONValue(deletion.byteCount)]
    case "delete":
      try await maps.delete(
        try body.text("id"), discardingEdits: body.object["discardingEdits"]?.bool ?? false)
      try await library.storage().measure()
    case "undo-deletion":
      let title = try await maps.undoDeletion(of: body.object["id"]?.string)
      try await library.storage().measure()
      return ["title": .string(title)]
    case "import": return try await importPackage(try body.text("upload"), into: maps)
    case "roll-back": _ = try await maps.rollBack(try body.text("id"))
    default: throw Self.unknown("maps/\(name)")
    }
    return [:]
  }

  /// Brings in a package that a page has sent, and removes what was sent.
  private func importPackage(
    _ upload: String, into maps: MapListModel
  ) async throws(Problem) -> JSONValue {
    let file = try await uploads.file(of: upload)
    let imported: PackageImport
    do throws(Problem) { imported = try await maps.importPackage(file) } catch {
      await uploads.remove(upload)
      throw error
    }
    await uploads.remove(upload)
    return [
      "outcome": .string(imported.outcome.rawValue), "title": .string(imported.title),
      "warnings": .array(imported.warnings.map { .string($0) }),
    ]
  }

  func jobs(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let jobs = try await library().jobs()
    let job = try jobs.job(named: try body.text("id")).id
    switch name {
    case "pause": try await jobs.pause(job)
    case "resume": try await jobs.resume(job)
    case "cancel": try await jobs.cancel(job)
    case "retry": try await jobs.retryFailedItems(job)
    case "accept": try await jobs.acceptAsPartial(job)
    case "forget": try await jobs.forget(job)
    case "log": return ["messages": .array(try await jobs.messages(of: job).map(\.pageJSON))]
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
    case "empty-trash":
      let freed = try await storage.emptyTrash()
      try await storage.measure()
      return ["freed": JSONValue(freed)]
    case "audit":
      try await storage.audit(body.object["deep"]?.bool == true ? .deep : .quick)
      return ["findings": .array((storage.findings ?? []).map(\.json))]
    case "repair":
      let failures = try await storage.repair()
      return [
        "failures": .array(failures.map { .string("\($0.finding.sentence) \($0.reason)") }),
        "findings": .array((storage.findings ?? []).map(\.json)),
      ]
    default: throw Self.unknown("storage/\(name)")
    }
  }
}

extension JobMessage {
  fileprivate var pageJSON: JSONValue {
    [
      "date": JSONValue(Optional(time)), "severity": .string(severity.rawValue),
      "text": .string(text),
    ]
  }
}
