internal import PortolanApp
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanJobs

/// The results of jobs, in sentences and as JSON.
struct JobReport {
  let jobs: [Job]
  /// The paces of the running jobs.
  var paces: [JobID: JobListModel.Pace] = [:]
  /// The number of unsent edits that are part of jobs' downloads, by the content they bring.
  var unsentEdits: [String: Int] = [:]
  /// The subjects downloaded again of which an edited version was set aside.
  var setAside: Set<String> = []

  private var json: JSONValue { ["jobs": paces.json(of: jobs)] }

  /// They have begun.
  var beginning: CommandResult {
    let sentences = jobs.map { job in
      TextDocument.Block.line(
        job.state.isFinal
          ? "\"\(job.title)\" is \(JobText.sentence(job))."
          : "\"\(job.title)\" is \(job.isSynchronization ? "being synchronized" : "on its way"); "
            + "\"jobs\" shows its progress.")
    }
    return CommandResult(text: TextDocument(sentences), json: json)
  }

  /// They are no longer awaited, and continue.
  var noLongerAwaited: CommandResult {
    let sentences = jobs.map { job in
      TextDocument.Block.paragraph(
        job.state.isFinal
          ? "\"\(job.title)\" is \(JobText.sentence(job))."
          : "\"\(job.title)\" continues in the background; \"pause \(JobPage.shortID(job))\" stops it.",
        indent: 0)
    }
    return CommandResult(text: TextDocument(sentences), json: json)
  }

  /// They stand still.
  ///
  /// - Parameter isAsked: Whether that was requested; else another process has stopped them.
  /// - Returns: The outcome.
  /// - Throws: A failure if nothing of what was asked for is there.
  func ending(asAsked isAsked: Bool = false) throws -> CommandResult {
    let failures = jobs.compactMap(failure)
    if failures.count == jobs.count, let failure = Self.failure(of: failures, jobs) {
      throw failure
    }
    let isPartial =
      !failures.isEmpty
      || jobs.contains {
        $0.state == .succeededInPart || !isAsked && [.paused, .cancelled].contains($0.state)
          || SyncModel.Outcome(of: $0)?.isComplete == false
      }
    return CommandResult(
      text: TextDocument(jobs.flatMap(blocks)), json: json, status: isPartial ? .partlyDone : .done)
  }

  /// The failure of several jobs none of which has done anything, with a line for each; `nil` if
  /// there are none.
  private static func failure(of failures: [Failure], _ jobs: [Job]) -> Failure? {
    guard let first = failures.first, failures.count > 1 else { return failures.first }
    let isAlike = failures.allSatisfy { $0.code == first.code }
    let goesOn = jobs.contains { if case .waiting = $0.state { true } else { false } }
    return Failure(
      isAlike ? first.code : .failed,
      (["None of \(jobs.count) jobs is done."] + failures.map(\.message)).joined(separator: "\n"),
      suggestion: "\"jobs\" lists them with what helps"
        + (goesOn ? "; \"jobs --watch\" continues those that wait." : "."),
      status: JobPage(jobs: jobs).status)
  }

  private func blocks(_ job: Job) -> [TextDocument.Block] {
    let size = ByteCount.text(job.progress.bytes)
    switch job.state {
    case .succeeded where job.isSynchronization, .succeededInPart where job.isSynchronization:
      return SyncText.blocks(job)
    case .succeeded:
      return arrival(job, size) + edits(job) + setAside(job)
    case .succeededInPart:
      return [.line("\"\(job.title)\" is on this device, \(size), but incomplete:")]
        + JobText.lines(job.failedItems.filter(\.isFailure))
        + [.paragraph(JobText.settling(job), indent: 0)] + JobText.signingIn(for: job)
        + JobText.leftOut(of: job)
    case .cancelled where job.isSynchronization || job.failedItems.contains(where: \.isFailure):
      // The job had downloaded the map without these parts, or works on a map that is here.
      return [.line("\"\(job.title)\" is cancelled; the map on this device stays as it is.")]
    case .cancelled:
      return [.line("\"\(job.title)\" is cancelled, and its partial files are deleted.")]
    case .paused:
      let extent = TransferText.extent(job.progress)
      return [
        .paragraph(
          "\"\(job.title)\" is paused\(extent.isEmpty ? "" : " at \(extent)"); \"resume\" "
            + "continues it.", indent: 0)
      ]
    default: return [.paragraph("\"\(job.title)\": \(JobText.sentence(job)).", indent: 0)]
    }
  }

  /// The message that the map is there, but for parts that cannot be downloaded by their nature.
  private func arrival(_ job: Job, _ size: String) -> [TextDocument.Block] {
    let exceptions = job.failedItems.filter { !$0.isFailure }
    guard !exceptions.isEmpty else {
      return [.line("\"\(job.title)\" is on this device, \(size).")]
    }
    return [.line("\"\(job.title)\" is on this device, \(size), but for:")]
      + JobText.lines(exceptions)
  }

  /// The message that edits of the previous version were carried over.
  private func edits(_ job: Job) -> [TextDocument.Block] {
    guard let count = unsentEdits[job.subject], count > 0 else { return [] }
    return [
      .line(
        count == 1
          ? "An edit that was not sent yet was carried over."
          : "\(count) edits that were not sent yet were carried over.")
    ]
  }

  /// The message that the map deleted before is kept, since it holds edits.
  private func setAside(_ job: Job) -> [TextDocument.Block] {
    guard setAside.contains(job.subject) else { return [] }
    return [
      .paragraph(
        "The copy that was deleted before holds edits that were not sent; it is set aside, and "
          + "\"kept\" lists it.", indent: 0)
    ]
  }

  /// The advice on a failure, naming the command that retries it.
  private static func advice(_ advice: String?, resuming command: String) -> String {
    guard let advice else { return "\(command) tries again." }
    guard advice.hasPrefix("Try again") else { return "\(advice) \(command) tries again." }
    return "Try again with \(command)" + advice.dropFirst("Try again".count)
  }

  /// The reason why a job has no result; `nil` if it has one.
  private func failure(_ job: Job) -> Failure? {
    let goesOn = "Continue with \"resume \(JobPage.shortID(job))\"."
    switch job.state {
    case .failed(let failure):
      return Failure(
        job.isSynchronization ? .syncFailed : .downloadFailed,
        "\"\(job.title)\" could not be \(job.isSynchronization ? "synchronized" : "downloaded"): "
          + failure.message + SyncText.rest(job),
        suggestion: Self.advice(failure.advice, resuming: "\"resume \(JobPage.shortID(job))\""),
        status: JobPage(jobs: [job]).status)
    case .waiting(.network):
      return Failure(
        .noNetwork, "There is no network for \"\(job.title)\"." + SyncText.rest(job),
        suggestion: goesOn, status: .noNetwork)
    case .waiting(.signIn(let host)):
      return Failure(
        .signInNeeded,
        "\(host) wants you to sign in for \"\(job.title)\"." + SyncText.rest(job),
        suggestion:
          "Sign in with \(JobText.signIn), or \"sign-in --server URL\" for a server that has accounts of its "
          + "own. \(goesOn)", status: .needsSignIn)
    case .waiting(.space(let missing)):
      let amount = missing > 0 ? "It needs \(ByteCount.text(missing)) more. " : ""
      return Failure(
        .diskFull, "There is not enough free space for \"\(job.title)\".",
        suggestion: "\(amount)Free some space; \"storage\" shows what takes it. \(goesOn)")
    case .waiting(.editing(_, let holder)):
      return Failure(
        .beingEdited,
        "\"\(job.title)\" waits until it is no longer edited"
          + "\(holder.map { " by \(FileLockHolder.asSeenHere($0))" } ?? "").",
        suggestion: "Close it there: its edits are kept. \(goesOn)")
    default: return nil
    }
  }
}
