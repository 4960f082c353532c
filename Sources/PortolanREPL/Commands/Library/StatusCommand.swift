internal import PortolanApp
internal import PortolanJobs

/// Tells how things are: the network, who is signed in, the maps, the downloads, the space.
struct StatusCommand: Command {
  static let declaration = CommandDeclaration(
    "status", summary: "Show the state of network, sign-in, maps, downloads and space.",
    topic: .library, discussion: ["Asks no portal, and says what could be done next."])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let model = StatusModel(app: session.app, account: session.account)
    try await model.refresh()
    session.offerWords()
    return CommandResult(
      text: StatusPage(
        state: model.state, isAttended: session.attends(to: model.state.openJobs)
      ).text, json: model.state.json,
      status: model.state.accountProblem == nil ? .done : .partlyDone)
  }
}

/// The status of the library, as text.
struct StatusPage {
  let state: StatusModel.State
  /// Whether a worker runs jobs, so that they start by themselves.
  var isAttended = true

  var text: TextDocument {
    var fields: [TextDocument.Field] = []
    if let isOnline = state.isOnline { fields.append(.init("Network", isOnline ? "yes" : "none")) }
    let nobody = state.accountProblem == nil ? "nobody" : "not known"
    fields.append(.init("Signed in", state.user.map { "\($0.name), \($0.host)" } ?? nobody))
    fields.append(.init("Maps on this device", "\(state.mapCount)"))
    fields.append(.init("Jobs under way", "\(state.openJobs.count)"))
    if let usage = state.usage {
      fields.append(.init("Stored", ByteCount.text(usage.total.byteCount)))
      if let free = usage.freeByteCount { fields.append(.init("Free", ByteCount.text(free))) }
    }
    if let title = state.openTitle { fields.append(.init("Open map", title)) }
    return TextDocument(
      [.fields(fields)] + jobLines + (problemLines + hints).map { .paragraph($0, indent: 0) })
  }

  /// The parts that could not be read, with advice.
  private var problemLines: [String] {
    guard let problem = state.accountProblem else { return [] }
    return [[problem.message, problem.commandAdvice].compactMap(\.self).joined(separator: " ")]
  }

  private var jobLines: [TextDocument.Block] {
    (state.openJobs + state.unsettledJobs).map { job in
      .paragraph("\"\(job.title)\": \(JobText.sentence(job, isAttended: isAttended))", indent: 2)
    }
  }

  /// Hints at the next steps.
  private var hints: [String] {
    if state.isOnline == false {
      return state.mapCount == 0
        ? ["There is no network, and no map on this device."]
        : ["There is no network: only the maps on this device can be opened; \"maps\" lists them."]
    }
    let isStopped = state.openJobs.contains {
      if case .waiting(.slot) = $0.state { true } else { false }
    }
    if isStopped, !isAttended {
      return ["\"jobs --watch\" continues what is stopped."]
    }
    if state.isEmpty {
      return [
        "Nothing is on this device yet. \"search --type 'Web Map'\" finds web maps, \"areas WEBMAP\" "
          + "lists what can be downloaded of one."
      ]
    }
    return []
  }
}
