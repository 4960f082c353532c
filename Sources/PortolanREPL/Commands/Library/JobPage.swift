internal import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanJobs

/// Jobs as text and as JSON.
struct JobPage {
  let jobs: [Job]
  /// The paces of the running jobs.
  var paces: [JobID: JobListModel.Pace] = [:]
  /// Whether a worker runs jobs, so that they start by themselves.
  var isAttended = true
  /// The dates at which the maps on this device were stored, by the ids that jobs have for them.
  var stored: [String: Date] = [:]

  /// The exit code for the outcome of the request to these jobs.
  var status: ExitCode {
    jobs.map { Self.status(of: $0.state) }.max { Self.weight($0) < Self.weight($1) } ?? .done
  }

  private static func status(of state: JobState) -> ExitCode {
    switch state {
    case .succeeded, .waiting(.slot), .waiting(.retry), .running, .paused: .done
    case .cancelling, .cancelled: .done
    case .succeededInPart: .partlyDone
    case .waiting(.network): .noNetwork
    case .waiting(.signIn): .needsSignIn
    case .waiting(.space), .waiting(.editing): .failed
    case .failed(let failure) where failure.isUnanswered == true: .noNetwork
    case .failed(let failure):
      switch failure.kind {
      case .absent: .notFound
      case .signIn: .needsSignIn
      case .transient, .damaged, .device, .refused, .excluded: .failed
      }
    }
  }

  /// The weight of a status: of several, the weightiest is shown.
  private static func weight(_ status: ExitCode) -> Int {
    switch status {
    case .done: 0
    case .partlyDone: 1
    case .noNetwork, .needsSignIn: 2
    default: 3
    }
  }

  var text: TextDocument {
    guard !jobs.isEmpty else {
      return TextDocument("There are no jobs; \"download ID\" begins one.")
    }
    let table = TextTable(
      [
        .init("job", mayBeCut: false), .init("kind", mayBeCut: false), .init("title"),
        .init("state"), .init("progress", mayBeCut: false),
      ],
      rows: jobs.map { job in
        [
          Self.shortID(job), job.purpose(ofMapStored: stored[job.subject]).rawValue, job.title,
          job.hostWait.map { "waiting for \($0.host)" }
            ?? JobText.phrase(job.state, isAttended: isAttended),
          TransferText.extent(job.progress),
        ]
      })
    return TextDocument([.table(table)] + jobs.flatMap(details))
  }

  /// The reason why a job does not continue, and the remedy.
  private func details(_ job: Job) -> [TextDocument.Block] {
    // Parts that were left out on purpose are no news.
    var blocks =
      job.state == .succeeded ? [] : JobText.lines(job.failedItems.filter(\.isFailure))
    if case .failed(let failure) = job.state {
      blocks.append(
        .paragraph(
          [failure.message, failure.advice].compactMap(\.self).joined(separator: " "), indent: 4))
    }
    if let worker = job.worker {
      blocks.append(.paragraph("It is worked on by \(worker.name).", indent: 4))
    }
    if let advice = advice(job) { blocks.append(.paragraph(advice, indent: 4)) }
    if job.state != .succeeded { blocks += JobText.leftOut(of: job) }
    return blocks.isEmpty ? [] : [.line("\(job.title):")] + blocks
  }

  private func advice(_ job: Job) -> String? {
    let id = Self.shortID(job)
    return switch job.state {
    case .waiting(.slot) where !isAttended:
      "\"resume \(id)\" continues, \"jobs --watch\" continues all that are not over."
    case .succeededInPart: JobText.settling(job)
    case .failed:
      "\"resume \(id)\" continues, \"cancel \(id)\" cancels it."
    // The other process does not hear of a sign-in here.
    case .waiting(.signIn) where job.worker != nil:
      "After \(JobText.signIn), \"resume \(id)\" continues it."
    case .waiting(.signIn): "It continues after \(JobText.signIn)."
    case .waiting(.editing(_, let holder)):
      // The list cuts long states in narrow terminals.
      (holder.map { "The map is being edited by \(FileLockHolder.asSeenHere($0)). " } ?? "")
        + "It continues when the map is closed there; \"resume \(id)\" tries at once."
    case .waiting(.space):
      "\"storage\" shows what takes space; \"resume \(id)\" tries again."
    default: nil
    }
  }

  /// As much of an id as people need to type.
  static func shortID(_ job: Job) -> String { shortID(job.id) }

  /// The beginning of an id, which names the job in commands.
  static func shortID(_ id: JobID) -> String { String(id.text.prefix(8)) }

  var json: JSONValue { ["jobs": paces.json(of: jobs)] }
}

extension JobPage {
  /// Jobs as they are now.
  ///
  /// - Parameters:
  ///   - model: The jobs.
  ///   - ids: Which of them; all if `nil`.
  ///   - session: Where they are shown.
  @MainActor init(_ model: JobListModel, of ids: [JobID]? = nil, in session: Session) async {
    // Jobs are listed also where the maps cannot be; updates are listed as downloads then.
    let maps = try? await session.app.library?.loadedMaps()
    let dates = (maps?.state.items ?? []).compactMap { item in
      item.copy.map { (item.id, $0.installed) }
    }
    self.init(
      jobs: model.jobs.filter { ids?.contains($0.id) ?? true }, paces: model.state.paces,
      isAttended: session.attends(to: model.jobs),
      stored: Dictionary(dates) { first, _ in first })
  }
}
