import Observation

/// The states that an observer of a model sees who looks at nothing else.
@MainActor
enum Observed {
  /// Waits until a state is such that `isWanted` accepts it; one that never comes is waited for until
  /// the time limit of the suite.
  ///
  /// - Parameters:
  ///   - read: Reads the state.
  ///   - isWanted: Whether it is the one that is waited for.
  /// - Returns: The state.
  static func first<State: Sendable>(
    of read: @escaping @MainActor @Sendable () -> State, where isWanted: (State) -> Bool
  ) async -> State {
    for await state in Observations({ read() }) where isWanted(state) { return state }
    return read()
  }

  /// The states that are seen while something is done, from the one before to the first that `isLast`
  /// accepts.
  ///
  /// Changes of one turn arrive as one, so which states come in between is not promised. A state that
  /// never comes is waited for until the time limit of the suite.
  ///
  /// - Parameters:
  ///   - read: Reads the state.
  ///   - isLast: Whether nothing more is waited for.
  ///   - work: What is done once the first state was seen.
  /// - Returns: The states in the order in which they were seen.
  /// - Throws: What `work` throws.
  static func states<State: Sendable>(
    of read: @escaping @MainActor @Sendable () -> State,
    until isLast: @escaping @MainActor @Sendable (State) -> Bool,
    while work: @MainActor () async throws -> Void
  ) async throws -> [State] {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let observer = Task { @MainActor in
      var seen: [State] = []
      for await state in Observations({ read() }) {
        seen.append(state)
        beginning.finish()
        if seen.count > 1, isLast(state) { break }
      }
      return seen
    }
    for await _ in begun {}
    do { try await work() } catch {
      observer.cancel()
      throw error
    }
    return await observer.value
  }
}
