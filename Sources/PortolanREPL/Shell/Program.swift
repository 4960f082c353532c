internal import PortolanApp

/// The life of one `portolan` process: understand the command line, then run one command or a
/// session.
@MainActor
public struct Program {
  /// The surroundings that a process provides.
  public struct Surroundings: Sendable {
    /// The console that output goes to.
    public var console: any Console
    /// Builds what commands work with, once the options are known.
    public var makeSession: @MainActor @Sendable (GlobalOptions) async throws -> Session
    /// Opens the source of lines for a session.
    public var makeReader: @MainActor @Sendable (Session) -> any LineReader
    /// Passes Ctrl-C on.
    public var interrupts: InterruptHandler

    /// Creates the surroundings.
    public init(
      console: any Console, interrupts: InterruptHandler = InterruptHandler(),
      makeSession: @escaping @MainActor @Sendable (GlobalOptions) async throws -> Session,
      makeReader: @escaping @MainActor @Sendable (Session) -> any LineReader
    ) {
      self.console = console
      self.interrupts = interrupts
      self.makeSession = makeSession
      self.makeReader = makeReader
    }
  }

  private let surroundings: Surroundings
  private let commands: CommandTable

  /// Creates a program.
  public init(_ surroundings: Surroundings, commands: CommandTable = .standard) {
    self.surroundings = surroundings
    self.commands = commands
  }

  /// Runs the program with the words that follow its name.
  public func run(_ words: [String]) async -> ExitCode {
    var options = GlobalOptions()
    // A command line that cannot be understood still fails in the form that it asks for.
    if GlobalOptions.asksForJSON(in: words) { options.format = .json }
    do {
      let invocation = try Invocation(parsing: words, commands: commands, options: options)
      options = invocation.options
      return await run(invocation, in: try await surroundings.makeSession(options))
    } catch {
      let failure = Failure(error)
      Presenter(console: surroundings.console, options: options).present(failure)
      return failure.status
    }
  }

  private func run(_ invocation: Invocation, in session: Session) async -> ExitCode {
    let status = await status(of: invocation, in: session)
    await session.app.end()
    return status
  }

  private func status(of invocation: Invocation, in session: Session) async -> ExitCode {
    guard let command = invocation.command else {
      let reader = surroundings.makeReader(session)
      return await Shell(session: session, reader: reader, interrupts: surroundings.interrupts)
        .run()
    }
    var single = session
    single.keepsMap = false
    return await surroundings.interrupts.run { [single] in
      await session.interpreter.run(command, in: single).status
    }
  }
}
