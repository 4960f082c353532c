internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Fetches newer versions of stored maps.
struct UpdateCommand: LibraryCommand {
  static let maps = Parameter.argument(
    "MAP", "The id of a stored map, or its title.", count: .any, completion: .word(.storedMap))
  static let all = Parameter.flag(
    "all", "Every stored map that has a newer version on its portal.")

  static let declaration = CommandDeclaration(
    "update", summary: "Download newer versions of stored maps.", topic: .library,
    parameters: [maps, all],
    discussion: [
      "One after the other, each only if it fits on the disk. The old version stays, open or not, "
        + "until the new one is whole and checked; \"rollback\" restores it.",
      "Scheduled updates of an area are received by \"sync\". Where there are only those, nothing is "
        + "downloaded: the answer says so, and with --json the outcome is \"scheduled\".",
      "With --yes, and without a terminal, MAP has to be the id or the whole title.",
      "The exit status is 3 if some of several maps could not be updated; that of one map is the "
        + "status of what failed.",
    ],
    examples: [.init("update --all", "whatever \"updates\" lists as available")])

  private let names: [String]
  private let wantsAll: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try arguments.values(of: Self.maps, as: .text)
    wantsAll = arguments.isSet(Self.all)
    guard names.isEmpty == wantsAll else {
      throw UsageError("Give either MAP or --all.", suggestion: "\"updates\" lists what is newer.")
    }
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    let ids = try names.map {
      try maps.storedItem(named: $0, exactly: session.takesWholeNames).id
    }
    let updates = try await maps.checkUpdates(of: wantsAll ? nil : Set(ids))
    var report = UpdateReport()
    report.isOfOne = names.count == 1
    for update in updates {
      // A download that was over when Ctrl-C came does not tell of it.
      try Task.checkCancellation()
      try await fetch(update, maps, library, session, &report)
    }
    return report.result
  }

  @MainActor private func fetch(
    _ update: MapUpdate, _ maps: MapListModel, _ library: LibraryScreens, _ session: Session,
    _ report: inout UpdateReport
  ) async throws {
    if let unchanged = MapUpdateResult(unchanged: update) {
      report.note(
        unchanged, comesWithSync: update.comesWithSync == true, failure: update.failure)
      let isTold = update.freshness == .current
      return report.advise(UpdatesPage.takingScheduled(of: update, isTold: isTold))
    }
    do {
      let (job, _) = try await maps.download(update.id)
      let jobs = try await library.loadedJobs()
      let result = try await JobFollower(jobs: jobs, session: session, waits: true)
        .result(of: [job.id])
      report.add(update, result)
      guard result.status != .interrupted else { throw CancellationError() }
    } catch let problem as Problem where problem.kind != .cancellation {
      report.note(MapUpdateResult(update, failed: problem), failure: Failure(problem))
    } catch let failure as Failure where failure.status != .interrupted {
      report.note(
        MapUpdateResult(
          update, failed: Problem(message: failure.message, suggestion: failure.suggestion)),
        failure: failure)
    }
  }
}

extension MapUpdate {
  /// The reason why it is not known whether there is a newer version.
  fileprivate var failure: Failure? {
    if case .unknown(let problem) = freshness { Failure(problem) } else { nil }
  }
}

/// The results of updates, as text and as JSON.
struct UpdateReport {
  /// Whether one map was asked for: how that one ends is how the command ends.
  var isOfOne = false
  private var blocks: [TextDocument.Block] = []
  private var entries: [Entry] = []
  private var statuses: [ExitCode] = []
  private var pointsToSync = false

  /// A map, with what a person can do about it.
  private struct Entry {
    var result: MapUpdateResult
    var suggestion: String?

    var json: JSONValue {
      var members = result.json.object ?? [:]
      members["suggestion"] = suggestion.map(JSONValue.string) ?? .null
      return .object(members)
    }
  }

  /// A map that is not updated, with what a person can do about its failure; the others continue.
  mutating func note(
    _ entry: MapUpdateResult, comesWithSync: Bool = false, failure: Failure? = nil
  ) {
    statuses.append(failure?.status ?? .done)
    if let message = entry.message { blocks.append(.line(message)) }
    entries.append(Entry(result: entry))
    advise(failure?.suggestion)
    pointsToSync = pointsToSync || comesWithSync
  }

  /// The advice on the map that was noted last.
  mutating func advise(_ advice: String?) {
    guard let advice else { return }
    blocks.append(.paragraph(advice, indent: 2))
    guard !entries.isEmpty else { return }
    let last = entries.count - 1
    entries[last].suggestion = [entries[last].suggestion, advice].compactMap(\.self)
      .joined(separator: " ")
  }

  /// A map whose new version was requested.
  mutating func add(_ update: MapUpdate, _ result: CommandResult) {
    statuses.append(result.status)
    if case .document(let text, _) = result.body { blocks += text.blocks }
    entries.append(
      Entry(result: MapUpdateResult(update, result.status == .done ? .updated : .failed)))
  }

  private var status: ExitCode {
    guard let first = statuses.first(where: { $0 != .done }) else { return .done }
    return isOfOne ? first : .partlyDone
  }

  /// The result of the command.
  var result: CommandResult {
    var text = blocks.isEmpty ? [.line("There are no maps on this device.")] : blocks
    if pointsToSync { text.append(.line("\"sync MAP\" synchronizes such a map.")) }
    return CommandResult(
      text: TextDocument(text), json: ["updates": .array(entries.map(\.json))], status: status)
  }
}
