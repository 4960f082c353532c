/// A child that works on the same home beside the one that is killed, until it is killed itself.
struct Companion: Sendable {
  let act: CrashAct
  private let process: ChildProcess
  private let run: Task<ChildEnding, any Error>

  init(_ process: ChildProcess, _ act: CrashAct) {
    self.act = act
    self.process = process
    run = Task { try await process.run() }
  }

  /// Kills it, and returns what it did.
  func end() async throws -> ChildEnding {
    process.kill()
    return try await run.value
  }
}
