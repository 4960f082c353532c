internal import PortolanApp

/// Reads lines and runs them until there are no more.
@MainActor
public struct Shell {
  private let session: Session
  private let reader: any LineReader
  private let interrupts: InterruptHandler

  /// Creates a shell.
  public init(
    session: Session, reader: any LineReader, interrupts: InterruptHandler = InterruptHandler()
  ) {
    self.session = session
    self.reader = reader
    self.interrupts = interrupts
  }

  /// Runs the session.
  ///
  /// A user who leaves a prompt has seen each failure: its status is 0. If lines come from a pipe,
  /// it is that of the last one that failed: its message may go unseen. A failure does not end the
  /// session: for lines that depend on each other there is `run`. Only standard output that cannot
  /// be written does, with the status of a failure.
  ///
  /// At a prompt downloads continue beside it, and can be resumed the next time when it ends.
  public func run() async -> ExitCode {
    guard reader.isInteractive else { return await run(in: session) }
    session.presenter.note(
      "Portolan \(ProductVersion.current). Type \"help\", or \"quit\" to leave.")
    let announcer = JobAnnouncer(session: session)
    let work = Task { await announcer.run() }
    var session = session
    session.worksBesidePrompt = true
    let status = await run(in: session)
    work.cancel()
    await work.value
    return status
  }

  private func run(in session: Session) async -> ExitCode {
    var status = SessionStatus(isInteractive: reader.isInteractive)
    while true {
      switch await reader.nextLine(prompt: session.completions.prompt) {
      case .end: return status.code
      case .interrupted: continue
      case .line(let line):
        guard Interpreter.isCommand(line) else { continue }
        let next = await interrupts.run { await session.interpreter.run(line, in: session) }
        // A command that only ends the session leaves the status of the one before it.
        if !next.endsSession || next.status != .done { status.note(next.status) }
        guard !next.endsSession else { return next.status == .done ? status.code : next.status }
      }
    }
  }
}

/// The exit status of the commands of a session.
private struct SessionStatus {
  let isInteractive: Bool
  private var last = ExitCode.done
  private var lastFailure = ExitCode.done

  init(isInteractive: Bool) { self.isInteractive = isInteractive }

  mutating func note(_ status: ExitCode) {
    last = status
    if status != .done, status != .interrupted { lastFailure = status }
  }

  /// The exit code of the process: a command that was stopped has not failed, but says so if
  /// nothing follows.
  var code: ExitCode {
    if isInteractive { return .done }
    return last == .interrupted ? last : lastFailure
  }
}
