internal import Synchronization

/// Gathers what could not be searched while a question is answered: the answer is what the rest has.
public final class SearchProblems: Sendable {
  private let problems = Mutex<[SearchError]>([])

  /// Creates a list without problems.
  public init() {}

  /// What could not be searched, each once.
  public var all: [SearchError] { problems.withLock { $0 } }

  /// Adds what could not be searched.
  public func add(_ problem: SearchError) {
    problems.withLock { problems in
      if !problems.contains(problem) { problems.append(problem) }
    }
  }
}
