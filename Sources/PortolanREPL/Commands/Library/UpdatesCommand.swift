internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Tells which stored maps have newer versions.
struct UpdatesCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "updates", summary: "Show which stored maps have newer versions on their portals.",
    topic: .library,
    discussion: ["\"update MAP\" fetches one of them, \"update --all\" all, one after the other."])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let updates = try await library.loadedMaps().checkUpdates()
    let page = UpdatesPage(updates: updates)
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }
}

/// How stored maps compare with what their portals have, as text and as JSON.
struct UpdatesPage {
  let updates: [MapUpdate]

  /// In part, if a portal did not tell.
  var status: ExitCode {
    updates.contains { Self.problem($0) != nil } ? .partlyDone : .done
  }

  var text: TextDocument {
    guard !updates.isEmpty else { return TextDocument("There are no maps on this device.") }
    let rows = updates.map { update in
      [
        update.id, update.title, DayText.text(update.installed),
        update.portalModified.map(DayText.text) ?? "", Self.word(update.freshness),
      ]
    }
    let table = TextTable(
      [.id, .init("title"), .init("stored"), .init("changed"), .init("update")], rows: rows)
    let problems = updates.compactMap(Self.problem).map(\.message)
    var seen: Set<String> = []
    return TextDocument(
      [.table(table)]
        + problems.filter { seen.insert($0).inserted }.map { .paragraph($0, indent: 0) })
  }

  var json: JSONValue {
    let list = updates.map { update -> JSONValue in
      [
        "id": .string(update.id), "title": .string(update.title),
        "stored": .string(update.installed.formatted(.iso8601)),
        "storedModified": update.storedModified.map { .string($0.formatted(.iso8601)) } ?? .null,
        "portalModified": update.portalModified.map { .string($0.formatted(.iso8601)) } ?? .null,
        "update": .string(Self.word(update.freshness)),
        "problem": Self.problem(update).map { .string($0.message) } ?? .null,
      ]
    }
    return ["updates": .array(list)]
  }

  private static func problem(_ update: MapUpdate) -> Problem? {
    if case .unknown(let problem) = update.freshness { problem } else { nil }
  }

  static func word(_ freshness: MapUpdate.Freshness) -> String {
    switch freshness {
    case .current: "current"
    case .available: "available"
    case .unknown: "unknown"
    case .untracked: "none"
    }
  }
}
