internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Tells which stored maps have newer versions.
struct UpdatesCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "updates", summary: "Show which stored maps have newer versions on their portals.",
    topic: .library,
    discussion: [
      "\"update MAP\" fetches one of them, \"update --all\" all, one after the other. Scheduled "
        + "updates of areas that were downloaded with such a mode come with \"sync MAP\" instead; an "
        + "area that was downloaded without updates is downloaded again with --update-mode to get them."
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let updates = try await library.loadedMaps().checkUpdates()
    let page = UpdatesPage(updates: updates)
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }
}

/// The comparison of stored maps with their portals' versions, as text and as JSON.
struct UpdatesPage {
  let updates: [MapUpdate]

  /// In part, if a portal did not tell.
  var status: ExitCode {
    updates.contains { $0.freshness.problem != nil } ? .partlyDone : .done
  }

  var text: TextDocument {
    guard !updates.isEmpty else { return TextDocument("There are no maps on this device.") }
    let rows = updates.map { update in
      [
        update.id, update.title, DayText.text(update.installed),
        update.portalModified.map(DayText.text) ?? "", Self.word(update),
      ]
    }
    let table = TextTable(
      [.id, .init("title"), .init("stored"), .init("changed"), .init("update")], rows: rows)
    let problems = updates.compactMap(\.freshness.problem?.message)
    var seen: Set<String> = []
    var paragraphs = problems.filter { seen.insert($0).inserted }
    if updates.contains(where: { $0.scheduled?.comesWithSync == true }) {
      paragraphs.append("\"sync MAP\" receives scheduled updates.")
    }
    paragraphs += updates.compactMap { Self.takingScheduled(of: $0) }
    if updates.contains(where: { $0.comesWithSync == true }) {
      paragraphs.append("\"sync MAP\" receives what has changed at the services of a map.")
    }
    return TextDocument([.table(table)] + paragraphs.map { .paragraph($0, indent: 0) })
  }

  /// The instructions for getting the scheduled updates of a map; `nil` if it has none, or the list
  /// has said so.
  ///
  /// `isTold` says whether it was said already that the map has some, and that it was downloaded
  /// without updates if so.
  static func takingScheduled(of update: MapUpdate, isTold: Bool = false) -> String? {
    guard update.scheduled != nil, update.freshness != .available else { return nil }
    let title = ShellWord.quoted(update.title)
    guard update.leavesOutScheduled else { return isTold ? "\"sync \(title)\" receives it." : nil }
    let reason = isTold ? "" : "\"\(update.title)\" was downloaded without updates: "
    return reason
      + "\"download \(title) --update-mode "
      + "\(DownloadOptions.UpdateMode.downloadScheduledUpdates.rawValue)\" changes that, and \"sync "
      + "\(title)\" then receives them."
  }

  /// The freshness, in few words.
  private static func word(_ update: MapUpdate) -> String {
    guard let scheduled = update.scheduled, update.freshness != .available else {
      return update.freshness.word
    }
    return "scheduled" + (scheduled.byteCount.map { ", \(ByteCount.text($0))" } ?? "")
  }

  var json: JSONValue { ["updates": .array(updates.map(\.json))] }
}
