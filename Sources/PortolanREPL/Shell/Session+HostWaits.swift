internal import Observation
internal import PortolanApp
internal import PortolanJobs

extension Session {
  /// Runs a command, and says meanwhile which host its requests wait for.
  func running(_ command: any Command) async throws -> CommandResult {
    let waits = HostWaitModel()
    let notes = Task { [presenter] in
      var named: Set<String> = []
      for await wait in Observations({ waits.state.wait }) {
        guard let wait else { continue }
        if wait.seconds >= HostWaitModel.shortest {
          presenter.note("Waiting for \(wait.host), \(TransferText.time(wait.seconds)).")
        } else if named.insert(wait.host).inserted {
          // There are as many short pauses as requests, or more.
          presenter.note("Waiting for \(wait.host), which is asked again.")
        }
      }
    }
    defer { notes.cancel() }
    let result = await waits.reporting { () async -> Result<CommandResult, any Error> in
      do { return .success(try await command.run(in: self)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
